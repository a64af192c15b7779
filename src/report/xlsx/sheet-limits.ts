/** When a sheet is full. */
export interface SheetLimits {
  /** Rows, those above the data included. */
  readonly rows: number;
  /** Characters as they are stored. */
  readonly characters: number;
}

/** What Excel opens: a part of 4 GiB is too large, and a character takes up to three bytes. */
export const EXCEL_LIMITS: SheetLimits = { rows: 1_048_576, characters: 1024 ** 3 };
