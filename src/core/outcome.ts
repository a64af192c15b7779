/** How a row ended. Every row of a finished run has exactly one. */
export const OUTCOMES = [
  'enqueued',
  'created',
  'enqueue_failed',
  'failed',
  'rejected',
  'skipped',
  'unknown',
] as const;

/**
 * - `enqueued`: the card exists and its call application too;
 * - `created`: the card exists, no campaign was asked for;
 * - `enqueue_failed`: the card exists, the call application does not;
 * - `failed`: the contact center refused the client;
 * - `rejected`: the row could not become a client, nothing was sent;
 * - `skipped`: left out by a rule of the mapping;
 * - `unknown`: the contact center did not answer and could not be asked.
 */
export type Outcome = (typeof OUTCOMES)[number];

/** Outcomes after which nothing is left to do for the row. */
export const GOOD_OUTCOMES: ReadonlySet<Outcome> = new Set(['enqueued', 'created', 'skipped']);

/** Rows by outcome; the sum is the number of data rows read. */
export type OutcomeCounts = Record<Outcome, number>;

/** Counts of zero for every outcome. */
export function noOutcomes(): OutcomeCounts {
  return {
    enqueued: 0,
    created: 0,
    enqueue_failed: 0,
    failed: 0,
    rejected: 0,
    skipped: 0,
    unknown: 0,
  };
}
