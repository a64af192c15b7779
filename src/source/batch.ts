import { errorInCell, type Row, type RowDefect } from '../core/table.js';
import { isErrorWord } from '../core/error-words.js';
import { BATCH_CHARACTERS, BATCH_ROWS, CELL_CHARACTERS } from './limits.js';

/** Gathers rows that are handed on together: few enough that their memory is bounded, whatever they hold. */
export class Batch {
  #rows: Row[] = [];
  #weight = 0;

  /**
   * @param characters length of its cells, or of the text that they were cut from
   * @param isPlain whether no cell is the error of a formula in words, as far as is known. @default false: each is looked at
   */
  add(row: Row, characters: number, isPlain = false): void {
    this.#rows.push(isPlain ? row : withErrors(row));
    this.#weight += characters + CELL_CHARACTERS * row.cells.length;
  }

  /** Whether no row should be added before these are taken. */
  get isFull(): boolean {
    return this.#rows.length >= BATCH_ROWS || this.#weight >= BATCH_CHARACTERS;
  }

  get isEmpty(): boolean {
    return this.#rows.length === 0;
  }

  take(): Row[] {
    const rows = this.#rows;
    this.#rows = [];
    this.#weight = 0;
    return rows;
  }
}

/** The row, with the errors of formulas that stand in it as texts: in a CSV file, and where a sheet was pasted as values. */
function withErrors(row: Row): Row {
  let found: RowDefect[] | undefined;
  for (let at = 0; at < row.cells.length; at++) {
    const cell = row.cells[at];
    if (cell && isErrorWord(cell) && !row.defects?.some(({ column }) => column === at))
      (found ??= []).push(errorInCell(at));
  }
  return found ? { ...row, defects: [...(row.defects ?? []), ...found] } : row;
}
