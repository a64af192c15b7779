import { LedgerInUseError } from '../../core/errors.js';
import { isUndisputed } from './choose-run.js';
import type { RunRow } from './run-table.js';
import type { RunView } from './run-view.js';

/** Whether a run can be continued: nobody works on it, and it was neither taken back nor overtaken. */
export function canContinue(view: RunView, run: RunRow): boolean {
  if (view.isTaken(run.id)) return false;
  try {
    return isUndisputed(view, run);
  } catch (error) {
    // Somebody takes it back at this moment.
    if (error instanceof LedgerInUseError) return false;
    throw error;
  }
}

/** Id of the latest run that can be continued; one on which somebody works only where there is no other. */
export function latestToResume(view: RunView): string | undefined {
  const open = view.runs.toReversed().filter(isUnfinished);
  const found =
    open.find((run) => canContinue(view, run)) ?? open.find(({ id }) => view.isTaken(id));
  return found?.id;
}

/** Those of these runs that can be continued. Finding it out takes a while: others get their turn. */
export async function resumableRuns(
  view: RunView,
  wanted: readonly string[],
): Promise<ReadonlySet<string>> {
  const ids = new Set(wanted);
  const found = new Set<string>();
  for (const run of view.runs.filter(({ id }) => ids.has(id)).filter(isUnfinished)) {
    if (canContinue(view, run)) found.add(run.id);
    await new Promise(setImmediate);
  }
  return found;
}

const isUnfinished = ({ state }: RunRow): boolean => state !== 'finished';
