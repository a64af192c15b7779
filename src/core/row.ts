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
}
