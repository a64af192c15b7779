import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf, TemporaryFileError } from '../core/errors.js';

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
