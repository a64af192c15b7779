import type { Problem } from '../../core/problem.js';
import type { InvalidValue } from '../transforms/step.js';

/** The problems of one row, as they are found. */
export class RowProblems {
  readonly list: Problem[] = [];

  add(column: string | null, { code, message }: InvalidValue, value: string | null): void {
    this.list.push({ column, code, message, value });
  }
}
