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

/**
 * Runs that are merged into one, since each of them has to be asked for every new key. More at a time would be fewer in
 * the end, but nothing else is done meanwhile: of a million keys, for a fifth of a second.
 */
const MERGED = 8;

/** The newest runs as they came, and the older ones merged, each kind in a file of its own. */
export function createKeyRuns(): KeyRuns {
  const young = createKeyFile();
  let old: KeyFile | undefined;
  return {
    add: (entries) => {
      young.append(entries.length / ENTRY_WORDS, [entries]);
      if (young.runs.length < MERGED) return;
      old ??= createKeyFile();
      old.append(
        young.runs.reduce((sum, run) => sum + run.entries, 0),
        mergedRuns(young),
      );
      young.clear();
    },
    find: (keys, offset) => young.find(keys, offset) ?? old?.find(keys, offset) ?? null,
    close: () => {
      young.close();
      old?.close();
    },
  };
}
