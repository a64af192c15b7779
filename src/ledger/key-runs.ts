import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KEY_WORDS } from '../core/prepared.js';
import type { SeenAt } from '../core/seen.js';
import { createFilter, mayHold, note } from './bloom.js';
import { ENTRY_WORDS, sameKey } from './key-table.js';

/** Keys in order on the disk, run after run, in a temporary file that ends with the process. */
export interface KeyRuns {
  /** Writes entries, in ascending order of their first word, as a new run. */
  add(entries: Uint32Array): void;
  /** Where the key at `offset` was added, if it is in one of the runs. */
  find(keys: Uint32Array, offset: number): SeenAt | null;
  close(): void;
}

/** Entries that are read at a time: 5 KiB, of which a search needs one or, rarely, two. */
const PAGE_ENTRIES = 256;
const PAGE_WORDS = PAGE_ENTRIES * ENTRY_WORDS;
const WORD_BYTES = Uint32Array.BYTES_PER_ELEMENT;

interface Run {
  /** Where it begins in the file, in bytes. */
  readonly start: number;
  readonly entries: number;
  /** First word of the first entry of each page. */
  readonly pages: Uint32Array;
  /** Keeps keys that it does not hold from a look at the disk. */
  readonly filter: Uint32Array;
}

/** The file has no name any more once it is open: no other process finds it, and it goes when this one does. */
export function createKeyRuns(): KeyRuns {
  const path = join(tmpdir(), `cardline-keys-${randomUUID()}`);
  const file = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  const runs: Run[] = [];
  const page = new Uint32Array(PAGE_WORDS);
  let end = 0;

  const readPage = ({ start, entries }: Run, number: number): number => {
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
      const words = readPage(run, at);
      for (let entry = 0; entry < words; entry += ENTRY_WORDS)
        if (sameKey(page, entry, keys, offset))
          return {
            input: (page[entry + KEY_WORDS] ?? 1) - 1,
            row: page[entry + KEY_WORDS + 1] ?? 0,
          };
    }
    return null;
  };

  return {
    add: (entries) => {
      const count = entries.length / ENTRY_WORDS;
      const pages = new Uint32Array(Math.ceil(count / PAGE_ENTRIES));
      const filter = createFilter(count);
      for (let at = 0; at < entries.length; at += ENTRY_WORDS) {
        if (at % PAGE_WORDS === 0) pages[at / PAGE_WORDS] = entries[at] ?? 0;
        note(filter, entries, at);
      }
      writeAll(file, entries, end);
      runs.push({ start: end, entries: count, pages, filter });
      end += entries.byteLength;
    },
    find: (keys, offset) => {
      for (const run of runs) {
        const found = mayHold(run.filter, keys, offset) ? findIn(run, keys, offset) : null;
        if (found) return found;
      }
      return null;
    },
    close: () => {
      closeSync(file);
    },
  };
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
