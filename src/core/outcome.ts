import type { RunMode } from './mode.js';

/** How a row ended. Every row of a finished run has exactly one. */
export const OUTCOMES = [
  'enqueued',
  'created',
  'updated',
  'dequeued',
  'scheduled',
  'deleted',
  'undone',
  'match',
  'different',
  'missing',
  'not_in_campaign',
  'enqueue_failed',
  'failed',
  'rejected',
  'skipped',
  'unknown',
] as const;

/**
 * - `enqueued`: the card exists and its call application too;
 * - `created`: the card exists, no campaign was asked for;
 * - `updated`: the card or its contacts were changed, no campaign was asked for or the client is in it already;
 * - `dequeued`: the call application was removed;
 * - `scheduled`: the callback was created;
 * - `deleted`: the card was deleted;
 * - `undone`: all that an earlier run did with the row was taken back;
 * - `match`, `different`, `missing`, `not_in_campaign`: verdicts of a comparison (`inspection.ts`);
 * - `enqueue_failed`: the card exists, the call application does not;
 * - `failed`: the contact center refused what was asked for, or a part of it;
 * - `rejected`: the row could not become a client, nothing was sent;
 * - `skipped`: left out by a rule of the mapping;
 * - `unknown`: the contact center did not answer and could not be asked.
 */
export type Outcome = (typeof OUTCOMES)[number];

/** Outcomes after which nothing is left to do for the row. */
export const GOOD_OUTCOMES: ReadonlySet<Outcome> = new Set([
  'enqueued',
  'created',
  'updated',
  'dequeued',
  'scheduled',
  'deleted',
  'undone',
  'match',
  'skipped',
]);

/** Outcomes that every import tells of, even of none; the others belong to one kind of run. */
const OF_IMPORTS: ReadonlySet<Outcome> = new Set([
  'enqueued',
  'created',
  'enqueue_failed',
  'failed',
  'rejected',
  'skipped',
  'unknown',
]);

/** The same of every comparison: the verdicts, and what has none. */
const OF_COMPARISONS: ReadonlySet<Outcome> = new Set([
  'match',
  'different',
  'missing',
  'not_in_campaign',
  'rejected',
  'skipped',
  'unknown',
]);

/** The counts without those that are of no interest: zeros of outcomes that belong to another kind of run. */
export function toldOutcomes(counts: OutcomeCounts, mode: RunMode): Partial<OutcomeCounts> {
  const always = mode === 'reconcile' ? OF_COMPARISONS : OF_IMPORTS;
  return Object.fromEntries(
    OUTCOMES.filter((outcome) => always.has(outcome) || counts[outcome] > 0).map((outcome) => [
      outcome,
      counts[outcome],
    ]),
  );
}

/** Rows by outcome; the sum is the number of data rows read. */
export type OutcomeCounts = Record<Outcome, number>;

/** Counts of zero for every outcome. */
export function noOutcomes(): OutcomeCounts {
  return {
    enqueued: 0,
    created: 0,
    updated: 0,
    dequeued: 0,
    scheduled: 0,
    deleted: 0,
    undone: 0,
    match: 0,
    different: 0,
    missing: 0,
    not_in_campaign: 0,
    enqueue_failed: 0,
    failed: 0,
    rejected: 0,
    skipped: 0,
    unknown: 0,
  };
}
