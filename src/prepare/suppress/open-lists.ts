import { UsageError } from '../../core/errors.js';
import type { Installation } from '../../installation/installation.js';
import { Suppression } from '../../quality/suppression.js';
import { type OpenList, openList } from './open-list.js';

/** Memory for the filters of all lists, in all threads, in bytes. */
const FILTER_BYTES = 64 * 1024 ** 2;

/** The lists of an installation that are open. */
export interface OpenLists {
  readonly suppression: Suppression;
  /** What is to be said of them, for the person. */
  readonly warnings: readonly string[];
  close(): void;
}

/**
 * Opens the lists of numbers that must not be called; those that were not compiled, or have changed since, are compiled.
 * @param threads that have them open at the same time
 * @throws UsageError with everything that is wrong with any of them: nothing may be sent then
 */
export async function openLists(
  specs: NonNullable<Installation['suppress']>,
  threads: number,
  now: number,
): Promise<OpenLists> {
  const maxFilter = FILTER_BYTES / (specs.length * threads);
  const opened: OpenList[] = [];
  const mistakes: string[] = [];
  for (const spec of specs) {
    try {
      opened.push(await openList(spec, maxFilter, now));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      mistakes.push(error.message);
    }
  }
  const close = (): void => {
    for (const { list } of opened) list.close();
  };
  mistakes.push(...opened.flatMap((one) => one.mistakes));
  if (mistakes.length > 0) {
    close();
    throw new UsageError(`${mistakes.join('\n')}\nNothing was sent.`);
  }
  const lists = opened.map(({ spec: { name, scope }, list }) => ({
    ...{ name, scope },
    has: (number: number) => list.has(number),
  }));
  return {
    suppression: new Suppression(lists),
    warnings: opened.flatMap((one) => one.warnings),
    close,
  };
}
