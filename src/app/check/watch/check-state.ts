import type { Mode } from '../../../core/mode.js';
import type { Indexed } from './problem-index.js';
import type { ProblemGroup } from './problem-groups.js';

/** Where a check stands. */
export interface CheckState {
  readonly phase: 'opening' | 'reading' | 'finished' | 'stopped' | 'failed';
  /** The mode in force; `null` as long as it is not known. */
  readonly mode: Mode | null;
  /** Whether the first 10,000 rows, or all, have been checked. */
  readonly hasFirstRows: boolean;
  /** Data rows that have been checked. */
  readonly rows: number;
  /** Rows that would be sent. */
  readonly clients: number;
  readonly rejected: number;
  /** Rows that would be left out by the mapping, duplicates among them. */
  readonly skipped: number;
  readonly duplicates: number;
  /** Bytes of the files: those that have been read, and all. */
  readonly bytes: number;
  readonly totalBytes: number;
  /** Share of the files that has been read, 0 to 1. */
  readonly share: number;
  readonly seconds: number;
  /** Estimated; `null` as long as nothing can be said, and at the end. */
  readonly secondsLeft: number | null;
  /** Why rows are rejected, the largest group first. */
  readonly groups: readonly ProblemGroup[];
  /** What of the rejected rows can be shown page by page. */
  readonly indexed: Indexed;
}

/** Of a share that is smaller, the time left is a guess. */
const MIN_SHARE = 0.01;

/** How long the rest takes, if it takes as long as what was read. */
export function secondsLeft(share: number, seconds: number): number | null {
  return share < MIN_SHARE || share >= 1 ? null : (seconds * (1 - share)) / share;
}
