import { LIMITS } from './limits.js';

/**
 * How much the rows of a workbook may hold in all, measured by the parts that they are read from. One text can be
 * referred to by millions of cells, and one cell far to the right makes a row of thousands.
 */
export class Allowance {
  private rest: number;

  /** @param bytes compressed size of the parts */
  constructor(bytes: number) {
    this.rest = Math.max(LIMITS.freeBytes, LIMITS.rowsRatio * bytes);
  }

  /** Takes so many characters and cells from it; false when there are not so many left. */
  spend(amount: number): boolean {
    this.rest -= amount;
    return this.rest >= 0;
  }
}
