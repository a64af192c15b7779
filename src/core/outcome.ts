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

/** What becomes of a row with a number on a list: the number is left out, or the whole row. */
export type Scope = 'phone' | 'row';

/** The lists of numbers that must not be called that a number is on. */
export interface Listed {
  readonly names: readonly string[];
  /** `row` where one of them leaves out whole rows. */
  readonly scope: Scope;
}

/** What says whether a number must not be called. */
export interface NumberCheck {
  /** The lists that a number is on, E.164 without the plus; `null` where it is on none. */
  check(number: number): Listed | null;
}

/** Lists of numbers that must not be called, which may change while a run is at work. */
export interface ListsPort {
  /** The lists as they are now. */
  current(): Promise<NumberCheck>;
}

export const SUPPRESSED = 'suppressed';

/** Lists as a message names them. */
export function listsText(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`).join(', ');
  return names.length === 1 ? `the list ${quoted}` : `the lists ${quoted}`;
}

/** What of a row is of interest here. */
interface LeftOut {
  readonly outcome: string;
  readonly problems: readonly Problem[];
  readonly remarks?: readonly Problem[] | undefined;
  readonly heldBy?: readonly string[] | undefined;
}

/** What a list did. */
export interface SuppressedCount {
  readonly list: string;
  /** Rows that were left out because of it, and maybe of others; also those that came onto it while the run went on. */
  readonly rows: number;
  /** Phones that were left out of rows that are sent. */
  readonly phones: number;
}

/** Counts by list what is left out. */
export class SuppressedTally {
  readonly #counts = new Map<string, { rows: number; phones: number }>();

  /** @param what whether the row is left out, or a phone of it */
  add({ lists = [] }: Problem, what: 'rows' | 'phones'): void {
    for (const list of lists) this.#of(list)[what]++;
  }

  /** Adds what is left out of a row, or the row. */
  addRow({ outcome, problems, remarks, heldBy }: LeftOut): void {
    if (outcome === 'skipped')
      for (const problem of problems) if (problem.lists) this.add(problem, 'rows');
    if (remarks) for (const remark of remarks) if (remark.lists) this.add(remark, 'phones');
    if (heldBy) for (const list of heldBy) this.#of(list).rows++;
  }

  /** Adds what was counted elsewhere. */
  addCounts(counts: readonly SuppressedCount[] = []): void {
    for (const { list, rows, phones } of counts) {
      const count = this.#of(list);
      count.rows += rows;
      count.phones += phones;
    }
  }

  /** By list, the one that did most first. */
  list(): SuppressedCount[] {
    const all = [...this.#counts].map(([list, counts]) => ({ list, ...counts }));
    return all.sort((a, b) => b.rows + b.phones - (a.rows + a.phones));
  }

  /** The counts so far, which are then forgotten. */
  take(): SuppressedCount[] {
    const taken = this.list();
    this.#counts.clear();
    return taken;
  }

  #of(list: string): { rows: number; phones: number } {
    let count = this.#counts.get(list);
    if (!count) this.#counts.set(list, (count = { rows: 0, phones: 0 }));
    return count;
  }
}

/** Why a row, or one cell of it, could not be used; of a remark, what was left out of a row that is sent. */
export interface Problem {
  /** Header of the column; `null` when the whole row is meant. */
  readonly column: string | null;
  /** Short machine-readable word, such as `required` or `not_a_number`. */
  readonly code: string;
  /** What is wrong and what would be right, in plain words, without the value. */
  readonly message: string;
  /** The value as it stood in the file; `null` when there was none. Personal data: never logged. */
  readonly value: string | null;
  /** Of a phone that must not be called: the names of all lists that it, or its row, is on. */
  readonly lists?: readonly string[];
}

/** What is said of a column, with its name before it; of a whole row, as it is. */
export const columnMessage = ({ column, message }: Pick<Problem, 'column' | 'message'>): string =>
  column === null ? message : `${column}: ${message}`;

/** A problem of a whole row, or a remark on it. */
export const rowProblem = (code: string, message: string): Problem => ({
  ...{ column: null, code, message, value: null },
});

/** How often one problem occurred. */
export interface ProblemCount {
  readonly column: string | null;
  readonly code: string;
  readonly message: string;
  readonly count: number;
  /** Row number of the first row that has it. */
  readonly firstRow: number;
}

type Counted = { -readonly [K in keyof ProblemCount]: ProblemCount[K] };

/** Counts problems, or remarks, by column and code. */
export class ProblemCounts {
  /** By column, and by code: a remark that every row has makes no text for each. */
  readonly #counts = new Map<string | null, Map<string, Counted>>();
  /** All of them, in the order of their first rows. */
  #all: Counted[] = [];

  add({ column, code, message }: Problem, row: number): void {
    const found = this.#counts.get(column)?.get(code);
    if (found) found.count++;
    else this.#begin({ column, code, message, count: 1, firstRow: row });
  }

  /** Adds what was counted elsewhere, of rows that come later. */
  addCounts(counts: readonly ProblemCount[]): void {
    for (const count of counts) {
      const found = this.#counts.get(count.column)?.get(count.code);
      if (found) found.count += count.count;
      else this.#begin({ ...count });
    }
  }

  /** The most frequent first; equally frequent ones in the order of their first rows. */
  list(): ProblemCount[] {
    return this.#all.map((count) => ({ ...count })).sort((a, b) => b.count - a.count);
  }

  /** The counts so far, which are then forgotten. */
  take(): ProblemCount[] {
    const taken = this.#all;
    this.#counts.clear();
    this.#all = [];
    return taken;
  }

  #begin(count: Counted): void {
    let codes = this.#counts.get(count.column);
    if (!codes) this.#counts.set(count.column, (codes = new Map<string, Counted>()));
    codes.set(count.code, count);
    this.#all.push(count);
  }
}
