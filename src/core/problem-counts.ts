import type { Problem, ProblemCount } from './problem.js';

/** Counts problems, or remarks, by column and code. */
export class ProblemCounts {
  #counts = new Map<string, ProblemCount>();

  add({ column, code, message }: Problem, row: number): void {
    this.#count({ column, code, message, count: 1, firstRow: row });
  }

  /** Adds what was counted elsewhere, of rows that come later. */
  addCounts(counts: readonly ProblemCount[]): void {
    for (const count of counts) this.#count(count);
  }

  /** The most frequent first; equally frequent ones in the order of their first rows. */
  list(): ProblemCount[] {
    return [...this.#counts.values()].sort((a, b) => b.count - a.count);
  }

  /** The counts so far, which are then forgotten. */
  take(): ProblemCount[] {
    const taken = [...this.#counts.values()];
    this.#counts.clear();
    return taken;
  }

  #count(count: ProblemCount): void {
    const key = `${count.column ?? ''}\u0000${count.code}`;
    const found = this.#counts.get(key);
    this.#counts.set(key, found ? { ...found, count: found.count + count.count } : count);
  }
}
