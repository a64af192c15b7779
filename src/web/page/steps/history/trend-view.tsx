import type { JSX } from 'preact';
import type { RunTrend } from '../../../shared/history.js';
import { StepFrame } from '../../frame/step-frame.js';
import { historyText, trendText } from '../../messages/history.js';
import { Waiting } from '../../parts/waiting.js';
import { go } from '../../state/address.js';
import { call } from '../../state/call.js';
import { t } from '../../state/language.js';
import { useLoaded } from '../../state/loaded.js';
import { NotThere } from './not-there.js';
import { TrendFigure } from './trend-figure.js';
import { TrendTable } from './trend-table.js';

/** How the files of a vendor went, run by run. */
export function TrendView({ run }: { readonly run: string }): JSX.Element {
  const load = (signal: AbortSignal) =>
    call('GET /api/runs/:run/trend', { params: { run }, signal });
  const loaded = useLoaded(load, run).value;
  const found = loaded.state === 'ready' ? loaded.value : null;
  return (
    <StepFrame
      title={found ? t(trendText.title, found.source) : t(trendText.waiting)}
      facts={found ? [t(historyText.runs, found.points.length)] : []}
      command={found?.command ?? undefined}
      back={() => go({ kind: 'history', run: null })}
    >
      {loaded.state === 'loading' && <Waiting />}
      {loaded.state === 'failed' && <NotThere problem={loaded.problem} />}
      {found && <Found {...found} />}
    </StepFrame>
  );
}

function Found({ points, isCut }: RunTrend): JSX.Element {
  if (points.length === 0) return <p class="notice calm">{t(trendText.none)}</p>;
  return (
    <>
      {points.length === 1 ? (
        <p class="notice calm">{t(trendText.one)}</p>
      ) : (
        <TrendFigure points={points} />
      )}
      <TrendTable points={points} />
      {isCut && <p class="soft">{t(trendText.cut)}</p>}
    </>
  );
}
