import Database, { type Statement } from 'better-sqlite3';
import { KEY_WORDS } from '../core/prepared.js';
import type { SeenAt, SeenKeys } from '../core/seen.js';
import { type KeyTable, createKeyTable } from './key-table.js';

/** Keys kept in memory before they are moved to the disk: about 5 MB, whatever the number of rows. */
const MEMORY_KEYS = 1 << 17;
/** Bits of a Bloom filter for one key: one false look at the disk in a hundred. */
const BLOOM_BITS = 10;
const BLOOM_PROBES = 7;

/**
 * Duplicate keys in flat memory: the newest in a hash table, the older ones in a temporary database that ends with
 * the process, with a Bloom filter before it, so that new keys rarely cost a look at the disk.
 */
export function createSeenKeys(memoryKeys = MEMORY_KEYS): SeenKeys {
  const table = createKeyTable(memoryKeys);
  let older: OlderKeys | undefined;
  return {
    find: (keys, offset) => table.find(keys, offset) ?? older?.find(keys, offset) ?? null,
    add: (keys, offset, input, row) => {
      if (table.size() === memoryKeys) {
        older ??= createOlderKeys();
        older.take(table);
      }
      table.add(keys, offset, input, row);
    },
    close: () => older?.close(),
  };
}

interface OlderKeys {
  find(keys: Uint32Array, offset: number): SeenAt | null;
  take(table: KeyTable): void;
  close(): void;
}

/** Keys on the disk behind a Bloom filter. */
interface Shelf {
  readonly filter: Uint32Array;
  /** How many keys may still be put there. */
  room: number;
  readonly insert: Statement<[number, number, number, number]>;
  readonly select: Statement<[number, number], SeenAt>;
}

function createOlderKeys(): OlderKeys {
  // An empty name is SQLite's private on-disk database: deleted when closed, or when the process dies.
  const database = new Database('');
  database.pragma('journal_mode = OFF');
  database.pragma('cache_size = -2048');
  const shelves: Shelf[] = [];
  let total = 0;
  /** The newest shelf if it has room for so many keys, or a new one for as many as there are on all others. */
  const shelfFor = (size: number): Shelf => {
    const newest = shelves.at(-1);
    if (newest && newest.room >= size) return newest;
    const shelf = createShelf(database, shelves.length, Math.max(size, total));
    shelves.push(shelf);
    return shelf;
  };
  return {
    find: (keys, offset) => {
      for (const { filter, select } of shelves)
        if (mayHold(filter, keys, offset)) {
          const found = select.get(high(keys, offset), keys[offset + 2] ?? 0);
          if (found) return found;
        }
      return null;
    },
    take: (table) => {
      const shelf = shelfFor(table.size());
      database.transaction(() => {
        for (const { keys, offset, input, row } of table.sorted()) {
          note(shelf.filter, keys, offset);
          shelf.insert.run(high(keys, offset), keys[offset + 2] ?? 0, input, row);
        }
      })();
      shelf.room -= table.size();
      total += table.size();
      table.clear();
    },
    close: () => {
      database.close();
    },
  };
}

/** Each shelf has a table of its own: keys that are put into a large one touch all of its pages. */
function createShelf(database: Database.Database, number: number, capacity: number): Shelf {
  const table = `seen_${number}`;
  database.exec(
    `CREATE TABLE ${table} (k INTEGER, l INTEGER, input INTEGER, row INTEGER, PRIMARY KEY (k, l)) WITHOUT ROWID`,
  );
  return {
    filter: new Uint32Array(Math.ceil((capacity * BLOOM_BITS) / 32)),
    room: capacity,
    insert: database.prepare(`INSERT INTO ${table} (k, l, input, row) VALUES (?, ?, ?, ?)`),
    select: database.prepare(`SELECT input, row FROM ${table} WHERE k = ? AND l = ?`),
  };
}

/** The first 53 bits of a key as one exact number; the last word stands beside it. */
function high(keys: Uint32Array, offset: number): number {
  return (keys[offset] ?? 0) * 0x200000 + ((keys[offset + 1] ?? 0) >>> 11);
}

function mayHold(filter: Uint32Array, keys: Uint32Array, offset: number): boolean {
  const bits = filter.length * 32;
  for (let probe = 0; probe < BLOOM_PROBES; probe++) {
    const bit = bloomBit(keys, offset, probe, bits);
    if (((filter[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false;
  }
  return true;
}

function note(filter: Uint32Array, keys: Uint32Array, offset: number): void {
  const bits = filter.length * 32;
  for (let probe = 0; probe < BLOOM_PROBES; probe++) {
    const bit = bloomBit(keys, offset, probe, bits);
    filter[bit >>> 5] = (filter[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }
}

/** Double hashing with words that are digests already. */
function bloomBit(keys: Uint32Array, offset: number, probe: number, bits: number): number {
  const step = (keys[offset + KEY_WORDS - 1] ?? 0) | 1;
  return (((keys[offset + 1] ?? 0) + Math.imul(probe, step)) >>> 0) % bits;
}
