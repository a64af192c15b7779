import type { DuplicateKind } from './duplicate-rule.js';

/** The lowest bit of a key's last word says what it is a key of. */
const BITS = { sync: 0, phone: 1 } as const satisfies Record<DuplicateKind, 0 | 1>;
const LAST_WORD = 2;

/** The last word of a key of this kind. */
export const markedWord = (word: number, kind: DuplicateKind): number =>
  ((word & ~1) | BITS[kind]) >>> 0;

/** What the key at `offset` is a key of. */
export const kindOfKey = (keys: Uint32Array, offset: number): DuplicateKind =>
  ((keys[offset + LAST_WORD] ?? 0) & 1) === BITS.phone ? 'phone' : 'sync';
