import type { Cell } from '../../../core/table.js';
import { dateText, isoText } from './date.js';
import { errorCell, type CellContent, plainNumber } from './content.js';
import type { CellFormat } from './format.js';
import { numberText } from './number.js';
import type { StringTable } from '../table.js';
import { decodeEscapes } from '../xml/text.js';

/** What the cells of all sheets refer to. */
export interface Shared {
  readonly strings: StringTable;
  readonly styles: readonly CellFormat[];
  /** Whether the workbook names styles and has none, so that a number may be a date. */
  readonly lacksStyles: boolean;
  readonly date1904: boolean;
}

/** A cell refers to a shared string that does not exist. */
export class NoSuchStringError extends Error {}

/**
 * The text of a cell from its stored value. `type` is the attribute `t` of the cell, `style` its attribute `s`.
 * @throws NoSuchStringError
 */
export function cellText(value: string, type: string, style: number, shared: Shared): CellContent {
  if (type === 'e') return errorCell(value.trim());
  if (value === '') return null;
  switch (type) {
    case 's':
      return sharedText(value, shared);
    case 'b':
      return booleanText(value.trim());
    case 'd':
      return isoText(value.trim());
    case 'str':
    case 'inlineStr':
      return decodeEscapes(value);
    default:
      return numericText(value, shared.styles[style] ?? 'number', shared.date1904);
  }
}

/** The text of a number as its format shows it; text that is no number is given as it is. */
export function numericText(stored: string, format: CellFormat, date1904: boolean): CellContent {
  const value = stored.trim();
  if (value === '') return null;
  if (format === 'number') return plainNumber(numberText(value));
  if (typeof format === 'object') return format.content(numberText(value));
  const serial = Number(value);
  return (Number.isFinite(serial) ? dateText(serial, format, date1904) : null) ?? numberText(value);
}

function sharedText(value: string, { strings }: Shared): Cell {
  const digits = value.trim();
  const text = /^\d{1,9}$/.test(digits) ? strings.get(Number(digits)) : undefined;
  if (text === undefined) throw new NoSuchStringError();
  return text === '' ? null : text;
}

function booleanText(value: string): string {
  if (value === '1') return 'true';
  return value === '0' ? 'false' : value.toLowerCase();
}
