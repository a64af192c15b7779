import { KEY_WORDS } from '../core/prepared.js';
import type { SeenAt } from '../core/duplicates.js';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf, TemporaryFileError } from '../core/errors.js';

/** A hash table of digests in typed arrays: no object a key, so that a hundred thousand cost 5 MB. */
interface KeyTable {
  size(): number;
  find(keys: Uint32Array, offset: number): SeenAt | null;
  add(keys: Uint32Array, offset: number, input: number, row: number): void;
  /** Gives every entry, in ascending order of the first word of its key, and empties the table. */
  drain(take: (entries: Uint32Array) => void): void;
}

/** Words of an entry: the key, the number of its input plus one, its row. */
export const ENTRY_WORDS = KEY_WORDS + 2;

/** How many values a word has. */
const WORD_VALUES = 2 ** 32;
/** Few, so that the table has grown before it is compiled: what was never done yet would have to be compiled again. */
const FIRST_SLOTS = 1 << 10;

/**
 * Open addressing with linear probing; at most half of the slots are used. A key belongs into the slot that the first
 * bits of its first word say, so that the entries are all but sorted as they lie. `capacity`: most keys it will hold.
 */
export function createKeyTable(capacity: number): KeyTable {
  let slots = FIRST_SLOTS;
  let words = zeroWords(slots * ENTRY_WORDS);
  let size = 0;

  // `input` is stored plus one: zero marks an empty slot.
  const slotOf = (keys: Uint32Array, offset: number): number => {
    let slot = Math.floor(((keys[offset] ?? 0) / WORD_VALUES) * slots);
    for (;;) {
      const at = slot * ENTRY_WORDS;
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
    words = zeroWords(slots * ENTRY_WORDS);
    for (let at = 0; at < old.length; at += ENTRY_WORDS) {
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
    drain: (take) => {
      const end = pack(words);
      sort(words, end);
      take(words.subarray(0, end));
      words.fill(0);
      size = 0;
    },
  };
}

/**
 * Whether the `KEY_WORDS` words are the same. All are looked at: what hardly ever happens, as that only the first ones
 * are the same, would have to be compiled again once it does.
 */
export function sameKey(a: Uint32Array, aAt: number, b: Uint32Array, bAt: number): boolean {
  const first = (a[aAt] ?? 0) ^ (b[bAt] ?? 0);
  const second = (a[aAt + 1] ?? 0) ^ (b[bAt + 1] ?? 0);
  const third = (a[aAt + 2] ?? 0) ^ (b[bAt + 2] ?? 0);
  return (first | second | third) === 0;
}

/** Moves the entries together, in the order of their slots. Gives where they end. */
function pack(words: Uint32Array): number {
  let end = 0;
  for (let at = 0; at < words.length; at += ENTRY_WORDS) {
    if (words[at + KEY_WORDS] === 0) continue;
    for (let word = 0; word < ENTRY_WORDS; word++) words[end + word] = words[at + word] ?? 0;
    end += ENTRY_WORDS;
  }
  return end;
}

/** By insertion: no entry is far from its place, but for those few that went around the end of the table. */
function sort(words: Uint32Array, end: number): void {
  const entry = new Uint32Array(ENTRY_WORDS);
  for (let at = ENTRY_WORDS; at < end; at += ENTRY_WORDS) {
    const first = words[at] ?? 0;
    let place = at;
    while (place > 0 && (words[place - ENTRY_WORDS] ?? 0) > first) place -= ENTRY_WORDS;
    if (place === at) continue;
    for (let word = 0; word < ENTRY_WORDS; word++) entry[word] = words[at + word] ?? 0;
    words.copyWithin(place + ENTRY_WORDS, place, at);
    words.set(entry, place);
  }
}

/**
 * Words of zero that lie in memory already. What the system has only promised it gives twice, when it is read and when
 * it is written, and each time it interrupts the other processors: of a table that is read before it is written, that
 * takes as long as filling the table.
 */
export function zeroWords(length: number): Uint32Array {
  return new Uint32Array(length).fill(0);
}

/** Words of 32 bits in a temporary file of their own. */
export interface WordFile {
  /** How many words there are. */
  readonly length: number;
  /** @throws TemporaryFileError when the folder of temporary files takes no more */
  append(words: Uint32Array): void;
  /** Reads as many words as there is room for, from this one on. */
  read(from: number, into: Uint32Array): void;
  /** Frees the disk. */
  close(): void;
}

const WORD_BYTES = Uint32Array.BYTES_PER_ELEMENT;

/**
 * A new file without a name: no other process finds it, and it goes when this one does.
 * @throws TemporaryFileError when the folder of temporary files takes none
 */
export function openWordFile(): WordFile {
  const file = openNameless();
  let length = 0;
  return {
    get length() {
      return length;
    },
    append: (words) => {
      writeAll(file, words, length * WORD_BYTES);
      length += words.length;
    },
    read: (from, into) => {
      const read = readSync(file, into, 0, into.byteLength, from * WORD_BYTES);
      if (read < into.byteLength) throw new Error('The temporary file of keys was cut.');
    },
    close: () => {
      closeSync(file);
    },
  };
}

function openNameless(): number {
  const path = join(tmpdir(), `cardline-keys-${randomUUID()}`);
  try {
    const file = openSync(path, 'wx+', 0o600);
    unlinkSync(path);
    return file;
  } catch (error) {
    throw unwritable(error);
  }
}

function writeAll(file: number, words: Uint32Array, position: number): void {
  try {
    for (let written = 0; written < words.byteLength;)
      written += writeSync(file, words, written, words.byteLength - written, position + written);
  } catch (error) {
    throw unwritable(error);
  }
}

function unwritable(cause: unknown): TemporaryFileError {
  const code = codeOf(cause) || 'unknown';
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  const why = isFull ? 'the disk is full' : 'it cannot be written';
  const remedy = isFull ? 'Free some space there, or name' : 'Name';
  return new TemporaryFileError(
    `The folder of temporary files, ${tmpdir()}: ${why} (${code}). ${remedy} another folder with TMPDIR, and run the same command again.`,
    { cause, saysHowToContinue: true },
  );
}
