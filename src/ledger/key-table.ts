import { KEY_WORDS } from '../core/prepared.js';
import type { SeenAt } from '../core/seen.js';

/** A hash table of digests in typed arrays: no object a key, so that a hundred thousand cost 5 MB. */
export interface KeyTable {
  size(): number;
  find(keys: Uint32Array, offset: number): SeenAt | null;
  add(keys: Uint32Array, offset: number, input: number, row: number): void;
  /** Every entry in ascending order of the first word of its key. The object is reused from one entry to the next. */
  sorted(): Iterable<TableEntry>;
  clear(): void;
}

export interface TableEntry {
  keys: Uint32Array;
  offset: number;
  input: number;
  row: number;
}

const SLOT_WORDS = KEY_WORDS + 2;
/** 1.3 MB: what most files need, without moving keys as they come. */
const FIRST_SLOTS = 1 << 16;

/** Open addressing with linear probing; at most half of the slots are used. `capacity`: most keys it will hold. */
export function createKeyTable(capacity: number): KeyTable {
  let slots = FIRST_SLOTS;
  let words = new Uint32Array(slots * SLOT_WORDS);
  let size = 0;

  // `input` is stored plus one: zero marks an empty slot.
  const slotOf = (keys: Uint32Array, offset: number): number => {
    let slot = (keys[offset] ?? 0) & (slots - 1);
    for (;;) {
      const at = slot * SLOT_WORDS;
      if (words[at + KEY_WORDS] === 0 || sameKey(words, at, keys, offset)) return at;
      slot = (slot + 1) & (slots - 1);
    }
  };

  const put = (keys: Uint32Array, offset: number, input: number, row: number): void => {
    const at = slotOf(keys, offset);
    for (let word = 0; word < KEY_WORDS; word++) words[at + word] = keys[offset + word] ?? 0;
    words[at + KEY_WORDS] = input;
    words[at + KEY_WORDS + 1] = row;
  };

  const grow = (): void => {
    const old = words;
    slots *= 2;
    words = new Uint32Array(slots * SLOT_WORDS);
    for (let at = 0; at < old.length; at += SLOT_WORDS) {
      const input = old[at + KEY_WORDS] ?? 0;
      if (input !== 0) put(old, at, input, old[at + KEY_WORDS + 1] ?? 0);
    }
  };

  return {
    size: () => size,
    find: (keys, offset) => {
      const at = slotOf(keys, offset);
      const input = words[at + KEY_WORDS] ?? 0;
      return input === 0 ? null : { input: input - 1, row: words[at + KEY_WORDS + 1] ?? 0 };
    },
    add: (keys, offset, input, row) => {
      if (size >= capacity) throw new RangeError('The key table is full.');
      if ((size + 1) * 2 > slots) grow();
      put(keys, offset, input + 1, row);
      size++;
    },
    sorted: () => sortedEntries(words, size),
    clear: () => {
      words.fill(0);
      size = 0;
    },
  };
}

function sameKey(a: Uint32Array, aAt: number, b: Uint32Array, bAt: number): boolean {
  for (let word = 0; word < KEY_WORDS; word++) if (a[aAt + word] !== b[bAt + word]) return false;
  return true;
}

/**
 * Sorts by the first word, with the slot's number behind it in one exact number: numbers in a typed array are sorted
 * without a call a comparison and without garbage.
 */
function* sortedEntries(words: Uint32Array, size: number): Generator<TableEntry, void, undefined> {
  const order = new Float64Array(size);
  const slots = words.length / SLOT_WORDS;
  let used = 0;
  for (let slot = 0; slot < slots; slot++) {
    const at = slot * SLOT_WORDS;
    if (words[at + KEY_WORDS] !== 0) order[used++] = (words[at] ?? 0) * slots + slot;
  }
  order.sort();
  const entry: TableEntry = { keys: words, offset: 0, input: 0, row: 0 };
  for (const number of order) {
    const at = (number % slots) * SLOT_WORDS;
    entry.offset = at;
    entry.input = (words[at + KEY_WORDS] ?? 1) - 1;
    entry.row = words[at + KEY_WORDS + 1] ?? 0;
    yield entry;
  }
}
