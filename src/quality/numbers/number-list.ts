import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { canFold, folded, mayHave } from './filter.js';
import {
  BLOCK_BYTES,
  FLOAT_BYTES,
  HEAD_BYTES,
  headOf,
  listBytes,
  type ListHead,
} from './layout.js';

/** A compiled list that is open. */
export interface NumberList {
  readonly head: ListHead;
  /** Whether a number is on it: E.164 without the plus. */
  has(number: number): boolean;
  close(): void;
}

/**
 * Opens a compiled list; `null` where the file is none, or is not whole.
 * @param maxFilter bytes of memory for its filter; a larger one is folded
 */
export function openNumberList(file: string, maxFilter: number): NumberList | null {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    // Whoever asks compiles it, and is told then why that cannot be done.
    return null;
  }
  const opened = openParts(descriptor, maxFilter);
  if (opened === null) closeSync(descriptor);
  return opened;
}

/** The head of a compiled list alone. */
export function readListHead(file: string): ListHead | null {
  const list = openNumberList(file, 0);
  list?.close();
  return list?.head ?? null;
}

function openParts(descriptor: number, maxFilter: number): NumberList | null {
  const head = headOf(readAt(descriptor, HEAD_BYTES, 0));
  if (head === null || fstatSync(descriptor).size !== listBytes(head)) return null;
  const headsAt = HEAD_BYTES + head.blocks * BLOCK_BYTES;
  const heads = new Float64Array(head.blocks);
  const headBytes = new Uint8Array(heads.buffer);
  fill(descriptor, headBytes, headsAt);
  let filter: Uint8Array = new Uint8Array(head.filterBytes);
  fill(descriptor, filter, headsAt + head.blocks * FLOAT_BYTES);
  if (crc32(filter, crc32(headBytes)) !== head.check) return null;
  while (filter.length > maxFilter && canFold(filter)) filter = folded(filter);
  return {
    head,
    has: lookUp(descriptor, heads, filter, head.filterBits),
    close: () => {
      closeSync(descriptor);
    },
  };
}

/** The last block is kept: numbers that are asked for in order come from one block after the other. */
function lookUp(
  descriptor: number,
  heads: Float64Array,
  filter: Uint8Array,
  bits: number,
): NumberList['has'] {
  const block = Buffer.alloc(BLOCK_BYTES);
  let loaded = -1;
  return (number) => {
    if (!mayHave(filter, bits, number)) return false;
    const index = blockOf(heads, number);
    if (index < 0) return false;
    const first = heads[index] ?? 0;
    if (first === number) return true;
    if (index !== loaded) {
      loaded = -1;
      fill(descriptor, block, HEAD_BYTES + index * BLOCK_BYTES);
      loaded = index;
    }
    return isIn(block, first, number);
  };
}

/** The last block that begins with this number or a smaller one; -1 where none does. */
function blockOf(heads: Float64Array, number: number): number {
  let [low, high] = [0, heads.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((heads[middle] ?? Infinity) <= number) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Numbers stand once, so a difference of 0 is the end of the block. */
function isIn(block: Uint8Array, first: number, number: number): boolean {
  let at = 0;
  let here = first;
  while (here < number && at < BLOCK_BYTES) {
    let byte = block[at++] ?? 0;
    if (byte === 0) return false;
    if (byte < 128) {
      here += byte;
      continue;
    }
    let unit = 1;
    for (; byte >= 128; byte = block[at++] ?? 0) {
      here += (byte & 127) * unit;
      unit *= 128;
    }
    here += byte * unit;
  }
  return here === number;
}

function readAt(descriptor: number, length: number, position: number): Buffer {
  const bytes = Buffer.alloc(length);
  const read = readSync(descriptor, bytes, 0, length, position);
  return bytes.subarray(0, read);
}

function fill(descriptor: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length;) {
    const read = readSync(descriptor, bytes, done, bytes.length - done, position + done);
    if (read === 0) throw new Error('A compiled list of numbers became shorter while it was open.');
    done += read;
  }
}
