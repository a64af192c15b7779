import type { JSX } from 'preact';
import type { PastRun } from '../../../shared/history.js';
import { compareText, historyText } from '../../messages/history.js';
import { OutcomeName } from '../../parts/outcome-name.js';
import { call } from '../../state/call.js';
import { number, t } from '../../state/language.js';
import { useLoaded } from '../../state/loaded.js';

type Outcomes = PastRun['outcomes'];

/** The cells with the rows of a run and how they ended. Where no process could count them, they are counted now. */
export function RunCounts({ run }: { readonly run: PastRun }): JSX.Element {
  if (run.rows === null && run.state !== 'running') return <Counted run={run.run} />;
  return <Counts rows={run.rows === null ? '' : number(run.rows)} outcomes={run.outcomes} />;
}

function Counted({ run }: { readonly run: string }): JSX.Element {
  const load = (signal: AbortSignal) =>
    call('GET /api/runs/:run/counts', { params: { run }, signal });
  const counted = useLoaded(load, run).value;
  if (counted.state === 'ready')
    return <Counts rows={number(counted.value.rows)} outcomes={counted.value.outcomes} />;
  const word = counted.state === 'loading' ? historyText.counting : historyText.notCounted;
  return <Counts rows={t(word)} outcomes={[]} />;
}

const Counts = ({ rows, outcomes }: { readonly rows: string; readonly outcomes: Outcomes }) => (
  <>
    <td role="cell" class="number count">
      <span class="label soft">{t(historyText.rowsHeader)}</span> {rows}
    </td>
    <td role="cell" class="ends">
      <OutcomeCounts outcomes={outcomes} />
    </td>
  </>
);

/** Rows by outcome. */
export const OutcomeCounts = ({ outcomes }: { readonly outcomes: Outcomes }): JSX.Element => (
  <ul class="outcomes">
    {outcomes.map(({ outcome, count }) => (
      <li key={outcome}>
        <OutcomeName outcome={outcome} /> <span class="number">{number(count)}</span>
      </li>
    ))}
  </ul>
);

/** The same in one line. */
export const RunCountsLine = ({ run }: { readonly run: PastRun }): JSX.Element => (
  <div class="countsline">
    {run.rows !== null && <span>{t(compareText.rows, run.rows)}</span>}
    <OutcomeCounts outcomes={run.outcomes} />
  </div>
);
