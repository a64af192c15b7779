import { zeroWords } from './zero-words.js';

/**
 * A Bloom filter in blocks: all bits of a key lie in one line of the processor's cache, since bits all over the filter
 * are waited for, one after the other.
 */
const BLOCK_WORDS = 16;
const BLOCK_BYTES = BLOCK_WORDS * Uint32Array.BYTES_PER_ELEMENT;

/** How many values a word has. */
const WORD_VALUES = 2 ** 32;

/**
 * A filter of so many bytes, a multiple of `BLOCK_BYTES`. Of 16 bits a key, a key that is not there passes once in
 * eight hundred; of 8, once in forty; of 4, once in five.
 */
export function createFilter(bytes: number): Uint32Array {
  return zeroWords(Math.ceil(bytes / BLOCK_BYTES) * BLOCK_WORDS);
}

/** A filter that everything passes. */
export function openFilter(): Uint32Array {
  return createFilter(1).fill(WORD_VALUES - 1);
}

/**
 * Whether a key may have been noted; `false` is sure. All bits are looked at: what is not done while the filter is
 * empty would have to be compiled again once it is not.
 */
export function mayHold(filter: Uint32Array, keys: Uint32Array, offset: number): boolean {
  const block = blockOf(filter, keys, offset);
  const second = bitsOf(filter, block, keys[offset + 1] ?? 0);
  return (second & bitsOf(filter, block, keys[offset] ?? 0)) === 1;
}

export function note(filter: Uint32Array, keys: Uint32Array, offset: number): void {
  const block = blockOf(filter, keys, offset);
  setBits(filter, block, keys[offset + 1] ?? 0);
  setBits(filter, block, keys[offset] ?? 0);
}

/** Words of a key are digests already: its last one selects the block, the others three bits each. */
function blockOf(filter: Uint32Array, keys: Uint32Array, offset: number): number {
  const blocks = filter.length / BLOCK_WORDS;
  return Math.floor(((keys[offset + 2] ?? 0) / WORD_VALUES) * blocks) * BLOCK_WORDS;
}

/** 1 where all bits of a word are set. */
function bitsOf(filter: Uint32Array, block: number, word: number): number {
  return (
    bitOf(filter, block, word) &
    bitOf(filter, block, word >>> 9) &
    bitOf(filter, block, word >>> 18)
  );
}

function setBits(filter: Uint32Array, block: number, word: number): void {
  setBit(filter, block, word);
  setBit(filter, block, word >>> 9);
  setBit(filter, block, word >>> 18);
}

/** The lowest five bits of `place` tell the bit, the next four the word of the block. */
function bitOf(filter: Uint32Array, block: number, place: number): number {
  return ((filter[block + ((place >>> 5) % BLOCK_WORDS)] ?? 0) >>> (place & 31)) & 1;
}

function setBit(filter: Uint32Array, block: number, place: number): void {
  const at = block + ((place >>> 5) % BLOCK_WORDS);
  filter[at] = (filter[at] ?? 0) | (1 << (place & 31));
}
