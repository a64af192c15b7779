import { type RunRow, undoneBy } from './run-table.js';
import type { RunView } from './run-view.js';
import { idsOf } from './taken-back.js';

/**
 * Finished runs that ended before then, in milliseconds since the epoch, and can be forgotten. A run is kept as long as what is on
 * record of another one would mean something else without it: where that is unfinished and relies on it, where it
 * took that back, or came after it over the same files or content.
 */
export function runsToForget(view: RunView, before: number): string[] {
  const { runs } = view;
  const isOld = ({ id, state, ended_at }: RunRow): boolean =>
    state === 'finished' && (ended_at ?? Infinity) < before && !view.isTaken(id);
  return forgettable(runs, new Set(runs.filter(isOld).map(({ id }) => id)));
}

/** Which of the old runs nothing that is kept needs; `runs` in the order in which they began. */
function forgettable(runs: readonly RunRow[], old: Set<string>): string[] {
  for (let size = Infinity; old.size < size;) {
    size = old.size;
    for (const id of neededBy(runs.filter((run) => !old.has(run.id)))) old.delete(id);
    keepFollowers(runs, old);
  }
  return [...old];

  function neededBy(kept: readonly RunRow[]): string[] {
    const ids = new Set(kept.map(({ id }) => id));
    for (const run of kept) for (const id of idsOf(run.relies)) ids.add(id);
    const open = kept.filter(({ state }) => state !== 'finished');
    return [
      ...open.flatMap(({ relies }) => idsOf(relies)),
      ...open.flatMap((run) => undoneBy(run) ?? []),
      // An undo says that what others rely on is not there any more.
      ...runs.filter((run) => ids.has(undoneBy(run) ?? '')).map(({ id }) => id),
    ];
  }
}

/** Of runs over the same files or content, the earlier ones are forgotten first: the last word counts. */
function keepFollowers(runs: readonly RunRow[], old: Set<string>): void {
  const sources = new Set<string>();
  for (const run of runs) {
    const own = [run.content, ...(JSON.parse(run.inputs) as string[])];
    if (old.has(run.id) && own.some((source) => sources.has(source))) old.delete(run.id);
    if (!old.has(run.id)) for (const source of own) sources.add(source);
  }
}
