import { whole } from '../core/text.js';
import { TooManyStop } from '../core/errors.js';

/** How many rows may end badly before a run stops: a number, or a percentage of all rows of the input. */
export type FailureLimit = { readonly count: number } | { readonly percent: number };

/** How many rows an input has. */
export interface RowTotal {
  readonly rows: number;
  /** Whether they were counted to the end; else their number is estimated. */
  readonly exact: boolean;
}

/** Rows of an input that have been read, and the share of its bytes that they take, 0 to 1. */
export interface ReadSoFar {
  readonly rows: number;
  readonly share: number;
}

/**
 * How many rows the input has: what was counted before, else estimated from whichever has read further, the count or
 * the run. Never fewer than were read.
 */
export function totalOf(read: ReadSoFar, counted?: ReadSoFar): RowTotal {
  if (counted?.share === 1) return { rows: counted.rows, exact: true };
  const { rows, share } = counted && counted.rows > read.rows ? counted : read;
  const estimate = share > 0 ? Math.round(rows / share) : rows;
  return { rows: Math.max(rows, estimate), exact: share >= 1 };
}

/**
 * Whether so many bad rows are more than the limit, however the other rows of the input end. A percentage is one of all
 * rows: bad rows at the beginning of the file count no more than those at its end.
 */
export function exceeds(bad: number, limit: FailureLimit, total: number): boolean {
  return 'count' in limit ? bad > limit.count : bad * 100 > limit.percent * total;
}

/** How many of so many rows may end badly: one more exceeds the limit. */
export function allowedOf(limit: FailureLimit, total: number): number {
  if ('count' in limit) return limit.count;
  let allowed = Math.floor((limit.percent * total) / 100);
  // What `exceeds` says counts, whichever way the division was rounded.
  while (exceeds(allowed, limit, total)) allowed--;
  while (!exceeds(allowed + 1, limit, total)) allowed++;
  return allowed;
}

export function tooManyFailures(bad: number, limit: FailureLimit, total: RowTotal): TooManyStop {
  return new TooManyStop(
    `${whole(bad)} of ${totalText(total)} rows did not end well, more than the ${limitText(limit)} that are allowed. Look at the report; the same command with a higher limit continues the run.`,
  );
}

/** The limit as the person wrote it. */
export function limitText(limit: FailureLimit): string {
  return 'count' in limit ? whole(limit.count) : `${limit.percent} %`;
}

export function totalText({ rows, exact }: RowTotal): string {
  return exact ? whole(rows) : `about ${whole(rows)}`;
}

/** How much two row counts may differ before somebody should look. */
const USUAL_DIFFERENCE = 0.5;

/** Whether a file has so many more or fewer rows than the last one that something may be wrong with it. */
export function isUnusual(rows: number, lastRows: number): boolean {
  return Math.abs(rows - lastRows) > lastRows * USUAL_DIFFERENCE;
}
