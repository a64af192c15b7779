import type { Fact } from '../../../core/facts.js';
import type { Outcome } from '../../../core/outcome.js';
import type { ProblemCount } from '../../../core/problem.js';
import { shortened } from '../../../core/text.js';

/** Why rows of a run do not end well. */
export interface RecentReason {
  readonly outcome: Extract<Outcome, 'failed' | 'enqueue_failed' | 'rejected'>;
  /** Column and code of a rejected row's problem; `null` for words of the contact center. */
  readonly column: string | null;
  readonly code: string | null;
  /** Messages that differ in numbers only are one reason, with … in place of the numbers. */
  readonly message: string;
  readonly rows: number;
  /** When the last such row was noticed, in milliseconds since the epoch. */
  readonly at: number;
}

const NUMBER = /\d+/g;
/** The contact center may put a row's values into each message. */
const MAX_REASONS = 1000;

/** Counts why rows of a run do not end well, from its facts. Memory does not grow with the rows. */
export class RecentReasons {
  readonly #reasons = new Map<string, RecentReason>();

  constructor(private readonly now: () => number) {}

  addFacts(facts: readonly Fact[]): void {
    for (const fact of facts)
      if (fact.kind === 'created')
        for (const [, , refusal] of fact.results) this.#addRefusal('failed', refusal);
      else if (fact.kind === 'enqueued')
        for (const [, refusal] of fact.results) this.#addRefusal('enqueue_failed', refusal);
      else if (fact.kind === 'changed')
        for (const [, refusal] of fact.results) this.#addRefusal('failed', refusal ?? undefined);
  }

  addProblems(problems: readonly ProblemCount[]): void {
    for (const { column, code, message, count } of problems)
      this.#add({ outcome: 'rejected', column, code, message }, count);
  }

  /** The latest first. */
  list(count: number): RecentReason[] {
    return [...this.#reasons.values()]
      .sort((a, b) => b.at - a.at || b.rows - a.rows)
      .slice(0, count);
  }

  #addRefusal(outcome: RecentReason['outcome'], refusal: string | undefined): void {
    if (refusal === undefined) return;
    const message = shortened(refusal).replace(NUMBER, '…');
    this.#add({ outcome, column: null, code: null, message }, 1);
  }

  #add(reason: Omit<RecentReason, 'rows' | 'at'>, rows: number): void {
    const key = JSON.stringify(Object.values(reason));
    const found = this.#reasons.get(key);
    if (!found && this.#reasons.size >= MAX_REASONS) return;
    this.#reasons.set(key, { ...reason, rows: (found?.rows ?? 0) + rows, at: this.now() });
  }
}
