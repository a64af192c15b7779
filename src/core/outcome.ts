/** What is to be known of a mode. */
interface ModeTraits {
  /** What it has to do with a campaign: only where it adds to one afterwards, it can do without. */
  readonly campaign: 'optional' | 'required' | 'unused';
  /** Whether it creates clients. */
  readonly creates: boolean;
  /** Whether it adds clients to the campaign, where there is one. */
  readonly enqueues: boolean;
  /** Whether its rows bring phones, by which duplicates can be known. */
  readonly hasPhones: boolean;
  /** Whether its rows bring phones that may be called: lists of numbers that must not be called count. */
  readonly calls: boolean;
  /** Whether a person has to confirm it. */
  readonly asksFirst: boolean;
  /** Modes of later runs that reverse what it did. */
  readonly reversedBy: readonly string[];
  /** Why nothing that it did can be taken back; `null` when it can. */
  readonly notUndoable: string | null;
}

const NOTHING = {
  ...{ campaign: 'unused', creates: false, enqueues: false },
  ...{ hasPhones: false, calls: false, asksFirst: false, reversedBy: [], notUndoable: null },
} as const satisfies ModeTraits;

/** What is done with every row of an import, by mode. */
const IMPORT_MODES = {
  /** The client is created (interface.md 4.1), and added to the campaign when there is one (4.9). */
  create: {
    ...NOTHING,
    ...{ campaign: 'optional', creates: true, enqueues: true, hasPhones: true, calls: true },
    reversedBy: ['delete', 'dequeue'],
  },
  /** The same; where the client exists, its fields are changed (4.2) and its contacts added. */
  upsert: {
    ...NOTHING,
    ...{ campaign: 'optional', creates: true, enqueues: true, hasPhones: true, calls: true },
    reversedBy: ['delete', 'dequeue'],
  },
  /** Fields are changed (4.2), missing contacts added (4.3, 4.5, 4.6a). */
  update: { ...NOTHING, hasPhones: true, calls: true },
  /** The client is added to the campaign (4.9). */
  enqueue: {
    ...NOTHING,
    ...{ campaign: 'required', enqueues: true, calls: true },
    reversedBy: ['dequeue', 'delete'],
  },
  /** Its call application is removed from the campaign (4.10). */
  dequeue: {
    ...NOTHING,
    campaign: 'required',
    reversedBy: ['create', 'upsert', 'enqueue'],
    notUndoable: 'a call application that was removed cannot be put back as it was',
  },
  /** Statuses of its phones, e-mail addresses and addresses are changed (4.4, 4.6, 4.6b). */
  contacts: {
    ...NOTHING,
    hasPhones: true,
    notUndoable: 'the interface does not show what the statuses of contacts were',
  },
  /** A callback is created for it (4.20). */
  callbacks: {
    ...NOTHING,
    ...{ campaign: 'required', calls: true },
    notUndoable: 'no operation removes a callback',
  },
  /** Its synchronization identifiers are changed, by the internal id (4.6c). */
  rekey: {
    ...NOTHING,
    notUndoable: 'the interface does not show what the identifiers were',
  },
  /** It is deleted (4.7). */
  delete: {
    ...NOTHING,
    asksFirst: true,
    reversedBy: ['create', 'upsert'],
    notUndoable: 'a deleted client only comes back when it is added again, with "recovery"',
  },
} as const satisfies Record<string, ModeTraits>;

export type Mode = keyof typeof IMPORT_MODES;

/** Modes of imports. */
export const MODES = Object.keys(IMPORT_MODES) as readonly Mode[];

/** What a run does: the mode of an import, the undoing of an earlier run, or a comparison that changes nothing. */
export type RunMode = Mode | 'undo' | 'reconcile';
export const MODE_TRAITS: Readonly<Record<RunMode, ModeTraits>> = {
  ...IMPORT_MODES,
  undo: { ...NOTHING, notUndoable: 'import its rows again instead' },
  reconcile: { ...NOTHING, notUndoable: 'it changed nothing' },
};

/** Whether a run of this mode imports rows. */
export const isImport = (mode: RunMode): mode is Mode => mode in IMPORT_MODES;

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
  enqueued: { isGood: true, meaning: 'the card and its call application exist', colour: '#1a7f5a' },
  created: {
    isGood: true,
    meaning: 'the card exists; no campaign was asked for',
    colour: '#2e9e74',
  },
  updated: { isGood: true, meaning: 'the card or its contacts were changed', colour: '#3f8f9f' },
  unchanged: { isGood: true, meaning: 'the client was as the row says already', colour: '#6fa5ad' },
  dequeued: { isGood: true, meaning: 'the call application was removed', colour: '#4a7fb5' },
  scheduled: { isGood: true, meaning: 'the callback was created', colour: '#5b6fc4' },
  deleted: { isGood: true, meaning: 'the card was deleted', colour: '#6d6a8a' },
  undone: {
    isGood: true,
    meaning: 'all that an earlier run did with the row was taken back',
    colour: '#7d8597',
  },
  match: { isGood: true, meaning: 'the card is as the row says', colour: '#1a7f5a' },
  different: { isGood: false, meaning: 'the card differs from the row', colour: '#c77d0a' },
  missing: { isGood: false, meaning: 'there is no card', colour: '#b3261e' },
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
  skipped: { isGood: true, meaning: 'left out by a rule, or done before', colour: '#9aa3af' },
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
