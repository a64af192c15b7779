import { LIMITS } from '../limits.js';

/**
 * How much the rows of a workbook may hold in all, measured by the parts that they are read from. One text can be
 * referred to by millions of cells, one cell far to the right makes a row of thousands, and a row that is like the one
 * before takes next to nothing.
 */
export class Allowance {
  private content: number;
  private gaps: number;
  private rows: number;

  /** @param bytes compressed size of the parts */
  constructor(bytes: number) {
    this.content = Math.max(LIMITS.freeBytes, LIMITS.rowsRatio * bytes);
    this.gaps = Math.max(LIMITS.freeGaps, LIMITS.gapsRatio * bytes);
    this.rows = Math.max(LIMITS.freeRows, LIMITS.rowCountRatio * bytes);
  }

  /**
   * Takes a row from it; false when there is not enough left.
   * @param characters of its cells
   * @param cells up to its last one that is not empty
   * @param gaps how many of these are empty
   */
  spend(characters: number, cells: number, gaps: number): boolean {
    this.content -= characters + cells;
    this.gaps -= gaps;
    this.rows--;
    return this.content >= 0 && this.gaps >= 0 && this.rows >= 0;
  }
}
