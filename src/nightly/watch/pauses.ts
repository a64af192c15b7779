/** The first and the longest pause before something is tried again, in milliseconds. */
const FIRST_MS = 30_000;
const LONGEST_MS = 30 * 60_000;

/** How long to wait before the next attempt, after so many that failed; doubles each time. */
export const pauseAfter = (failures: number): number =>
  Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, Math.min(failures, 20) - 1));
