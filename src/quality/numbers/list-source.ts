import { createHash, type Hash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { openRegularFile } from '../../files/regular-file.js';
import { LineNumbers, type NumberTally } from './line-numbers.js';
import type { NumberReader } from './number-reader.js';

/** A file of numbers, and how it is read. */
export interface ListSource {
  readonly file: string;
  /** All that decides how the file is read, as text: another one compiles the file anew. */
  readonly settings: string;
  readonly reader: NumberReader;
  /** Whether a comma may stand between area code and number. */
  readonly areas: boolean;
  /** Cells of the column with the numbers, where the file is a table; else it has one number a line. */
  readonly cells?: (() => AsyncIterable<readonly string[]>) | undefined;
}

const PIECE_BYTES = 256 * 1024;
const GZIP = Buffer.from([0x1f, 0x8b]);

/** Whether the file is packed by gzip, whatever its name. */
export async function isGzip(file: string): Promise<boolean> {
  const handle = await openRegularFile(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(GZIP.length), 0, GZIP.length, 0);
    return bytesRead === GZIP.length && buffer.equals(GZIP);
  } finally {
    await handle.close();
  }
}

/** SHA-256 of a file as hexadecimal text. */
export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of piecesOf(file)) hash.update(piece);
  return hash.digest('hex');
}

/** Reads all numbers of a list, once; resolves with the digest of the file. */
export async function readNumbers(
  { file, cells, areas }: ListSource,
  tally: NumberTally,
  touch: () => void,
): Promise<string> {
  if (cells) {
    for await (const texts of cells()) {
      for (const text of texts) tally.text(text);
      touch();
    }
    return await digestOf(file);
  }
  const lines = new LineNumbers(tally, areas);
  const hash = createHash('sha256');
  const hashed = async function* (): AsyncGenerator<Buffer, void, undefined> {
    for await (const piece of piecesOf(file)) yield noted(hash, piece);
  };
  const take = async (pieces: AsyncIterable<Buffer>): Promise<void> => {
    for await (const piece of pieces) {
      lines.add(piece);
      touch();
    }
  };
  const copied = async function* (): AsyncGenerator<Buffer, void, undefined> {
    for await (const piece of hashed()) yield Buffer.from(piece);
  };
  if (await isGzip(file)) await pipeline(copied, createGunzip(), take);
  else await take(hashed());
  lines.finish();
  return hash.digest('hex');
}

function noted(hash: Hash, piece: Buffer): Buffer {
  hash.update(piece);
  return piece;
}

/** Each piece holds until the next one is asked for: a new buffer for each would take far more memory than there is. */
async function* piecesOf(file: string): AsyncGenerator<Buffer, void, undefined> {
  const handle = await openRegularFile(file);
  try {
    const buffer = Buffer.alloc(PIECE_BYTES);
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, PIECE_BYTES, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}
