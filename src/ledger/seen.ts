import type { SeenKeys } from '../core/seen.js';
import { type KeyRuns, createKeyRuns } from './key-runs.js';
import { createKeyTable } from './key-table.js';

/** Keys kept in memory before they are moved to the disk: about 5 MB, whatever the number of rows. */
const MEMORY_KEYS = 1 << 17;

/**
 * Duplicate keys in flat memory: the newest in a hash table, the older ones in sorted runs in a temporary file, with
 * a Bloom filter before each, so that new keys rarely cost a look at the disk.
 */
export function createSeenKeys(memoryKeys = MEMORY_KEYS): SeenKeys {
  const table = createKeyTable(memoryKeys);
  let older: KeyRuns | undefined;
  return {
    find: (keys, offset) => table.find(keys, offset) ?? older?.find(keys, offset) ?? null,
    add: (keys, offset, input, row) => {
      if (table.size() === memoryKeys) {
        const runs = (older ??= createKeyRuns());
        table.drain((entries) => {
          runs.add(entries);
        });
      }
      table.add(keys, offset, input, row);
    },
    close: () => older?.close(),
  };
}
