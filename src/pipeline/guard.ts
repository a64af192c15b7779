import type { OutcomeCounts } from '../core/outcome.js';
import { StopRun } from './stop.js';

/** How many rows may end badly before a run stops: a number, or a percentage of the rows that have ended. */
export type FailureLimit = { readonly count: number } | { readonly percent: number };

/** Rows that must have ended before the limit says anything: the first few rows prove nothing. */
const ENOUGH_ROWS = 100;

/** Rows that did not end well. */
export function failuresIn(outcomes: OutcomeCounts): number {
  return outcomes.failed + outcomes.rejected + outcomes.enqueue_failed + outcomes.unknown;
}

/** Whether more rows have ended badly than is allowed. `enough`: rows that must have ended. */
export function exceeds(
  outcomes: OutcomeCounts,
  limit: FailureLimit,
  enough = ENOUGH_ROWS,
): boolean {
  const ended = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  const failures = failuresIn(outcomes);
  if (ended < enough) return false;
  return 'count' in limit ? failures > limit.count : failures * 100 > limit.percent * ended;
}

export function tooManyFailures(outcomes: OutcomeCounts, limit: FailureLimit): StopRun {
  return new StopRun(
    `${failuresIn(outcomes)} rows did not end well, more than the ${limitText(limit)} that are allowed. Look at the report; the same command with a higher limit continues the run.`,
  );
}

/** The limit as the person wrote it. */
function limitText(limit: FailureLimit): string {
  return 'count' in limit ? String(limit.count) : `${limit.percent} %`;
}

/** How much two row counts may differ before somebody should look. */
const USUAL_DIFFERENCE = 0.5;

/** Whether a file has so many more or fewer rows than the last one that something may be wrong with it. */
export function isUnusual(rows: number, lastRows: number): boolean {
  return Math.abs(rows - lastRows) > lastRows * USUAL_DIFFERENCE;
}
