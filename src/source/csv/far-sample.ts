import { isAscii } from 'node:buffer';
import { InputError } from '../../core/errors.js';
import { readAt, type FoundFile } from '../file.js';
import type { FarSample } from './encoding/encoding.js';

/** Bytes around the first one that is not ASCII. */
const AROUND = 64 * 1024;
/** Places of a large file that are looked at, and bytes of each. */
const PLACES = 8;
const PLACE_BYTES = 32 * 1024;

const LF = 0x0a;

/**
 * What lies behind the beginning of a text file.
 * @param chunks the bytes of the file, from its beginning
 * @param headBytes how many of them are known already; `Infinity`: all
 */
export function farSample(
  csv: FoundFile,
  chunks: () => AsyncIterable<Buffer>,
  headBytes: number,
): FarSample {
  return {
    firstHigh: () => (headBytes === Infinity ? Promise.resolve(undefined) : firstHigh(chunks())),
    spread: () =>
      csv.gzip || csv.bytes <= headBytes ? Promise.resolve([]) : spread(csv, headBytes),
  };
}

/** To see that all bytes are ASCII takes a twentieth of the time of reading rows. */
async function firstHigh(chunks: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
  const found: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of chunks) {
      if (found.length === 0 && isAscii(chunk)) continue;
      const from = found.length === 0 ? lineStart(chunk, firstHighAt(chunk)) : 0;
      found.push(Buffer.from(chunk.subarray(from)));
      length += chunk.length - from;
      if (length >= AROUND) break;
    }
  } catch (error) {
    // A damaged file is refused when its rows are read, after those before the damage.
    if (!(error instanceof InputError)) throw error;
  }
  if (found.length === 0) return undefined;
  return wholeLines(Buffer.concat(found), length);
}

function firstHighAt(chunk: Buffer): number {
  return chunk.findIndex((byte) => byte > 0x7f);
}

function lineStart(chunk: Buffer, at: number): number {
  return chunk.lastIndexOf(LF, at) + 1;
}

/** Without a last line that is cut off, where there is one before it. */
function wholeLines(bytes: Buffer, length: number): Buffer {
  const end = length >= AROUND ? bytes.lastIndexOf(LF) + 1 : bytes.length;
  return end > 0 ? bytes.subarray(0, end) : bytes;
}

async function spread({ file, bytes }: FoundFile, headBytes: number): Promise<Buffer[]> {
  // The last place is the end, where rows of other programs are appended.
  const step = Math.max(0, bytes - headBytes - PLACE_BYTES) / (PLACES - 1);
  const places = Array.from({ length: PLACES }, (_, index) => Math.floor(headBytes + index * step));
  const read = await readAt(file, places, PLACE_BYTES);
  return read.map((piece) => piece.subarray(piece.indexOf(LF) + 1, piece.lastIndexOf(LF) + 1));
}
