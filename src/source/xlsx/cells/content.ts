import type { Cell } from '../../../core/table.js';

/** A cell that is more than its text. */
export interface SpecialCell {
  /** What it shows. */
  readonly text: Cell;
  /** The number in it, in plain digits, where its format shows it as another text, or where it has decimals. */
  readonly number?: string;
  /** Whether it is the error of a formula, such as `#N/A`. */
  readonly isError?: boolean;
}

/** What a cell of a workbook holds. */
export type CellContent = Cell | SpecialCell;

/** A number as it is shown; one with decimals says what it is, since its point could stand between thousands. */
export const plainNumber = (text: string): CellContent =>
  text.includes('.') ? { text, number: text } : text;

/** What a cell holds that is the error of a formula. */
export const errorCell = (text: string): SpecialCell => ({
  text: text === '' ? '#VALUE!' : text,
  isError: true,
});
