import type { SeenAt } from '../core/seen.js';
import { type KeyFile, createKeyFile } from './key-file.js';
import { ENTRY_WORDS } from './key-table.js';
import { mergedRuns } from './merged-runs.js';

/** Keys in order on the disk, run after run. */
export interface KeyRuns {
  /** Writes entries, in ascending order of their first word, as a new run. */
  add(entries: Uint32Array): void;
  /** Where the key at `offset` was added, if it is in one of the runs. */
  find(keys: Uint32Array, offset: number): SeenAt | null;
  close(): void;
}

/** Runs that are merged into one of the next age, since each of them has to be asked for every new key. */
const MERGED = 4;

/**
 * Bits of the filters for each key, by the age of the runs: the youngest are few, so they may have more. Runs of the
 * last age are not merged: nothing else is done meanwhile, which takes a quarter of a second for two million keys.
 */
const AGES = [16, 12, 8];

/** Runs of each age are in a file of their own. */
export function createKeyRuns(): KeyRuns {
  const files: KeyFile[] = [];
  const append = (age: number, count: number, blocks: Iterable<Uint32Array>): void => {
    const file = (files[age] ??= createKeyFile(AGES[age] ?? 8));
    file.append(count, blocks);
    if (file.runs.length < MERGED || age === AGES.length - 1) return;
    append(
      age + 1,
      file.runs.reduce((sum, { entries }) => sum + entries, 0),
      mergedRuns(file),
    );
    file.clear();
  };
  return {
    add: (entries) => {
      append(0, entries.length / ENTRY_WORDS, [entries]);
    },
    find: (keys, offset) => {
      for (const file of files) {
        const seen = file.find(keys, offset);
        if (seen) return seen;
      }
      return null;
    },
    close: () => {
      for (const file of files) file.close();
    },
  };
}
