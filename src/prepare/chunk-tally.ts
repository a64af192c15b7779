import type { PreparedChunk } from '../core/client/prepared.js';
import { ProblemCounts } from '../core/problem-counts.js';
import type { Problem } from '../core/problem.js';
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
