import { isOldIssue } from './later-runs.js';
import { type RunRow, listOf, modeOf, undoneBy } from './run-table.js';
import type { RunView } from './run-view.js';
import { idsOf } from './taken-back.js';

/**
 * Finished runs that ended before then, in milliseconds since the epoch, and can be forgotten, and those of old lists that
 * nobody can continue. A run is kept as long as what is on record of another one would mean something else without it:
 * where that is unfinished and relies on it, where it took that back, or came after it over the same files, content or
 * list.
 */
export function runsToForget(view: RunView, before: number): string[] {
  const { runs } = view;
  const over = runs.filter((run) => run.state === 'finished' || isOldIssue(view, run));
  const isOld = ({ id, ended_at, opened_at }: RunRow): boolean =>
    (ended_at ?? opened_at) < before && !view.isTaken(id);
  const isOver = new Set(over.map(({ id }) => id));
  return forgettable(runs, isOver, new Set(over.filter(isOld).map(({ id }) => id)));
}

/** Which of the old runs nothing that is kept needs; `runs` in the order in which they began. */
function forgettable(
  runs: readonly RunRow[],
  isOver: ReadonlySet<string>,
  old: Set<string>,
): string[] {
  for (let size = Infinity; old.size < size;) {
    size = old.size;
    for (const id of neededBy(runs.filter((run) => !old.has(run.id)))) old.delete(id);
    keepFollowers(runs, old);
  }
  return [...old];

  function neededBy(kept: readonly RunRow[]): string[] {
    const ids = new Set(kept.map(({ id }) => id));
    for (const run of kept) for (const id of idsOf(run.relies)) ids.add(id);
    const open = kept.filter(({ id }) => !isOver.has(id));
    return [
      ...open.flatMap(({ relies }) => idsOf(relies)),
      ...open.flatMap((run) => undoneBy(run) ?? []),
      // An undo says that what others rely on is not there any more.
      ...runs.filter((run) => ids.has(undoneBy(run) ?? '')).map(({ id }) => id),
    ];
  }
}

/** Of runs over the same files, content or list, the earlier ones are forgotten first: the last word counts. */
function keepFollowers(runs: readonly RunRow[], old: Set<string>): void {
  const sources = new Set<string>();
  for (const run of runs) {
    const list = listOf(run);
    const own = [run.content, ...(JSON.parse(run.inputs) as string[])];
    if (list !== undefined) own.push(`list ${list}`);
    const follows = removesClients(run) ? [...own, ANY_LIST] : own;
    if (old.has(run.id) && follows.some((source) => sources.has(source))) old.delete(run.id);
    if (old.has(run.id)) continue;
    for (const source of own) sources.add(source);
    if (list !== undefined) sources.add(ANY_LIST);
  }
}

/** What removes clients has a word on those of all lists. */
const removesClients = (run: RunRow): boolean => ['delete', 'dequeue'].includes(modeOf(run));

const ANY_LIST = '*';
