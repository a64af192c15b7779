import type { DuplicateKind, SeenKeys } from '../core/duplicates.js';
import { createFilter, mayHold, note, openFilter } from './bloom.js';
import { createKeyRuns } from './key-runs.js';
import { ENTRY_WORDS, createKeyTable } from './key-table.js';
import { BLOCK_ENTRIES } from './merged-runs.js';

/** Keys kept in memory before they are moved to the disk: about 5 MB, whatever the number of rows. */
const MEMORY_KEYS = 1 << 17;

/**
 * Length of the filter before all keys, in bytes. It does not grow with them: of ten million keys, one new key in a
 * hundred passes and is searched on the disk; of twenty million one in eight, of sixty million nearly all.
 */
const FILTER_BYTES = 12 << 20;

/** The same where rows have several phones: of thirty million keys, one in fifty passes. */
const PHONES_FILTER_BYTES = 32 << 20;

/** Room for the keys of rows that are compared by these. */
export const seenKeysOf = (by: readonly DuplicateKind[]): SeenKeys =>
  createSeenKeys(MEMORY_KEYS, by.includes('phone') ? PHONES_FILTER_BYTES : FILTER_BYTES);

/**
 * Duplicate keys in flat memory: the newest in a hash table, the older ones in sorted runs on the disk. A Bloom filter
 * stands before both as soon as there are runs, so that a new key hardly ever costs more than a look at that. Most imports
 * never need what is older.
 */
export function createSeenKeys(memoryKeys = MEMORY_KEYS, filterBytes = FILTER_BYTES): SeenKeys {
  const table = createKeyTable(memoryKeys);
  const older = createKeyRuns();
  /** Merging keeps ahead of what it merges: each age goes on by two entries for each one that is added. */
  const stepKeys = Math.max(1, Math.min(BLOCK_ENTRIES >> 1, memoryKeys >> 2));
  // The filter gets its memory with the first run. Before that, everything passes.
  const open = openFilter();
  let filter = open;
  const moveOut = (entries: Uint32Array): void => {
    older.add(entries);
    if (filter !== open) return;
    filter = createFilter(filterBytes);
    for (let at = 0; at < entries.length; at += ENTRY_WORDS) note(filter, entries, at);
  };
  return {
    find: (keys, offset) =>
      mayHold(filter, keys, offset) ? (table.find(keys, offset) ?? older.find(keys, offset)) : null,
    add: (keys, offset, input, row) => {
      if (table.size() === memoryKeys) table.drain(moveOut);
      else if (table.size() % stepKeys === 0) older.advance();
      // Right after it was looked up there, the filter's line is at hand.
      note(filter, keys, offset);
      table.add(keys, offset, input, row);
    },
    close: () => {
      older.close();
    },
  };
}
