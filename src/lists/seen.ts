import type { DuplicateKind, SeenKeys, SeenAt } from '../core/duplicates.js';
import {
  ENTRY_WORDS,
  createKeyTable,
  sameKey,
  zeroWords,
  type WordFile,
  openWordFile,
} from './key-table.js';
import { KEY_WORDS } from '../core/prepared.js';

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
function createFilter(bytes: number): Uint32Array {
  return zeroWords(Math.ceil(bytes / BLOCK_BYTES) * BLOCK_WORDS);
}

/** A filter that everything passes. */
function openFilter(): Uint32Array {
  return createFilter(1).fill(WORD_VALUES - 1);
}

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

/** Keys in order on the disk, run after run. */
interface KeyRuns {
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

function createKeyRuns(): KeyRuns {
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

/** Entries of a block: what is written to the disk at a time, 80 KiB. */
const BLOCK_ENTRIES = 4096;
const RUN_BLOCK_WORDS = BLOCK_ENTRIES * ENTRY_WORDS;
/** It is filled and written within one step, so that one is enough for all merges. */
const block = new Uint32Array(RUN_BLOCK_WORDS);

/**
 * Makes one run of several, a block at a step, so that nothing has to wait for all of it. The runs stay as they are;
 * what was written is freed if the merge is left before its end.
 */
function* mergedRuns(runs: readonly KeyRun[]): Generator<undefined, KeyRun | null, undefined> {
  const writer = createKeyRunWriter(runs.reduce((sum, { entries }) => sum + entries, 0));
  let merged: KeyRun | undefined;
  try {
    for (const block of inOrder(runs)) {
      writer.write(block);
      yield;
    }
    merged = writer.finish();
    return merged;
  } finally {
    if (!merged) writer.close();
  }
}

/** All entries in ascending order of their first word, in blocks that are used again for the next. */
function* inOrder(runs: readonly KeyRun[]): Generator<Uint32Array, void, undefined> {
  const open = runs.map((run) => new RunReader(run)).filter((run) => !run.isAtEnd);
  let end = 0;
  for (let smallest = smallestOf(open); smallest; smallest = smallestOf(open)) {
    end = smallest.moveTo(block, end);
    if (smallest.isAtEnd) open.splice(open.indexOf(smallest), 1);
    if (end < RUN_BLOCK_WORDS) continue;
    yield block;
    end = 0;
  }
  if (end > 0) yield block.subarray(0, end);
}

function smallestOf(open: readonly RunReader[]): RunReader | undefined {
  let smallest: RunReader | undefined;
  for (const run of open) if (!smallest || run.first < smallest.first) smallest = run;
  return smallest;
}

/** Entries that are read at a time: 5 KiB, of which a search needs one or, rarely, two. */
const PAGE_ENTRIES = 256;

const PAGE_WORDS = PAGE_ENTRIES * ENTRY_WORDS;

/** Reads a run from its beginning, entry by entry. */
class RunReader {
  /** First word of the entry that comes next. */
  first = 0;
  isAtEnd = false;
  readonly #run: KeyRun;
  readonly #page = new Uint32Array(PAGE_WORDS);
  #pages = 0;
  #at = 0;
  #end = 0;

  constructor(run: KeyRun) {
    this.#run = run;
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
      this.#end = this.#run.readPage(this.#pages++, this.#page);
      this.#at = 0;
      this.isAtEnd = this.#end === 0;
    }
    this.first = this.#page[this.#at] ?? 0;
  }
}

/** Keys in ascending order of their first word, in a temporary file of their own. */
interface KeyRun {
  readonly entries: number;
  /** Reads a page, from 0 on; gives how many words of `page` it has: none behind the last one. */
  readPage(number: number, page: Uint32Array): number;
  /** Where the key at `offset` was added, if it is in the run. */
  find(keys: Uint32Array, offset: number): SeenAt | null;
  /** Frees the disk. */
  close(): void;
}

/** A run that is being written. */
interface KeyRunWriter {
  /** Appends entries, which come in order. */
  write(entries: Uint32Array): void;
  finish(): KeyRun;
  /** Frees the disk of what was written so far. */
  close(): void;
}

/** What searches read into; they are over before the next one begins. */
const found = new Uint32Array(PAGE_WORDS);

/**
 * A run of so many entries.
 * @throws TemporaryFileError, from `write` as well, when the folder of temporary files takes no more
 */
function createKeyRunWriter(entries: number): KeyRunWriter {
  const file = openWordFile();
  /** First word of the first entry of each page. */
  const firsts = new Uint32Array(Math.ceil(entries / PAGE_ENTRIES));
  return {
    write: (block) => {
      const { length: words } = file;
      const pastPage = words % PAGE_WORDS;
      for (let at = pastPage && PAGE_WORDS - pastPage; at < block.length; at += PAGE_WORDS)
        firsts[(words + at) / PAGE_WORDS] = block[at] ?? 0;
      file.append(block);
    },
    finish: () => openRun(file, entries, firsts),
    close: () => {
      file.close();
    },
  };
}

function openRun(file: WordFile, entries: number, firsts: Uint32Array): KeyRun {
  const readPage: KeyRun['readPage'] = (number, page) => {
    const words = Math.min(PAGE_WORDS, (entries - number * PAGE_ENTRIES) * ENTRY_WORDS);
    if (words <= 0) return 0;
    file.read(number * PAGE_WORDS, words === PAGE_WORDS ? page : page.subarray(0, words));
    return words;
  };
  return {
    entries,
    readPage,
    find: (keys, offset) => {
      const first = keys[offset] ?? 0;
      for (let at = pageBefore(firsts, first); at < firsts.length; at++) {
        if ((firsts[at] ?? 0) > first) break;
        const words = readPage(at, found);
        for (let entry = 0; entry < words; entry += ENTRY_WORDS)
          if (sameKey(found, entry, keys, offset))
            return {
              input: (found[entry + KEY_WORDS] ?? 1) - 1,
              row: found[entry + KEY_WORDS + 1] ?? 0,
            };
      }
      return null;
    },
    close: () => {
      file.close();
    },
  };
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
