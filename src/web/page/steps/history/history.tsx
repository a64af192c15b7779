import type { JSX } from 'preact';
import { query } from '../../state/address.js';
import { CompareView } from './compare-view.js';
import { RunList } from './run-list.js';
import { TrendView } from './trend-view.js';

/** The runs; `/history/<run>` shows how files like its own went, and with `?with=<run>` what differs between the two. */
export function HistoryStep({ run }: { readonly run: string | null }): JSX.Element {
  const other = query.value.get('with');
  if (run === null) return <RunList />;
  return other === null ? (
    <TrendView key={run} run={run} />
  ) : (
    <CompareView key={`${run} ${other}`} run={run} other={other} />
  );
}
