import type { CheckedPlace } from './hits.js';

/** What a check of a list came to. */
export interface CheckOutcome {
  /** What it counts, such as `invalid Mobile`. */
  readonly subject: string;
  readonly holds: boolean;
  readonly else: 'stop' | 'warn';
  /** Rows that are as it looks for, and those among which they were counted. */
  readonly rows: number;
  readonly of: number;
  /** How many are allowed, in words. */
  readonly limit: string;
  /** The first of the rows, with the index of their input. */
  readonly examples: readonly CheckedPlace[];
}
