/** What is to be known of an outcome. */
interface OutcomeTraits {
  /** Whether nothing is left to do for the row. */
  readonly isGood: boolean;
  /** What it means, for the person. */
  readonly meaning: string;
  /** Its colour in reports. */
  readonly colour: string;
}

/** How a row ends: every row of a finished run has exactly one outcome. In the order in which they are shown. */
export const OUTCOME_TRAITS = {
  enqueued: {
    isGood: true,
    meaning: 'the card and its call application exist',
    colour: '#1a7f5a',
  },
  created: {
    isGood: true,
    meaning: 'the card exists; no campaign was asked for',
    colour: '#2e9e74',
  },
  updated: {
    isGood: true,
    meaning: 'the card or its contacts were changed',
    colour: '#3f8f9f',
  },
  unchanged: {
    isGood: true,
    meaning: 'the client was as the row says already',
    colour: '#6fa5ad',
  },
  dequeued: {
    isGood: true,
    meaning: 'the call application was removed',
    colour: '#4a7fb5',
  },
  scheduled: { isGood: true, meaning: 'the callback was created', colour: '#5b6fc4' },
  deleted: { isGood: true, meaning: 'the card was deleted', colour: '#6d6a8a' },
  undone: {
    isGood: true,
    meaning: 'all that an earlier run did with the row was taken back',
    colour: '#7d8597',
  },
  match: {
    isGood: true,
    meaning: 'the card is as the row says',
    colour: '#1a7f5a',
  },
  different: {
    isGood: false,
    meaning: 'the card differs from the row',
    colour: '#c77d0a',
  },
  missing: {
    isGood: false,
    meaning: 'there is no card',
    colour: '#b3261e',
  },
  not_in_campaign: {
    isGood: false,
    meaning: 'the card has no call application in the campaign',
    colour: '#d0661f',
  },
  enqueue_failed: {
    isGood: false,
    meaning: 'the card exists, its call application does not',
    colour: '#d0661f',
  },
  failed: {
    isGood: false,
    meaning: 'the contact center refused what was asked for, or a part of it',
    colour: '#b3261e',
  },
  rejected: {
    isGood: false,
    meaning: 'the row could not become a client; nothing was sent',
    colour: '#c2417a',
  },
  skipped: {
    isGood: true,
    meaning: 'left out by a rule, or done before',
    colour: '#9aa3af',
  },
  unknown: {
    isGood: false,
    meaning: 'the contact center did not answer, and could not be asked',
    colour: '#7a4fb5',
  },
} as const satisfies Record<string, OutcomeTraits>;

export type Outcome = keyof typeof OUTCOME_TRAITS;

export const OUTCOMES = Object.keys(OUTCOME_TRAITS) as readonly Outcome[];

/** Outcomes after which nothing is left to do for the row. */
export const GOOD_OUTCOMES: ReadonlySet<Outcome> = new Set(
  OUTCOMES.filter((outcome) => OUTCOME_TRAITS[outcome].isGood),
);

/** Rows by outcome; the sum is the number of data rows read. */
export type OutcomeCounts = Record<Outcome, number>;

/** Counts of zero for every outcome. */
export function noOutcomes(): OutcomeCounts {
  return Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as OutcomeCounts;
}

/** Rows that have ended, in whatever way. */
export const rowsIn = (outcomes: OutcomeCounts): number =>
  Object.values(outcomes).reduce((sum, count) => sum + count, 0);

/** The outcomes that rows have, each with how many. */
export const occurring = (outcomes: Readonly<Partial<OutcomeCounts>>) =>
  OUTCOMES.map((outcome) => [outcome, outcomes[outcome] ?? 0] as const).filter(
    ([, rows]) => rows > 0,
  );

/** Rows that did not end well. */
export function failuresIn(outcomes: OutcomeCounts): number {
  return OUTCOMES.reduce((sum, name) => (GOOD_OUTCOMES.has(name) ? sum : sum + outcomes[name]), 0);
}
