import type { SeenAt } from '../core/duplicates.js';
import { type KeyRun, createKeyRunWriter } from './key-run.js';
import { ENTRY_WORDS } from './key-table.js';
import { mergedRuns } from './merged-runs.js';

/** Keys in order on the disk, run after run. */
export interface KeyRuns {
  /** Writes entries, in ascending order of their first word, as a new run. */
  add(entries: Uint32Array): void;
  /** Goes on with what is to be merged, by a few thousand entries for each age that waits for it. */
  advance(): void;
  /** Where the key at `offset` was added, if it is in one of the runs. */
  find(keys: Uint32Array, offset: number): SeenAt | null;
  close(): void;
}

/** Runs that are merged into one of the next age, since each of them has to be searched. */
const MERGED = 4;

/** Runs of about the same length, and what the first `MERGED` of them are being merged into. */
interface Age {
  readonly runs: KeyRun[];
  merge: Generator<undefined, KeyRun | null, undefined> | null;
}

export function createKeyRuns(): KeyRuns {
  const ages: Age[] = [];

  const put = (run: KeyRun, number: number): void => {
    const age = (ages[number] ??= { runs: [], merge: null });
    age.runs.push(run);
    beginMerge(age);
  };

  return {
    add: (entries) => {
      const writer = createKeyRunWriter(entries.length / ENTRY_WORDS);
      try {
        writer.write(entries);
      } catch (error) {
        writer.close();
        throw error;
      }
      put(writer.finish(), 0);
    },
    advance: () => {
      for (const [number, age] of ages.entries()) {
        const next = age.merge?.next();
        if (!next?.done || !next.value) continue;
        // The merged run takes their place at once: a key is found in one of them or in it.
        for (const run of age.runs.splice(0, MERGED)) run.close();
        age.merge = null;
        beginMerge(age);
        put(next.value, number + 1);
      }
    },
    find: (keys, offset) => {
      for (const { runs } of ages)
        for (const run of runs) {
          const seen = run.find(keys, offset);
          if (seen) return seen;
        }
      return null;
    },
    close: () => {
      // A merge that is left frees what it wrote.
      for (const { runs, merge } of ages) {
        merge?.return(null);
        for (const run of runs) run.close();
      }
    },
  };
}

function beginMerge(age: Age): void {
  if (!age.merge && age.runs.length >= MERGED) age.merge = mergedRuns(age.runs.slice(0, MERGED));
}
