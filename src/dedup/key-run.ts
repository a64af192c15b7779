import { KEY_WORDS } from '../core/prepared.js';
import type { SeenAt } from '../core/duplicates.js';
import { ENTRY_WORDS, sameKey } from './key-table.js';
import { type WordFile, openWordFile } from './word-file.js';

/** Keys in ascending order of their first word, in a temporary file of their own. */
export interface KeyRun {
  readonly entries: number;
  /** Reads a page, from 0 on; gives how many words of `page` it has: none behind the last one. */
  readPage(number: number, page: Uint32Array): number;
  /** Where the key at `offset` was added, if it is in the run. */
  find(keys: Uint32Array, offset: number): SeenAt | null;
  /** Frees the disk. */
  close(): void;
}

/** A run that is being written. */
export interface KeyRunWriter {
  /** Appends entries, which come in order. */
  write(entries: Uint32Array): void;
  finish(): KeyRun;
  /** Frees the disk of what was written so far. */
  close(): void;
}

/** Entries that are read at a time: 5 KiB, of which a search needs one or, rarely, two. */
const PAGE_ENTRIES = 256;
export const PAGE_WORDS = PAGE_ENTRIES * ENTRY_WORDS;

/** What searches read into; they are over before the next one begins. */
const found = new Uint32Array(PAGE_WORDS);

/**
 * A run of so many entries.
 * @throws TemporaryFileError, from `write` as well, when the folder of temporary files takes no more
 */
export function createKeyRunWriter(entries: number): KeyRunWriter {
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
