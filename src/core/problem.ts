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
