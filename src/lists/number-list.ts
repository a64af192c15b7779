import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { FileMark } from './compiled-form.js';

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

/**
 * A compiled list: a head of fixed size, blocks of numbers, the first number of each block, and a filter. Numbers are
 * E.164 without the plus, in ascending order, each once. A block begins with its own first number, which is among the
 * heads, and holds the differences from one number to the next.
 */
export const HEAD_BYTES = 4096;

/** Small enough to be searched from its beginning in half a microsecond, and read with one call. */
export const BLOCK_BYTES = 512;

const FLOAT_BYTES = Float64Array.BYTES_PER_ELEMENT;

/** What is known of a list beside its numbers. */
export interface ListHead {
  /** Changes with the layout: a list of another version is compiled anew. */
  readonly version: number;
  /** How the file was read: format, column, country, and what numbers it was taken to hold. */
  readonly settings: string;
  readonly source: SourceMark;
  /** Different numbers. */
  readonly numbers: number;
  /** Lines that hold something and no number. */
  readonly unread: number;
  /** Line of the first of them; 0 where there is none. */
  readonly firstUnread: number;
  /** Date in the first line of the file, in milliseconds since 1970. */
  readonly dated: number | null;
  /** Of a store: from when and until when its numbers are these, in milliseconds since 1970; `null`: for ever. */
  readonly valid?: { readonly from: number; readonly until: number | null };
  readonly blocks: number;
  /** Bytes of the filter: a power of two. */
  readonly filterBytes: number;
  /** Bits that each number sets in the filter. */
  readonly filterBits: number;
  /** CRC-32 of heads and filter. */
  readonly check: number;
}

export const VERSION = 1;

/** By what it is seen that the file has not changed since. */
interface SourceMark extends FileMark {
  /** SHA-256 of all of it, as hexadecimal text; of a store, the number of its changes. */
  readonly digest: string;
}

const MAGIC = 'cardline numbers\n';

/** The head as bytes, padded to its size. */
export function headBytes(head: ListHead): Buffer {
  const bytes = Buffer.alloc(HEAD_BYTES, ' ');
  bytes.write(`${MAGIC}${JSON.stringify(head)}\n`);
  return bytes;
}

/** `null` where this is no list, or one of another version. */
function headOf(bytes: Buffer): ListHead | null {
  const text = bytes.toString();
  if (bytes.length < HEAD_BYTES || !text.startsWith(MAGIC)) return null;
  try {
    const head = JSON.parse(text.slice(MAGIC.length)) as ListHead;
    return head.version === VERSION ? head : null;
  } catch {
    // What was cut off while it was written is compiled anew.
    return null;
  }
}

/** Bytes of the whole file. */
function listBytes({ blocks, filterBytes }: ListHead): number {
  return HEAD_BYTES + blocks * (BLOCK_BYTES + FLOAT_BYTES) + filterBytes;
}

/**
 * A Bloom filter over numbers, all bits of a number in one line of the processor's cache. A filter of a power of two can
 * be folded to half its size after it was made.
 */
const LINE_BITS = 512;
/** Numbers of 50 bits are taken as two words. */
const WORD = 2 ** 32;
/** Bits a number: one in about a hundred that is not there passes. */
const BITS_PER_NUMBER = 10;
const MIN_BYTES = LINE_BITS / 8;

/** Bytes of a filter for so many numbers: the next power of two, and not more than is allowed, which is one too. */
export function filterBytesFor(numbers: number, max: number): number {
  const wanted = (numbers * BITS_PER_NUMBER) / 8;
  let bytes = MIN_BYTES;
  while (bytes < wanted && bytes < max) bytes *= 2;
  return bytes;
}

/** How many bits each number sets so that fewest others pass: 0.69 times the bits that there are for each. */
export function filterBitsFor(numbers: number, bytes: number): number {
  const each = numbers === 0 ? BITS_PER_NUMBER : (bytes * 8) / numbers;
  return Math.max(1, Math.min(6, Math.round(each * Math.LN2)));
}

export function addNumber(filter: Uint8Array, bits: number, number: number): void {
  const first = mixed(number);
  const line = lineOf(first, filter);
  let place = second(first);
  for (let bit = 0; bit < bits; bit++) {
    const at = line + ((place >>> 3) & 63);
    filter[at] = (filter[at] ?? 0) | (1 << (place & 7));
    place = bit === 2 ? second(place ^ first) : place >>> 9;
  }
}

/** Whether a number may have been added; `false` is sure. */
function mayHave(filter: Uint8Array, bits: number, number: number): boolean {
  const first = mixed(number);
  const line = lineOf(first, filter);
  let place = second(first);
  for (let bit = 0; bit < bits; bit++) {
    if ((((filter[line + ((place >>> 3) & 63)] ?? 0) >>> (place & 7)) & 1) === 0) return false;
    place = bit === 2 ? second(place ^ first) : place >>> 9;
  }
  return true;
}

/** A filter of half the size, in which the same numbers are found, and more others. */
function folded(filter: Uint8Array): Uint8Array {
  const half = filter.length / 2;
  const left = filter.slice(0, half);
  // Word by word, which takes a quarter of the time.
  const [into, from] = [wordsOf(left), wordsOf(filter.subarray(half))];
  for (let at = 0; at < into.length; at++) into[at] = (into[at] ?? 0) | (from[at] ?? 0);
  return left;
}

/** A filter begins its own memory, or half way through it. */
const wordsOf = ({ buffer, byteOffset, length }: Uint8Array): Int32Array =>
  new Int32Array(buffer, byteOffset, length / Int32Array.BYTES_PER_ELEMENT);

const canFold = (filter: Uint8Array): boolean => filter.length > MIN_BYTES;

/** The low bits of the hash select the line, so that folding keeps them. */
function lineOf(hash: number, filter: Uint8Array): number {
  return (hash & (filter.length / MIN_BYTES - 1)) * MIN_BYTES;
}

function mixed(number: number): number {
  return scrambled(((number % WORD) | 0) ^ Math.imul(Math.floor(number / WORD), 0x9e3779b1));
}

function second(hash: number): number {
  return scrambled(hash + 0x7f4a7c15);
}

/** Every bit of the word has a part in every bit of the result (MurmurHash3's last steps). */
function scrambled(word: number): number {
  word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
  return (word ^ (word >>> 16)) >>> 0;
}
