/**
 * A Bloom filter in blocks: all bits of a key lie in one line of the processor's cache, since bits all over the filter
 * are waited for, one after the other.
 */
const BLOCK_WORDS = 16;
const BLOCK_BITS = BLOCK_WORDS * 32;

/** How many values a word has. */
const WORD_VALUES = 2 ** 32;

/** A filter for so many keys, with so many bits for each. Of 8 bits, a key that is not there passes once in forty; of 16, once in eight hundred. */
export function createFilter(keys: number, bits: number): Uint32Array {
  return new Uint32Array(filterWords(keys, bits));
}

/** Length of such a filter. */
export function filterWords(keys: number, bits: number): number {
  return Math.ceil((keys * bits) / BLOCK_BITS) * BLOCK_WORDS;
}

/** Whether a key may have been noted; `false` is sure. */
export function mayHold(filter: Uint32Array, keys: Uint32Array, offset: number): boolean {
  const block = blockOf(filter, keys, offset);
  return hasBits(filter, block, keys[offset + 1] ?? 0) && hasBits(filter, block, keys[offset] ?? 0);
}

export function note(filter: Uint32Array, keys: Uint32Array, offset: number): void {
  const block = blockOf(filter, keys, offset);
  setBits(filter, block, keys[offset + 1] ?? 0);
  setBits(filter, block, keys[offset] ?? 0);
}

/** Words of a key are digests already: its last one tells the block, the others three bits each. */
function blockOf(filter: Uint32Array, keys: Uint32Array, offset: number): number {
  const blocks = filter.length / BLOCK_WORDS;
  return Math.floor(((keys[offset + 2] ?? 0) / WORD_VALUES) * blocks) * BLOCK_WORDS;
}

function hasBits(filter: Uint32Array, block: number, word: number): boolean {
  return (
    hasBit(filter, block, word) &&
    hasBit(filter, block, word >>> 9) &&
    hasBit(filter, block, word >>> 18)
  );
}

function setBits(filter: Uint32Array, block: number, word: number): void {
  setBit(filter, block, word);
  setBit(filter, block, word >>> 9);
  setBit(filter, block, word >>> 18);
}

/** The lowest five bits of `place` tell the bit, the next four the word of the block. */
function hasBit(filter: Uint32Array, block: number, place: number): boolean {
  return ((filter[block + ((place >>> 5) % BLOCK_WORDS)] ?? 0) & (1 << (place & 31))) !== 0;
}

function setBit(filter: Uint32Array, block: number, place: number): void {
  const at = block + ((place >>> 5) % BLOCK_WORDS);
  filter[at] = (filter[at] ?? 0) | (1 << (place & 31));
}
