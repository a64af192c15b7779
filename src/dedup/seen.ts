import type { SeenKeys } from '../core/duplicates/seen.js';
import { createFilter, mayHold, note } from './bloom.js';
import { type KeyRuns, createKeyRuns } from './key-runs.js';
import { ENTRY_WORDS, createKeyTable } from './key-table.js';
import { BLOCK_ENTRIES } from './merged-runs.js';

/** Keys kept in memory before they are moved to the disk: about 5 MB, whatever the number of rows. */
const MEMORY_KEYS = 1 << 17;

/**
 * Length of the filter before the runs, in bytes. It does not grow with them: of ten million keys, one new key in a
 * hundred passes and is searched on the disk; of twenty million one in eight, of sixty million nearly all.
 */
const FILTER_BYTES = 12 << 20;

/**
 * Duplicate keys in flat memory: the newest in a hash table, the older ones in sorted runs on the disk, behind a Bloom
 * filter, so that a new key hardly ever costs more than a look at either. Most imports never need what is older.
 */
export function createSeenKeys(memoryKeys = MEMORY_KEYS, filterBytes = FILTER_BYTES): SeenKeys {
  const table = createKeyTable(memoryKeys);
  /** Merging keeps ahead of what it merges: each age goes on by two entries for each one that is added. */
  const stepKeys = Math.max(1, Math.min(BLOCK_ENTRIES >> 1, memoryKeys >> 2));
  const older = createOlderKeys(filterBytes);
  return {
    find: (keys, offset) => table.find(keys, offset) ?? older.find(keys, offset),
    add: (keys, offset, input, row) => {
      if (table.size() === memoryKeys) {
        table.drain((entries) => {
          older.add(entries);
        });
      } else if (table.size() % stepKeys === 0) older.advance();
      table.add(keys, offset, input, row);
    },
    close: () => {
      older.close();
    },
  };
}

/** Runs behind the filter, which gets its memory with the first run. An empty one before that is asked likewise. */
function createOlderKeys(filterBytes: number): KeyRuns {
  const runs = createKeyRuns();
  const none = createFilter(1);
  let filter = none;
  return {
    ...runs,
    add: (entries) => {
      if (filter === none) filter = createFilter(filterBytes);
      runs.add(entries);
      for (let at = 0; at < entries.length; at += ENTRY_WORDS) note(filter, entries, at);
    },
    find: (keys, offset) => (mayHold(filter, keys, offset) ? runs.find(keys, offset) : null),
  };
}
