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
export function mayHave(filter: Uint8Array, bits: number, number: number): boolean {
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
export function folded(filter: Uint8Array): Uint8Array {
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

export const canFold = (filter: Uint8Array): boolean => filter.length > MIN_BYTES;

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
