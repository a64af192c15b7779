import {
  type DuplicateKind,
  type SeenKeys,
  type SeenAt,
  DUPLICATE_KINDS,
  type EarlierRows,
  kindOfKey,
  type LaterRow,
  type LaterRows,
} from '../core/duplicates.js';
import { KEY_WORDS, type PreparedChunk } from '../core/prepared.js';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf, TemporaryFileError } from '../core/errors.js';
import { isDiskFull } from '../files/regular-file.js';

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
  const older = new KeyRuns();
  /** Merging keeps ahead of what it merges: each age goes on by two entries for each one that is added. */
  const stepKeys = Math.max(1, Math.min(BLOCK_ENTRIES >> 1, memoryKeys >> 2));
  // The filter gets its memory with the first run. Before that, everything passes.
  const open = createFilter(1).fill(WORD_VALUES - 1);
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

/** Words of an entry: the key, the number of its input plus one, its row. */
const ENTRY_WORDS = KEY_WORDS + 2;

/** Few, so that the table has grown before it is compiled: what was never done yet would have to be compiled again. */
const FIRST_SLOTS = 1 << 10;

/**
 * A hash table of digests in typed arrays: no object a key, so that a hundred thousand cost 5 MB. Open addressing with
 * linear probing; at most half of the slots are used. A key belongs into the slot that the first bits of its first word
 * say, so that the entries are all but sorted as they lie. `capacity`: most keys it will hold.
 */
function createKeyTable(capacity: number) {
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
    size: (): number => size,
    find: (keys: Uint32Array, offset: number): SeenAt | null => {
      const at = slotOf(keys, offset);
      const input = words[at + KEY_WORDS] ?? 0;
      return input === 0 ? null : { input: input - 1, row: words[at + KEY_WORDS + 1] ?? 0 };
    },
    add: (keys: Uint32Array, offset: number, input: number, row: number): void => {
      if (size >= capacity) throw new RangeError('The key table is full.');
      if ((size + 1) * 2 > slots) grow();
      put(keys, offset, input + 1, row);
      size++;
    },
    /** Gives every entry, in ascending order of the first word of its key, and empties the table. */
    drain: (take: (entries: Uint32Array) => void): void => {
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
function sameKey(a: Uint32Array, aAt: number, b: Uint32Array, bAt: number): boolean {
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

/**
 * A Bloom filter in blocks: all bits of a key lie in one line of the processor's cache, since bits all over the filter
 * are waited for, one after the other.
 */
const BLOCK_WORDS = 16;
const BLOCK_BYTES = BLOCK_WORDS * Uint32Array.BYTES_PER_ELEMENT;

/** How many values a word has. */
const WORD_VALUES = 2 ** 32;

/**
 * A filter of so many bytes, a multiple of `BLOCK_BYTES`. Of 16 bits a key, a key that is not there passes once in
 * eight hundred; of 8, once in forty; of 4, once in five.
 */
const createFilter = (bytes: number): Uint32Array =>
  zeroWords(Math.ceil(bytes / BLOCK_BYTES) * BLOCK_WORDS);

/**
 * Whether a key may have been noted; `false` is sure. All bits are looked at: what is not done while the filter is
 * empty would have to be compiled again once it is not.
 */
function mayHold(filter: Uint32Array, keys: Uint32Array, offset: number): boolean {
  const block = blockOf(filter, keys, offset);
  const second = bitsOf(filter, block, keys[offset + 1] ?? 0);
  return (second & bitsOf(filter, block, keys[offset] ?? 0)) === 1;
}

function note(filter: Uint32Array, keys: Uint32Array, offset: number): void {
  const block = blockOf(filter, keys, offset);
  setBits(filter, block, keys[offset + 1] ?? 0);
  setBits(filter, block, keys[offset] ?? 0);
}

/** Words of a key are digests already: its last one selects the block, the others three bits each. */
function blockOf(filter: Uint32Array, keys: Uint32Array, offset: number): number {
  const blocks = filter.length / BLOCK_WORDS;
  return Math.floor(((keys[offset + 2] ?? 0) / WORD_VALUES) * blocks) * BLOCK_WORDS;
}

/** 1 where all bits of a word are set. */
function bitsOf(filter: Uint32Array, block: number, word: number): number {
  return (
    bitOf(filter, block, word) &
    bitOf(filter, block, word >>> 9) &
    bitOf(filter, block, word >>> 18)
  );
}

function setBits(filter: Uint32Array, block: number, word: number): void {
  setBit(filter, block, word);
  setBit(filter, block, word >>> 9);
  setBit(filter, block, word >>> 18);
}

/** The lowest five bits of `place` tell the bit, the next four the word of the block. */
function bitOf(filter: Uint32Array, block: number, place: number): number {
  return ((filter[block + ((place >>> 5) % BLOCK_WORDS)] ?? 0) >>> (place & 31)) & 1;
}

function setBit(filter: Uint32Array, block: number, place: number): void {
  const at = block + ((place >>> 5) % BLOCK_WORDS);
  filter[at] = (filter[at] ?? 0) | (1 << (place & 31));
}

/** Runs that are merged into one of the next age, since each of them has to be searched. */
const MERGED = 4;

/** Runs of about the same length, and what the first `MERGED` of them are being merged into. */
interface Age {
  readonly runs: KeyRun[];
  merge: Generator<undefined, KeyRun | null, undefined> | null;
}

/** Keys in order on the disk, run after run. */
class KeyRuns {
  readonly #ages: Age[] = [];

  /** Writes entries, in ascending order of their first word, as a new run. */
  add(entries: Uint32Array): void {
    const run = new KeyRun(entries.length / ENTRY_WORDS);
    try {
      run.write(entries);
    } catch (error) {
      run.close();
      throw error;
    }
    this.#put(run, 0);
  }

  #put(run: KeyRun, number: number): void {
    const age = (this.#ages[number] ??= { runs: [], merge: null });
    age.runs.push(run);
    beginMerge(age);
  }

  /** Goes on with what is to be merged, by a few thousand entries for each age that waits for it. */
  advance(): void {
    for (const [number, age] of this.#ages.entries()) {
      const next = age.merge?.next();
      if (!next?.done || !next.value) continue;
      // The merged run takes their place at once: a key is found in one of them or in it.
      for (const run of age.runs.splice(0, MERGED)) run.close();
      age.merge = null;
      beginMerge(age);
      this.#put(next.value, number + 1);
    }
  }

  find(keys: Uint32Array, offset: number): SeenAt | null {
    for (const { runs } of this.#ages)
      for (const run of runs) {
        const seen = run.find(keys, offset);
        if (seen) return seen;
      }
    return null;
  }

  close(): void {
    // A merge that is left frees what it wrote.
    for (const { runs, merge } of this.#ages) {
      merge?.return(null);
      for (const run of runs) run.close();
    }
  }
}

function beginMerge(age: Age): void {
  if (!age.merge && age.runs.length >= MERGED) age.merge = mergedRuns(age.runs.slice(0, MERGED));
}

/** Entries of a block: what is written to the disk at a time, 80 KiB. */
const BLOCK_ENTRIES = 4096;
/** It is filled and written within one step, so that one is enough for all merges. */
const block = new Uint32Array(BLOCK_ENTRIES * ENTRY_WORDS);

/**
 * Makes one run of several, a block at a step, so that nothing has to wait for all of it. The runs stay as they are;
 * what was written is freed if the merge is left before its end.
 */
function* mergedRuns(runs: readonly KeyRun[]): Generator<undefined, KeyRun | null, undefined> {
  const merged = new KeyRun(runs.reduce((sum, { entries }) => sum + entries, 0));
  let isWhole = false;
  try {
    const readers = runs.map((run) => new RunReader(run));
    while (!isWhole) {
      let end = 0;
      while (end < block.length && !isWhole) {
        const next = readers.reduce((one, other) => (other.first < one.first ? other : one));
        if (next.first < Infinity) end = next.moveTo(block, end);
        else isWhole = true;
      }
      merged.write(block.subarray(0, end));
      if (!isWhole) yield;
    }
    return merged;
  } finally {
    if (!isWhole) merged.close();
  }
}

/** Entries that are read at a time: 5 KiB, of which a search needs one or, rarely, two. */
const PAGE_ENTRIES = 256;

const PAGE_WORDS = PAGE_ENTRIES * ENTRY_WORDS;

class RunReader {
  /** First word of the entry that comes next; infinity behind the last one. */
  first = 0;
  readonly #page = new Uint32Array(PAGE_WORDS);
  #pages = 0;
  #at = 0;
  #end = 0;

  constructor(private readonly run: KeyRun) {
    this.#advance();
  }

  /** Copies the entry that comes next to a place of `block`, and gives the place behind it. */
  moveTo(block: Uint32Array, place: number): number {
    for (let word = 0; word < ENTRY_WORDS; word++)
      block[place + word] = this.#page[this.#at + word] ?? 0;
    this.#at += ENTRY_WORDS;
    this.#advance();
    return place + ENTRY_WORDS;
  }

  #advance(): void {
    if (this.#at === this.#end) {
      this.#end = this.run.readPage(this.#pages++, this.#page);
      this.#at = 0;
    }
    this.first = this.#end === 0 ? Infinity : (this.#page[this.#at] ?? 0);
  }
}

/** What searches read into; they are over before the next one begins. */
const found = new Uint32Array(PAGE_WORDS);

/**
 * Keys in ascending order of their first word, in a temporary file of their own.
 * @throws TemporaryFileError, from `write` as well, when the folder of temporary files takes no more
 */
class KeyRun {
  readonly #file = new WordFile();
  /** First word of the first entry of each page. */
  readonly #firsts: Uint32Array;

  constructor(readonly entries: number) {
    this.#firsts = new Uint32Array(Math.ceil(entries / PAGE_ENTRIES));
  }

  /** Appends entries, which come in order. */
  write(entries: Uint32Array): void {
    const { length: words } = this.#file;
    const pastPage = words % PAGE_WORDS;
    for (let at = pastPage && PAGE_WORDS - pastPage; at < entries.length; at += PAGE_WORDS)
      this.#firsts[(words + at) / PAGE_WORDS] = entries[at] ?? 0;
    this.#file.append(entries);
  }

  /** Reads a page, from 0 on; gives how many words of `page` it has: none behind the last one. */
  readPage(number: number, page: Uint32Array): number {
    const words = Math.min(PAGE_WORDS, (this.entries - number * PAGE_ENTRIES) * ENTRY_WORDS);
    if (words <= 0) return 0;
    this.#file.read(number * PAGE_WORDS, words === PAGE_WORDS ? page : page.subarray(0, words));
    return words;
  }

  /** Where the key at `offset` was added, if it is in the run. */
  find(keys: Uint32Array, offset: number): SeenAt | null {
    const first = keys[offset] ?? 0;
    for (let at = pageBefore(this.#firsts, first); at < this.#firsts.length; at++) {
      if ((this.#firsts[at] ?? 0) > first) break;
      const words = this.readPage(at, found);
      for (let entry = 0; entry < words; entry += ENTRY_WORDS)
        if (sameKey(found, entry, keys, offset))
          return {
            input: (found[entry + KEY_WORDS] ?? 1) - 1,
            row: found[entry + KEY_WORDS + 1] ?? 0,
          };
    }
    return null;
  }

  /** Frees the disk. */
  close(): void {
    this.#file.close();
  }
}

/** The first page that may hold an entry with this first word. */
function pageBefore(firsts: Uint32Array, first: number): number {
  let [low, high] = [0, firsts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((firsts[middle] ?? 0) < first) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

const WORD_BYTES = Uint32Array.BYTES_PER_ELEMENT;

/**
 * Words of 32 bits in a temporary file without a name: no other process finds it, and it goes when this one does.
 * Making one and appending to it throw a TemporaryFileError when the folder of temporary files takes no more.
 */
export class WordFile {
  readonly #file = openNameless();
  /** How many words there are. */
  length = 0;

  append(words: Uint32Array): void {
    const position = this.length * WORD_BYTES;
    try {
      for (let written = 0; written < words.byteLength;) {
        const left = words.byteLength - written;
        written += writeSync(this.#file, words, written, left, position + written);
      }
    } catch (error) {
      throw unwritable(error);
    }
    this.length += words.length;
  }

  /** Reads as many words as there is room for, from this one on. */
  read(from: number, into: Uint32Array): void {
    const read = readSync(this.#file, into, 0, into.byteLength, from * WORD_BYTES);
    if (read < into.byteLength) throw new Error('The temporary file of keys was cut.');
  }

  /** Frees the disk. */
  close(): void {
    closeSync(this.#file);
  }
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

function unwritable(cause: unknown): TemporaryFileError {
  const isFull = isDiskFull(cause);
  const why = isFull ? 'the disk is full' : 'it cannot be written';
  const remedy = isFull ? 'Free some space there, or name' : 'Name';
  return new TemporaryFileError(
    `The folder of temporary files, ${tmpdir()}: ${why} (${codeOf(cause) || 'unknown'}). ${remedy} another folder with TMPDIR, and run the same command again.`,
    { cause, saysHowToContinue: true },
  );
}

/**
 * Finds out which rows give way to later ones. Memory does not grow with the rows: their keys are kept on the disk.
 * @param by what is compared
 * @param earlier rows of earlier runs: those that share something with them are held back, and no row gives way to one
 */
export function searchLaterRows(
  by: readonly DuplicateKind[],
  earlier: EarlierRows | undefined,
  seen: SeenKeys = seenKeysOf(by),
) {
  const file = new WordFile();
  const starts: number[] = [];
  return {
    /** The chunks in their order. */
    add: ({ input, clients }: Pick<PreparedChunk, 'input' | 'clients'>): void => {
      const { at, rows, keyEnds, keys } = clients;
      starts.push(file.length);
      file.append(Uint32Array.of(input, at.length, keys.length));
      for (const words of [at, rows, keyEnds, keys]) file.append(words);
    },
    /**
     * Goes through the rows as if the file began with its last one: of those with a key the last one goes, and one that is
     * held back leaves no keys. Others have their turn in between.
     */
    decide: async (signal?: AbortSignal): Promise<LaterRows> => {
      const decided = createDecisions();
      try {
        for (let number = starts.length - 1; number >= 0; number--) {
          signal?.throwIfAborted();
          const chunk = readChunk(file, starts[number] ?? 0);
          decided.add(number, decideChunk(chunk, by, earlier, seen));
          await new Promise(setImmediate);
        }
        return decided;
      } catch (error) {
        decided.close();
        throw error;
      }
    },
    /** Frees the disk. */
    close: (): void => {
      file.close();
      seen.close();
    },
  };
}

const HEAD_WORDS = 3;

function readChunk(file: WordFile, start: number) {
  const head = new Uint32Array(HEAD_WORDS);
  file.read(start, head);
  const [input = 0, clients = 0, keyWords = 0] = head;
  const words = new Uint32Array(3 * clients + keyWords);
  file.read(start + HEAD_WORDS, words);
  return {
    input,
    at: words.subarray(0, clients),
    rows: words.subarray(clients, 2 * clients),
    keyEnds: words.subarray(2 * clients, 3 * clients),
    keys: words.subarray(3 * clients),
  };
}

/** A row that gives way, and the one to which it does, as words: its position, then input, row and kind. */
const DECISION_WORDS = 4;

function decideChunk(
  { input, at, rows, keyEnds, keys }: ReturnType<typeof readChunk>,
  by: readonly DuplicateKind[],
  earlier: EarlierRows | undefined,
  seen: SeenKeys,
): number[] {
  const decisions: number[] = [];
  for (let index = at.length - 1; index >= 0; index--) {
    const from = index === 0 ? 0 : (keyEnds[index - 1] ?? 0);
    const to = keyEnds[index] ?? 0;
    if (earlier?.find(keys, from, to)) continue;
    const later = firstSeen(keys, from, to, by, seen);
    if (later)
      decisions.push(at[index] ?? 0, later.input, later.row, DUPLICATE_KINDS.indexOf(later.kind));
    else
      for (let key = from; key < to; key++) {
        const offset = key * KEY_WORDS;
        if (by.includes(kindOfKey(keys, offset)) && !seen.find(keys, offset))
          seen.add(keys, offset, input, rows[index] ?? 0);
      }
  }
  return decisions;
}

function firstSeen(
  keys: Uint32Array,
  from: number,
  to: number,
  by: readonly DuplicateKind[],
  seen: SeenKeys,
): LaterRow | null {
  for (let key = from; key < to; key++) {
    const kind = kindOfKey(keys, key * KEY_WORDS);
    const found = by.includes(kind) ? seen.find(keys, key * KEY_WORDS) : null;
    if (found) return { kind, ...found };
  }
  return null;
}

const NONE: ReadonlyMap<number, LaterRow> = new Map();

/** What was decided of each chunk, on the disk. */
function createDecisions(): LaterRows & { add(number: number, decisions: number[]): void } {
  const file = new WordFile();
  const places = new Map<number, readonly [start: number, words: number]>();
  return {
    add: (number, decisions) => {
      if (decisions.length === 0) return;
      places.set(number, [file.length, decisions.length]);
      file.append(Uint32Array.from(decisions));
    },
    ofChunk: (number) => {
      const [start, length] = places.get(number) ?? [0, 0];
      if (length === 0) return NONE;
      const words = new Uint32Array(length);
      file.read(start, words);
      const rows = new Map<number, LaterRow>();
      for (let word = 0; word < length; word += DECISION_WORDS) {
        const [at = 0, input = 0, row = 0, kind = 0] = words.subarray(word, word + DECISION_WORDS);
        rows.set(at, { input, row, kind: DUPLICATE_KINDS[kind] ?? 'sync' });
      }
      return rows;
    },
    close: () => {
      file.close();
    },
  };
}
