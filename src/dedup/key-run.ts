import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf } from '../core/errors/error-code.js';
import { TemporaryFileError } from '../core/errors/errors.js';
import { KEY_WORDS } from '../core/client/prepared.js';
import type { SeenAt } from '../core/duplicates/seen.js';
import { ENTRY_WORDS, sameKey } from './key-table.js';

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
const WORD_BYTES = Uint32Array.BYTES_PER_ELEMENT;

/** What searches read into; they are over before the next one begins. */
const found = new Uint32Array(PAGE_WORDS);

/**
 * A run of so many entries.
 * @throws TemporaryFileError, from `write` as well, when the folder of temporary files takes no more
 */
export function createKeyRunWriter(entries: number): KeyRunWriter {
  const file = openNameless();
  /** First word of the first entry of each page. */
  const firsts = new Uint32Array(Math.ceil(entries / PAGE_ENTRIES));
  let words = 0;
  const close = (): void => {
    closeSync(file);
  };
  return {
    write: (block) => {
      const pastPage = words % PAGE_WORDS;
      for (let at = pastPage && PAGE_WORDS - pastPage; at < block.length; at += PAGE_WORDS)
        firsts[(words + at) / PAGE_WORDS] = block[at] ?? 0;
      writeAll(file, block, words * WORD_BYTES);
      words += block.length;
    },
    finish: () => openRun(file, entries, firsts),
    close,
  };
}

function openRun(file: number, entries: number, firsts: Uint32Array): KeyRun {
  const readPage: KeyRun['readPage'] = (number, page) => {
    const words = Math.min(PAGE_WORDS, (entries - number * PAGE_ENTRIES) * ENTRY_WORDS);
    if (words <= 0) return 0;
    const read = readSync(file, page, 0, words * WORD_BYTES, number * PAGE_WORDS * WORD_BYTES);
    if (read < words * WORD_BYTES) throw new Error('The temporary file of keys was cut.');
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
      closeSync(file);
    },
  };
}

/** The file has no name any more once it is open: no other process finds it, and it goes when this one does. */
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
