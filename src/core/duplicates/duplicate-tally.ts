import type { Outcome } from '../outcome.js';
import type { Problem, ProblemCount } from '../problem.js';
import { ProblemCounts } from '../problem-counts.js';
import { isDuplicate } from './duplicate-problem.js';

/** What there is to know of a row for this. */
interface EndedRow {
  readonly row: number;
  readonly outcome: Outcome;
  readonly problems: readonly Problem[];
}

/** Counts rows that are left out as duplicates, by code, as they go by. */
export class DuplicateTally {
  readonly #counts = new ProblemCounts();

  add({ row, outcome, problems }: EndedRow): void {
    if (outcome !== 'skipped') return;
    for (const problem of problems) if (isDuplicate(problem)) this.#counts.add(problem, row);
  }

  /** The most frequent first. */
  list(): readonly ProblemCount[] {
    return this.#counts.list();
  }
}
