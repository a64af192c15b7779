import type { Problem } from './problem.js';

/** What becomes of a row with a number on a list: the number is left out, or the whole row. */
export const SCOPES = ['phone', 'row'] as const;
export type Scope = (typeof SCOPES)[number];

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
