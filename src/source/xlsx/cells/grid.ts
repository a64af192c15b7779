import {
  type RowDefect,
  errorInCell,
  type Cell,
  columnLetters,
  type Row,
} from '../../../core/table.js';
import type { InputPlace } from '../../../core/errors.js';
import type { Allowance } from '../../zip.js';
import { Batch, ROW_BYTES } from '../../rows.js';
import { fail, SAVE_AGAIN, LIMITS } from '../limits.js';
import type { CellContent } from './value.js';

type MergedCell = NonNullable<Row['merged']>[number];

/** Empty cells that are copied where the next cell lies farther than this: one by one they take eight times as long. */
const FAR = 64;
const EMPTY: readonly Cell[] = Array.from({ length: LIMITS.columns }, () => null);

/**
 * Puts cells in their places and gathers rows. Rows and cells may be without references: then they follow the one
 * before. Trailing empty cells and rows without any cell are left out. Rows with the same number, one after the other,
 * are one row, as Excel has it: so a row is handed on when the next one begins.
 */
export class Grid {
  private row = 0;
  private previous = 0;
  /** Whether the row has no number of its own, so that its cells may give it one. */
  private loose = false;
  private next = 0;
  private cells: Cell[] = [];
  private defects: RowDefect[] = [];
  private isHidden = false;
  private numbers: [column: number, number: string][] = [];
  /** Where cells begin that go on over rows below, by their first row. */
  private readonly merges = new Map<number, { readonly column: number; readonly last: number }[]>();
  /** Those that have begun, by their column, each with its last row. */
  private readonly open = new Map<number, MergedCell & { readonly last: number }>();
  /** Whether the row has ended, and has not been handed on yet. */
  private waits = false;
  private characters = 0;
  private filled = 0;
  constructor(
    readonly place: InputPlace & { readonly sheet: string },
    private readonly allowance: Allowance,
    readonly batch = new Batch(),
  ) {}

  /**
   * Begins the row of that number, or the one after the last when it has none.
   * @param isHidden by hand or by a filter. @default false
   */
  beginRow(number: number | null, isHidden = false): void {
    this.loose = number === null;
    this.next = 0;
    if (this.waits && number === this.row) {
      this.waits = false;
      this.isHidden ||= isHidden;
      return;
    }
    this.finish();
    this.cells = [];
    this.defects = [];
    this.isHidden = isHidden;
    if (this.numbers.length > 0) this.numbers = [];
    this.characters = 0;
    this.filled = 0;
    this.setRow(number ?? this.previous + 1);
  }

  endRow(): void {
    const { cells, characters } = this;
    this.previous = this.row;
    this.waits = true;
    if (cells.length === 0 && this.defects.length === 0) return;
    if (characters > ROW_BYTES / 3 && bytesOf(cells) > ROW_BYTES) this.failLong();
    if (!this.allowance.spend(characters, cells.length, cells.length - this.filled))
      this.failBomb();
  }

  readonly finish = (): void => {
    if (!this.waits) return;
    this.waits = false;
    const { row, cells, defects, numbers, isHidden } = this;
    const { sheet } = this.place;
    const merged = this.merges.size > 0 && cells.length > 0 ? this.mergedIn(row) : [];
    if (defects.length === 0 && numbers.length === 0 && !isHidden && merged.length === 0) {
      if (cells.length > 0) this.batch.add({ sheet, row, cells }, this.characters);
      return;
    }
    if (cells.length === 0 && defects.length === 0) return;
    const special = {
      ...(isHidden ? { isHidden } : {}),
      ...(defects.length > 0 ? { defects } : {}),
      ...(numbers.length > 0 ? { numbers } : {}),
      ...(merged.length > 0 ? { merged } : {}),
    };
    this.batch.add({ sheet, row, cells, ...special }, this.characters);
  };

  /** Says that a cell goes on over the rows below it: rows from 1, column from 0. To be called before its row has ended. */
  merge(first: number, last: number, column: number): void {
    if (last <= first) return;
    const begun = this.merges.get(first);
    if (begun) begun.push({ column, last });
    else this.merges.set(first, [{ column, last }]);
  }

  /** The cells of the row that are merged with one above it, and lets those begin that begin here. */
  private mergedIn(from: number): MergedCell[] {
    const merged: MergedCell[] = [];
    for (const [column, cell] of this.open)
      if (cell.last < from) this.open.delete(column);
      else if ((this.cells[column] ?? null) === null) {
        if (!this.allowance.spend(cell.text.length, 1, 0)) this.failBomb();
        merged.push(cell);
      }
    for (const { column, last } of this.merges.get(from) ?? []) {
      const text = this.cells[column] ?? null;
      const number = this.numbers.find(([at]) => at === column)?.[1];
      if (text !== null) this.open.set(column, { column, from, last, text, number });
    }
    return merged;
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

  put(content: CellContent): void {
    if (typeof content !== 'object' || content === null) {
      this.putText(content);
      return;
    }
    const { text, number, isError } = content;
    if (isError) this.defects.push(errorInCell(this.next));
    if (number !== undefined) this.numbers.push([this.next, number]);
    this.putText(text);
  }

  private putText(text: Cell): void {
    const column = this.next++;
    if (text === null || text === '') return;
    if (column >= LIMITS.columns) this.failReference('it has more columns than a sheet can have');
    const { cells } = this;
    this.characters += text.length;
    this.filled++;
    if (this.characters > ROW_BYTES) this.failLong();
    if (column < cells.length) {
      if (cells[column] !== null) this.failReference('a cell is given twice', column);
      cells[column] = text;
      return;
    }
    const gap = column - cells.length;
    // Arrays alone are joined without holes, and arrays with holes pass to another thread ten times as slowly.
    if (gap > FAR) this.cells = cells.concat(EMPTY.slice(0, gap), [text]);
    else {
      while (cells.length < column) cells.push(null);
      cells.push(text);
    }
  }

  /** Leaves the current cell empty, since its formula has no value, and goes on to the one after it. */
  putWithoutValue(): void {
    this.defects.push({
      column: this.next,
      code: 'formula_without_value',
      message:
        'The formula in this cell has no stored value. Open the file in a spreadsheet program, save it, and import it again.',
    });
    this.put(null);
  }

  /** Puts a number whose format is not known, and goes on to the one after it. */
  putWithoutFormat(text: Cell): void {
    // It may be a date.
    this.defects.push({
      column: this.next,
      code: 'number_without_format',
      message:
        'The format of this cell is missing from the workbook, so that a date could not be recognised. Open the file in a spreadsheet program, save it, and import it again.',
    });
    this.put(text);
  }

  /** Where an error is that concerns the current row. */
  rowPlace(): InputPlace {
    return { ...this.place, row: this.row };
  }

  /** Where an error is that concerns the current cell. */
  here(): InputPlace {
    return { ...this.rowPlace(), column: columnLetters(this.next) };
  }

  private setRow(row: number): void {
    this.row = row;
    if (!Number.isInteger(row) || row < 1 || row > LIMITS.rows)
      this.failReference(`row numbers go from 1 to ${LIMITS.rows}, and this is none of them`);
    if (row <= this.previous) this.failReference(`it comes after row ${this.previous}`);
  }

  private failLong(): never {
    const reason = 'the row holds more than 4 MiB of text. Shorten its cells.';
    fail('row_too_long', reason, this.rowPlace());
  }

  private failBomb(): never {
    const reason =
      'up to here, the rows hold far more than the file has bytes for, as in files that are made to harm. Delete stray ' +
      'cells far to the right, and long texts and rows that repeat themselves, or save the sheet as CSV.';
    fail('zip_bomb', reason, this.rowPlace());
  }

  private failReference(what: string, column?: number): never {
    const place = this.rowPlace();
    const at = column === undefined ? place : { ...place, column: columnLetters(column) };
    fail('bad_reference', `${what}. ${SAVE_AGAIN}`, at);
  }
}

function bytesOf(cells: readonly Cell[]): number {
  let bytes = 0;
  for (const cell of cells) if (cell !== null) bytes += Buffer.byteLength(cell);
  return bytes;
}
