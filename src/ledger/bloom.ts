import { KEY_WORDS } from '../core/prepared.js';

/** Bits of a Bloom filter for one key: one false look at the disk in fifty. */
const BLOOM_BITS = 8;
const BLOOM_PROBES = 5;

/** A Bloom filter for so many keys. */
export function createFilter(keys: number): Uint32Array {
  return new Uint32Array(filterWords(keys));
}

/** Length of such a filter. */
export function filterWords(keys: number): number {
  return Math.ceil((keys * BLOOM_BITS) / 32);
}

/** Whether a key may have been noted; `false` is sure. */
export function mayHold(filter: Uint32Array, keys: Uint32Array, offset: number): boolean {
  const bits = filter.length * 32;
  for (let probe = 0; probe < BLOOM_PROBES; probe++) {
    const bit = bloomBit(keys, offset, probe, bits);
    if (((filter[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false;
  }
  return true;
}

export function note(filter: Uint32Array, keys: Uint32Array, offset: number): void {
  const bits = filter.length * 32;
  for (let probe = 0; probe < BLOOM_PROBES; probe++) {
    const bit = bloomBit(keys, offset, probe, bits);
    filter[bit >>> 5] = (filter[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }
}

/** Double hashing with words that are digests already. */
function bloomBit(keys: Uint32Array, offset: number, probe: number, bits: number): number {
  const step = (keys[offset + KEY_WORDS - 1] ?? 0) | 1;
  return (((keys[offset + 1] ?? 0) + Math.imul(probe, step)) >>> 0) % bits;
}
