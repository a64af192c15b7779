import type { ColumnEvidence, Row } from '../core/table.js';
import type { PreparedChunk } from '../core/prepared.js';
import { ProblemCounts, type Problem } from '../core/problem.js';
import { SuppressedTally } from '../core/suppressed.js';

/** Counts the rows of a chunk that are not sent, what is wrong with them, and what is left out of the others. */
export class ChunkTally {
  readonly #problems = new ProblemCounts();
  readonly #remarks = new ProblemCounts();
  readonly #suppressed = new SuppressedTally();
  #rejected = 0;
  #skipped = 0;

  /** Counts a row that is rejected or skipped. */
  leaveOut(
    row: number,
    isRejected: boolean,
    problems: readonly Problem[],
    remarks?: readonly Problem[],
  ): void {
    if (isRejected) {
      this.#rejected++;
      for (const problem of problems) this.#problems.add(problem, row);
    } else {
      this.#skipped++;
      for (const problem of problems) if (problem.lists) this.#suppressed.add(problem, 'rows');
    }
    this.remark(row, remarks);
  }

  accept(row: number, remarks: readonly Problem[] = []): void {
    this.remark(row, remarks);
    for (const remark of remarks) if (remark.lists) this.#suppressed.add(remark, 'phones');
  }

  remark(row: number, remarks: readonly Problem[] = []): void {
    for (const remark of remarks) this.#remarks.add(remark, row);
  }

  /** The counts of the chunk; what is counted then is of the next one. */
  take(): Pick<PreparedChunk, 'rejected' | 'skipped' | 'problems' | 'remarks' | 'suppressed'> {
    const [rejected, skipped] = [this.#rejected, this.#skipped];
    [this.#rejected, this.#skipped] = [0, 0];
    return {
      ...{ rejected, skipped },
      problems: this.#problems.take(),
      remarks: this.#remarks.take(),
      suppressed: this.#suppressed.take(),
    };
  }
}

/** Counts what was taken off the cells of a chunk, in the columns that the mapping uses. */
export class CleanedTally {
  readonly #looks = new Map<number, Record<string, number>>();

  constructor(
    private readonly headers: readonly string[],
    private readonly used: readonly string[],
  ) {}

  add({ cleaned }: Row): void {
    if (cleaned === undefined) return;
    for (const { column, what } of cleaned) {
      const looks = this.#looks.get(column) ?? {};
      looks[what] = (looks[what] ?? 0) + 1;
      this.#looks.set(column, looks);
    }
  }

  /** The counts of the chunk; what is counted then is of the next one. */
  take(): ColumnEvidence[] {
    const taken: ColumnEvidence[] = [];
    for (const [at, looks] of this.#looks) {
      const column = this.headers[at];
      if (column === undefined || !this.used.includes(column)) continue;
      const values = Object.values(looks).reduce((sum, count) => sum + count, 0);
      taken.push({ column, kind: 'cells', values, looks });
    }
    this.#looks.clear();
    return taken;
  }
}
