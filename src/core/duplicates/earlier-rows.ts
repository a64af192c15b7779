import type { DuplicateKind } from './duplicate-rule.js';

/** A row of an earlier run with which a new one shares something. */
export interface EarlierRow {
  readonly kind: DuplicateKind;
  readonly run: string;
  /** Name of its file, where the run had several. */
  readonly file: string | null;
  readonly row: number;
  /** What the run did with it. */
  readonly what: 'created' | 'enqueued';
  /** The day on which the run began, such as `2026-11-20`. */
  readonly on: string;
}

/** What earlier runs created or enqueued, as far as the rule of duplicates counts it. */
export interface EarlierRows {
  /** The row with one of the keys from `from` to `to`, or `null`. Keys are counted, not words. */
  find(keys: Uint32Array, from: number, to: number): EarlierRow | null;
  close(): void;
}
