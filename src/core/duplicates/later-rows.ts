import type { DuplicateKind } from './duplicate-rule.js';
import type { SeenAt } from './seen.js';

/** The later row that goes in place of a row. */
export interface LaterRow extends SeenAt {
  readonly kind: DuplicateKind;
}

/** Which rows give way to later ones of the file, found out before any is sent. */
export interface LaterRows {
  /** Those of a chunk, by their positions in it. Chunks are asked for in any order. */
  ofChunk(number: number): ReadonlyMap<number, LaterRow>;
  close(): void;
}
