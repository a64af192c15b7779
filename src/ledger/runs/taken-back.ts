import { type Fact, type FactKind, foldChunk } from '../../core/facts.js';
import { refuseTaken } from './in-use.js';
import { type RunRow, undoneBy } from './run-table.js';
import type { RunView } from './run-view.js';

/**
 * Whether an undo of the run, or of an earlier run whose rows this one took as they were, has changed anything since.
 * @throws LedgerInUseError when such an undo is under way
 */
export function isTakenBack(view: RunView, { id, relies }: RunRow): boolean {
  const undos = [...undosOf(view, [id]), ...undosOf(view, idsOf(relies), id)];
  for (const undo of undos) refuseTaken(view, undo);
  return undos.some((undo) => hasChanged(view, undo));
}

/** Earlier runs that a run knew of when it began. */
export function idsOf(relies: RunRow['relies']): string[] {
  return relies === null ? [] : (JSON.parse(relies) as string[]);
}

/**
 * Runs that took one of these back, or are about to; `after`: only those that began after this run. The order of runs
 * is that of their places in the table, since clocks may be set back.
 */
export function undosOf(
  { runs }: Pick<RunView, 'runs'>,
  undone: readonly string[],
  after?: string,
): RunRow[] {
  if (undone.length === 0) return [];
  return runs
    .slice(runs.findIndex(({ id }) => id === after) + 1)
    .filter((run) => undone.includes(undoneBy(run) ?? ''));
}

/** Whether an undo has changed anything, or may have. */
export function hasChanged(view: RunView, undo: RunRow): boolean {
  return undo.state === 'finished' || !isIdle(view, undo);
}

/** Ids of the runs that took these back, or a part of them, by the run that was taken back. */
export function undosByRun(view: RunView, undone: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const undo of undosOf(view, undone)) {
    const run = undoneBy(undo);
    if (run === undefined || !hasChanged(view, undo)) continue;
    found.set(run, [...(found.get(run) ?? []), undo.id]);
  }
  return found;
}

/** Facts that leave nothing at the contact center, where each intent was taken back. */
export const HARMLESS: ReadonlySet<FactKind> = new Set([
  'read',
  'duplicates',
  'known',
  'unchanged',
  'creating',
  'not_created',
  'looked_up',
  'changing',
  'not_changed',
  'inspected',
]);

/** Whether a run broke off with nothing at the contact center: every request that it intended surely never left. */
export function isIdle(view: RunView, run: RunRow): boolean {
  const { state, settles_all } = run;
  if (state === 'finished' || state === 'open') return false;
  // What is on record of it is not all that it did.
  if (settles_all === 1 || view.hasLostFacts(run)) return false;
  return view.leavesNothing(run);
}

/** Whether these facts of a chunk leave it open that the contact center has anything of it. */
export function mayHaveArrived(facts: readonly Fact[]): boolean {
  return (
    facts.some(({ kind }) => !HARMLESS.has(kind)) ||
    (foldChunk(facts)?.states.some(({ stage }) => stage === 'creating' || stage === 'changing') ??
      false)
  );
}
