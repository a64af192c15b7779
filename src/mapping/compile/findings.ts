import type { Problem } from '../../core/problem.js';
import type { Fault } from '../transforms/step.js';

/** The problems of one row, as they are found. */
export class Findings {
  readonly problems: Problem[] = [];

  add(column: string | null, { code, message }: Fault, value: string | null): void {
    this.problems.push({ column, code, message, value });
  }
}
