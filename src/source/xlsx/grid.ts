import type { InputPlace } from '../../core/errors.js';
import type { Cell, Row } from '../../core/row.js';
import { fail, SAVE_AGAIN } from './fault.js';
import { LIMITS } from './limits.js';
import { columnLetters } from './reference.js';

/**
 * Puts cells in their places and gathers rows. Rows and cells may be without references: then they follow the one
 * before. Trailing empty cells and rows without any cell are left out.
 */
export class Grid {
  /** Rows that are complete and wait to be fetched. */
  rows: Row[] = [];
  /** Cells of those rows, empty ones counted. */
  size = 0;
  private row = 0;
  private previous = 0;
  /** Whether the row has no number of its own, so that its cells may give it one. */
  private loose = false;
  private next = 0;
  private cells: Cell[] = [];
  constructor(
    private readonly sheet: string,
    private readonly place: InputPlace,
  ) {}

  /** Begins the row of that number, or the one after the last when it has none. */
  beginRow(number: number | null): void {
    this.loose = number === null;
    this.next = 0;
    this.cells = [];
    this.setRow(number ?? this.previous + 1);
  }

  endRow(): void {
    const { cells, row } = this;
    this.previous = row;
    if (cells.length === 0) return;
    this.rows.push({ sheet: this.sheet, row, cells });
    this.size += cells.length;
  }

  /** Goes to a cell by its reference: row from 1, column from 0. */
  goTo(row: number, column: number): void {
    if (row !== this.row) {
      if (!this.loose || this.cells.length > 0) this.failReference('a cell lies in another row');
      this.setRow(row);
    }
    this.loose = false;
    if (column < 0 || column >= LIMITS.columns)
      this.failReference(`a cell lies beyond the last possible column, XFD`);
    this.next = column;
  }

  /** Puts text into the current cell, and goes on to the one after it. */
  put(text: Cell): void {
    const column = this.next++;
    if (text === null || text === '') return;
    if (column >= LIMITS.columns) this.failReference('it has more columns than a sheet can have');
    const { cells } = this;
    if (column < cells.length) {
      if (cells[column] !== null) this.failReference('a cell is given twice', column);
      cells[column] = text;
      return;
    }
    while (cells.length < column) cells.push(null);
    cells.push(text);
  }

  /** Where an error is that concerns the current row. */
  rowPlace(): InputPlace {
    return { ...this.place, row: this.row };
  }

  /** Where an error is that concerns the current cell. */
  here(): InputPlace {
    return { ...this.rowPlace(), column: columnLetters(this.next) };
  }

  take(): Row[] {
    const { rows } = this;
    this.rows = [];
    this.size = 0;
    return rows;
  }

  private setRow(row: number): void {
    this.row = row;
    if (!Number.isInteger(row) || row < 1 || row > LIMITS.rows)
      this.failReference(`row numbers go from 1 to ${LIMITS.rows}, and this is none of them`);
    if (row <= this.previous) this.failReference(`it comes after row ${this.previous}`);
  }

  private failReference(what: string, column?: number): never {
    const place = this.rowPlace();
    const at = column === undefined ? place : { ...place, column: columnLetters(column) };
    fail('bad_reference', `${what}. ${SAVE_AGAIN}`, at);
  }
}
