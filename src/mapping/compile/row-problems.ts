import type { Problem } from '../../core/problem.js';
import type { InvalidValue, Remarks } from '../transforms/step.js';

/** The problems of one row, and what is left out of it, as they are found. */
export class RowProblems implements Remarks {
  readonly list: Problem[] = [];
  #dropped: Problem[] | undefined;
  #remarks: Problem[] | undefined;

  add(column: string | null, { code, message }: InvalidValue, value: string | null): void {
    this.list.push({ column, code, message, value });
  }

  remark(column: string | null, { code, message }: InvalidValue, value: string | null): void {
    (this.#remarks ??= []).push({ column, code, message, value });
  }

  /** How many values have been left out so far. */
  get dropped(): number {
    return this.#dropped?.length ?? 0;
  }

  /** Leaves out a value that is wrong, in place of rejecting the row. */
  drop(column: string | null, { code, message }: InvalidValue, value: string | null): void {
    (this.#dropped ??= []).push({ column, code, message, value });
  }

  /** Makes of the problems from place `from` on what is left out. */
  dropFrom(from: number): void {
    (this.#dropped ??= []).push(...this.list.splice(from));
  }

  /** Makes problems again of what was left out from place `from` on: without it, the row cannot be sent. */
  requireFrom(from: number): void {
    this.list.push(...(this.#dropped?.splice(from) ?? []));
  }

  /** What a report says of the row when it is sent; `undefined` where nothing was left out. */
  get remarks(): readonly Problem[] | undefined {
    if (this.#dropped === undefined) return this.#remarks;
    const dropped = this.#dropped.map((problem) => ({
      ...problem,
      message: `Left out: ${problem.message}`,
    }));
    return this.#remarks ? [...dropped, ...this.#remarks] : dropped;
  }
}
