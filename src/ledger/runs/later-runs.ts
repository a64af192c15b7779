import { centerKey } from '../../core/center.js';
import { MODE_TRAITS, type RunMode, isImport } from '../../core/mode.js';
import { type RunRow, listOf, modeOf } from './run-table.js';
import type { RunView } from './run-view.js';
import { isIdle, isTakenBack } from './taken-back.js';

/** How standard input is called among the inputs of a run: it may be another list each time. */
export const STANDARD_INPUT = 'standard input';

/** Inputs as the table has them; nothing where they do not tell which files they are. */
export function filesText(inputs: readonly string[]): string {
  return inputs.includes(STANDARD_INPUT) ? '' : JSON.stringify(inputs);
}

/**
 * Whether a run that broke off was overtaken: a later one over the same files or content, begun with --again, has come
 * to its end and was not taken back. To go on with it would send what that one has sent. One that has lost facts is
 * not: what it did is looked up first.
 * @throws LedgerInUseError when another process takes the later one back
 */
export function isOvertaken(view: RunView, run: RunRow): boolean {
  if (isOldIssue(view, run)) return true;
  if (run.state === 'finished' || run.state === 'open' || view.hasLostFacts(run)) return false;
  return laterRuns(view, run).some(
    (later) => isImport(modeOf(later)) && !isTakenBack(view, later),
  );
}

/**
 * Whether a later issue of the list of a run that is not finished has sent anything: what the earlier one had left was
 * sent with that, and may be another by now.
 */
export function isOldIssue(view: RunView, { id, state, installation, settings }: RunRow): boolean {
  const list = state === 'finished' ? undefined : listOf({ settings });
  if (list === undefined) return false;
  return view.runs
    .slice(view.runs.findIndex((run) => run.id === id) + 1)
    .filter((later) => listOf(later) === list && isIssue(modeOf(later)))
    .filter((later) => centerKey(later.installation) === centerKey(installation))
    .some((later) => !isIdle(view, later));
}

/** What removes clients that an issue lacks is a part of that issue. */
const isIssue = (mode: RunMode): boolean => isImport(mode) && mode !== 'dequeue';

/** Whether a later run over the same files or content has reversed what a finished one did: it is no longer done. */
export function isReversed(view: RunView, run: RunRow): boolean {
  const reversing = MODE_TRAITS[modeOf(run)].reversedBy;
  return laterRuns(view, run).some((later) => reversing.includes(modeOf(later)));
}

/** Runs over the same files or content that began later and came to their end. */
function laterRuns(
  { runs }: RunView,
  { id, inputs, content, installation }: RunRow,
): RunRow[] {
  const files = filesText(JSON.parse(inputs) as string[]);
  return runs
    .slice(runs.findIndex((run) => run.id === id) + 1)
    .filter((later) => later.inputs === files || later.content === content)
    .filter(({ state }) => state === 'finished' || state === 'open')
    .filter((later) => centerKey(later.installation) === centerKey(installation));
}
