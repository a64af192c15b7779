import type { RunMode } from './mode.js';

/** What is to be known of an outcome. */
interface OutcomeTraits {
  /** Whether nothing is left to do for the row. */
  readonly isGood: boolean;
  /** Kinds of runs whose summary has it even when no row ended so; other summaries have it where rows did. */
  readonly alwaysIn: readonly ('import' | 'comparison')[];
  /** What it means, for the person. */
  readonly meaning: string;
  /** Its colour in reports. */
  readonly colour: string;
}

/** How a row ends: every row of a finished run has exactly one outcome. In the order in which they are shown. */
export const OUTCOME_TRAITS = {
  enqueued: {
    ...{ isGood: true, alwaysIn: ['import'] },
    meaning: 'the card and its call application exist',
    colour: '#1a7f5a',
  },
  created: {
    ...{ isGood: true, alwaysIn: ['import'] },
    meaning: 'the card exists; no campaign was asked for',
    colour: '#2e9e74',
  },
  updated: {
    ...{ isGood: true, alwaysIn: [] },
    meaning: 'the card or its contacts were changed',
    colour: '#3f8f9f',
  },
  unchanged: {
    isGood: true,
    alwaysIn: [],
    meaning: 'the client was as the row says already',
    colour: '#6fa5ad',
  },
  dequeued: {
    isGood: true,
    alwaysIn: [],
    meaning: 'the call application was removed',
    colour: '#4a7fb5',
  },
  scheduled: { isGood: true, alwaysIn: [], meaning: 'the callback was created', colour: '#5b6fc4' },
  deleted: { isGood: true, alwaysIn: [], meaning: 'the card was deleted', colour: '#6d6a8a' },
  undone: {
    ...{ isGood: true, alwaysIn: [] },
    meaning: 'all that an earlier run did with the row was taken back',
    colour: '#7d8597',
  },
  match: {
    isGood: true,
    alwaysIn: ['comparison'],
    meaning: 'the card is as the row says',
    colour: '#1a7f5a',
  },
  different: {
    isGood: false,
    alwaysIn: ['comparison'],
    meaning: 'the card differs from the row',
    colour: '#c77d0a',
  },
  missing: {
    isGood: false,
    alwaysIn: ['comparison'],
    meaning: 'there is no card',
    colour: '#b3261e',
  },
  not_in_campaign: {
    ...{ isGood: false, alwaysIn: ['comparison'] },
    meaning: 'the card has no call application in the campaign',
    colour: '#d0661f',
  },
  enqueue_failed: {
    ...{ isGood: false, alwaysIn: ['import'] },
    meaning: 'the card exists, its call application does not',
    colour: '#d0661f',
  },
  failed: {
    ...{ isGood: false, alwaysIn: ['import'] },
    meaning: 'the contact center refused what was asked for, or a part of it',
    colour: '#b3261e',
  },
  rejected: {
    ...{ isGood: false, alwaysIn: ['import', 'comparison'] },
    meaning: 'the row could not become a client; nothing was sent',
    colour: '#c2417a',
  },
  skipped: {
    ...{ isGood: true, alwaysIn: ['import', 'comparison'] },
    meaning: 'left out by a rule, or done before',
    colour: '#9aa3af',
  },
  unknown: {
    ...{ isGood: false, alwaysIn: ['import', 'comparison'] },
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

/** The counts that a summary shows: without zeros of outcomes that belong to another kind of run. */
export function shownOutcomes(counts: OutcomeCounts, mode: RunMode): Partial<OutcomeCounts> {
  const kind = mode === 'reconcile' ? 'comparison' : 'import';
  const isShown = (outcome: Outcome): boolean => {
    const { alwaysIn }: OutcomeTraits = OUTCOME_TRAITS[outcome];
    return counts[outcome] > 0 || alwaysIn.includes(kind);
  };
  return Object.fromEntries(OUTCOMES.filter(isShown).map((outcome) => [outcome, counts[outcome]]));
}

/** Rows by outcome; the sum is the number of data rows read. */
export type OutcomeCounts = Record<Outcome, number>;

/** Counts of zero for every outcome. */
export function noOutcomes(): OutcomeCounts {
  return Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as OutcomeCounts;
}

/** Rows that did not end well. */
export function failuresIn(outcomes: OutcomeCounts): number {
  return OUTCOMES.reduce((sum, name) => (GOOD_OUTCOMES.has(name) ? sum : sum + outcomes[name]), 0);
}
