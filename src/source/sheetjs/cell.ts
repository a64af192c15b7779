import type { CellObject } from '@e965/xlsx';
import { dateText } from '../xlsx/cells/date.js';
import { errorCell, plainNumber, type CellContent } from '../xlsx/cells/content.js';
import { cellFormat, type CellFormat } from '../xlsx/cells/format.js';
import { numberText } from '../xlsx/cells/number.js';

/** What error cells show, by their number ([MS-XLS] 2.5.10). */
const ERRORS: Readonly<Record<number, string>> = {
  0x00: '#NULL!',
  0x07: '#DIV/0!',
  0x0f: '#VALUE!',
  0x17: '#REF!',
  0x1d: '#NAME?',
  0x24: '#NUM!',
  0x2a: '#N/A',
  0x2b: '#GETTING_DATA',
};

/** What an error cell holds, by the number of its error. */
export const errorOf = (number: number): CellContent => errorCell(ERRORS[number] ?? '');

/** What a number shows: a date or time where its format is of one, else its digits. */
export function numericText(value: number, format: CellFormat, date1904: boolean): CellContent {
  if (!Number.isFinite(value)) return null;
  if (typeof format === 'object') return format.content(numberText(String(value)));
  const date = format === 'number' ? null : dateText(value, format, date1904);
  return date ?? plainNumber(numberText(String(value)));
}

/** Texts of cells, the same as those of an `.xlsx` with the same cells. */
export class CellTexts {
  private readonly kinds = new Map<string, CellFormat>();

  constructor(private readonly date1904: boolean) {}

  text({ t: type, v: value, z: format }: CellObject): CellContent {
    if (value === undefined) return null;
    if (type === 'e') return errorOf(Number(value));
    if (typeof value === 'number') return this.numeric(value, format);
    if (typeof value === 'boolean') return value ? 'true' : 'false';
    return typeof value === 'string' && value !== '' ? value : null;
  }

  private numeric(value: number, format: string | number | undefined): CellContent {
    const kind = typeof format === 'string' ? this.kindOf(format) : 'number';
    return numericText(value, kind, this.date1904);
  }

  /** There are as many formats as the workbook has styles, which is a few. */
  private kindOf(format: string): CellFormat {
    const known = this.kinds.get(format);
    if (known !== undefined) return known;
    const kind = cellFormat(format);
    this.kinds.set(format, kind);
    return kind;
  }
}
