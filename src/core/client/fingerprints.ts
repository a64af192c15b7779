import { hash } from 'node:crypto';

/** Words of 32 bits of a fingerprint. Two clients that differ have the same once in 10^15. */
export const PRINT_WORDS = 2;
const WORD_BYTES = 4;
const PRINT_BYTES = PRINT_WORDS * WORD_BYTES;
/** Bits of the second word that count: what is compared has to fit beside a key. */
const HIGH_BITS = 20;

/** What a row became, as two numbers that differ where that differs. Both are zero for a row that became no client. */
export type Print = readonly [low: number, high: number];

export const NO_PRINT: Print = [0, 0];

/** The fingerprint of a text. */
export function printOf(text: string): Print {
  const digest = hash('sha1', text, 'buffer');
  // Never that of no client.
  return [(digest.readUInt32LE(0) | 1) >>> 0, digest.readUInt32LE(WORD_BYTES) >>> (32 - HIGH_BITS)];
}

export const samePrint = (one: Print, other: Print): boolean =>
  one[0] === other[0] && one[1] === other[1];

/** Whether it is that of a client. */
export const isPrint = ([low]: Print): boolean => low !== 0;

/** The fingerprint at a place of those of a chunk. */
export function printAt(prints: Uint32Array, index: number): Print {
  const at = index * PRINT_WORDS;
  return [prints[at] ?? 0, prints[at + 1] ?? 0];
}

/** Fingerprints of the rows of a chunk as the ledger keeps them. */
export function printsText(prints: Uint32Array): string {
  const bytes = Buffer.alloc((prints.length / PRINT_WORDS) * PRINT_BYTES);
  for (const [at, word] of prints.entries()) bytes.writeUInt32LE(word, at * WORD_BYTES);
  return bytes.toString('base64');
}

/** Fingerprints of the rows of a chunk, as `printsText` wrote them; none where that is absent. */
export function printsIn(text: string | undefined): Uint32Array {
  if (text === undefined) return new Uint32Array();
  const bytes = Buffer.from(text, 'base64');
  const prints = new Uint32Array(Math.floor(bytes.length / WORD_BYTES));
  for (let at = 0; at < prints.length; at++) prints[at] = bytes.readUInt32LE(at * WORD_BYTES);
  return prints;
}
