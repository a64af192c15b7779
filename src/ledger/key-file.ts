import { randomUUID } from 'node:crypto';
import { closeSync, ftruncateSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KEY_WORDS } from '../core/prepared.js';
import type { SeenAt } from '../core/seen.js';
import { createFilter, filterWords, mayHold, note } from './bloom.js';
import { ENTRY_WORDS, sameKey } from './key-table.js';

/** Runs of keys, each in ascending order of their first word, in a temporary file that ends with the process. */
export interface KeyFile {
  readonly runs: readonly Run[];
  /** Writes a new run of so many entries, which come in blocks. */
  append(count: number, blocks: Iterable<Uint32Array>): void;
  /** Reads a page of a run; gives how many words of `page` it has. */
  readPage(run: Run, number: number, page: Uint32Array): number;
  /** Where the key at `offset` was added, if it is in one of the runs. */
  find(keys: Uint32Array, offset: number): SeenAt | null;
  /** Forgets all runs. */
  clear(): void;
  close(): void;
}

export interface Run {
  /** Where it begins in the file, in bytes. */
  readonly start: number;
  readonly entries: number;
  /** First word of the first entry of each page. */
  readonly pages: Uint32Array;
  /** Keeps keys that it does not hold from a look at the disk. */
  readonly filter: Uint32Array;
}

/** Entries that are read at a time: 5 KiB, of which a search needs one or, rarely, two. */
const PAGE_ENTRIES = 256;
export const PAGE_WORDS = PAGE_ENTRIES * ENTRY_WORDS;
const WORD_BYTES = Uint32Array.BYTES_PER_ELEMENT;

/**
 * The file has no name any more once it is open: no other process finds it, and it goes when this one does.
 * `filterBits`: bits of a filter for each key.
 */
export function createKeyFile(filterBits: number): KeyFile {
  const path = join(tmpdir(), `cardline-keys-${randomUUID()}`);
  const file = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  const runs: Run[] = [];
  /** Filters of runs that were forgotten: new ones would lie about until the old heap is swept. */
  let spare: Uint32Array[] = [];
  const found = new Uint32Array(PAGE_WORDS);
  let end = 0;

  const readPage: KeyFile['readPage'] = ({ start, entries }, number, page) => {
    const words = Math.min(PAGE_WORDS, (entries - number * PAGE_ENTRIES) * ENTRY_WORDS);
    const from = start + number * PAGE_WORDS * WORD_BYTES;
    const read = readSync(file, page, 0, words * WORD_BYTES, from);
    if (read < words * WORD_BYTES) throw new Error('The temporary file of keys was cut.');
    return words;
  };

  const findIn = (run: Run, keys: Uint32Array, offset: number): SeenAt | null => {
    const first = keys[offset] ?? 0;
    const { pages } = run;
    for (let at = pageBefore(pages, first); at < pages.length && isUpTo(pages, at, first); at++) {
      const words = readPage(run, at, found);
      for (let entry = 0; entry < words; entry += ENTRY_WORDS)
        if (sameKey(found, entry, keys, offset))
          return {
            input: (found[entry + KEY_WORDS] ?? 1) - 1,
            row: found[entry + KEY_WORDS + 1] ?? 0,
          };
    }
    return null;
  };

  return {
    runs,
    readPage,
    append: (count, blocks) => {
      const pages = new Uint32Array(Math.ceil(count / PAGE_ENTRIES));
      const filter =
        emptied(spare.pop(), filterWords(count, filterBits)) ?? createFilter(count, filterBits);
      const start = end;
      let written = 0;
      for (const block of blocks) {
        for (let at = 0; at < block.length; at += ENTRY_WORDS, written += ENTRY_WORDS) {
          if (written % PAGE_WORDS === 0) pages[written / PAGE_WORDS] = block[at] ?? 0;
          note(filter, block, at);
        }
        writeAll(file, block, end);
        end += block.byteLength;
      }
      runs.push({ start, entries: count, pages, filter });
    },
    find: (keys, offset) => {
      for (const run of runs) {
        const seen = mayHold(run.filter, keys, offset) ? findIn(run, keys, offset) : null;
        if (seen) return seen;
      }
      return null;
    },
    clear: () => {
      spare = runs.map(({ filter }) => filter);
      runs.length = 0;
      end = 0;
      ftruncateSync(file);
    },
    close: () => {
      closeSync(file);
    },
  };
}

/** An empty filter made of another one, if that is as long. */
function emptied(filter: Uint32Array | undefined, words: number): Uint32Array | undefined {
  return filter?.length === words ? filter.fill(0) : undefined;
}

/** The first page that may hold an entry with this first word. */
function pageBefore(pages: Uint32Array, first: number): number {
  let [low, high] = [0, pages.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((pages[middle] ?? 0) < first) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

/** Whether a page begins with this first word or one before it. */
function isUpTo(pages: Uint32Array, at: number, first: number): boolean {
  return (pages[at] ?? 0) <= first;
}

function writeAll(file: number, words: Uint32Array, position: number): void {
  for (let written = 0; written < words.byteLength;)
    written += writeSync(file, words, written, words.byteLength - written, position + written);
}
