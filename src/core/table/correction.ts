import type { Cell } from './row.js';

/** One cell that a person has mended, in place of what the file holds. */
export interface Correction {
  /** Index of the input file in the run. */
  readonly input: number;
  /** Name of the sheet; `null` for CSV, and where an input has one sheet alone. */
  readonly sheet: string | null;
  /** Row number as the person sees it. */
  readonly row: number;
  /** Header of the column. */
  readonly column: string;
  /** What the file holds: a file that holds something else has changed since. Personal data. */
  readonly was: Cell;
  /** What counts in its place. Personal data. */
  readonly becomes: Cell;
  /** Line of the file of corrections, from 1. */
  readonly line: number;
}

/** All corrections of a run. Plain data: they are passed to the reading threads. */
export interface Corrections {
  /** Path of the file that they stand in, for messages. */
  readonly file: string;
  readonly cells: readonly Correction[];
}

/** Code of the remark on a row that a person has corrected. */
export const CORRECTED = 'corrected';
