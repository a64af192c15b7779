import type { Problem, ProblemCount } from './problem.js';

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
