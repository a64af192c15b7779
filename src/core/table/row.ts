/** A cell as text, as the person sees it; `null` when it is empty. Dates, times and booleans are text too. */
export type Cell = string | null;

/** One row of a spreadsheet, in the one shape that every source gives. */
export interface Row {
  /** Name of the sheet; `null` for CSV. */
  readonly sheet: string | null;
  /** Row number as the person sees it in a spreadsheet program: the header is usually row 1. */
  readonly row: number;
  /** The cells in column order. Trailing empty cells of a workbook are left out; a CSV keeps every field. */
  readonly cells: readonly Cell[];
  /** Set where the file itself leaves something out; a row that needs it is rejected. */
  readonly defects?: readonly RowDefect[];
  /**
   * Numbers, in plain digits, of cells whose format shows them as another text, which is what `cells` hold: zeros in
   * front, or words beside them; and those with decimals. Fields of numbers take these. Absent where there are none.
   */
  readonly numbers?: readonly (readonly [column: number, number: string])[];
  /** Set where the file is read otherwise than it is written, as at a stray quote: they are remarks on the row. */
  readonly remarks?: readonly RowDefect[];
  /** Set where the row is no data, such as a total below the table: why it is skipped. */
  readonly leftOut?: RowDefect;
  /** Set where the program does not show the row: hidden by hand or by a filter. It is data all the same. */
  readonly isHidden?: boolean;
  /** Indexes of the columns whose cells a person has corrected; absent where none was. */
  readonly corrected?: readonly number[];
  /** What was taken off its cells since it is no part of their values; absent where nothing was. */
  readonly cleaned?: readonly Cleaned[];
}

/** What was taken off a cell: the mark by which programs say that it is text, or signs that nobody sees. */
export interface Cleaned {
  /** Index of the column. */
  readonly column: number;
  readonly what: 'mark' | 'invisible';
}

/** What a row lacks in its file, such as the value of a formula. */
export interface RowDefect {
  /** Index of the column; `null` when the whole row is meant. */
  readonly column: number | null;
  /** Names of values that have no column: where the mapping cannot use them, the row is sent with a remark. */
  readonly names?: readonly string[];
  /** Code and message of the problem that it becomes. */
  readonly code: string;
  readonly message: string;
}

/** Code of the remark on a row with a quote that opens or closes no cell. */
export const STRAY_QUOTE = 'stray_quote';

/** Code of the defect of a record with a name that is no column. */
export const UNKNOWN_NAME = 'unknown_name';

/** The defect of a number that may be a date: its format is not in the workbook. */
export function numberWithoutFormat(column: number): RowDefect {
  const message =
    'The format of this cell is missing from the workbook, so that a date could not be recognised. Open the file in a spreadsheet program, save it, and import it again.';
  return { column, code: 'number_without_format', message };
}

/** Code of the defect of a cell that holds the error of a formula. */
export const ERROR_VALUE = 'error_value';

/** The defect of a cell whose formula ended in an error. */
export function errorInCell(column: number): RowDefect {
  const message =
    'The cell holds the error of a formula, such as #N/A or #REF!, and no value. Mend the formula in a spreadsheet program, or clear the cell.';
  return { column, code: ERROR_VALUE, message };
}

/** The defect of a cell whose formula was never calculated by a spreadsheet program. */
export function formulaWithoutValue(column: number): RowDefect {
  const message =
    'The formula in this cell has no stored value. Open the file in a spreadsheet program, save it, and import it again.';
  return { column, code: 'formula_without_value', message };
}
