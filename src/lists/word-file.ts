import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codeOf, TemporaryFileError } from '../core/errors.js';
import { isDiskFull } from '../files/regular-file.js';

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
