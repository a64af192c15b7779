import type { CellObject } from '@e965/xlsx';
import { numericText as storedText } from '../xlsx/cells/value.js';
import { errorCell, type CellContent, cellFormat, type CellFormat } from '../xlsx/cells/value.js';
import { InputError } from '../../core/errors.js';
import type { FoundFile } from '../file.js';
import { Archive } from '../zip.js';

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
  return Number.isFinite(value) ? storedText(String(value), format, date1904) : null;
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

const MIB = 2 ** 20;

/** Refuses a file that would take too much memory. @throws InputError `too_large` */
export function checkSize({ file, bytes }: FoundFile, kind: keyof typeof FILE_BYTES): void {
  const limit = FILE_BYTES[kind];
  if (bytes > limit) throw tooLarge(file, `has ${inMib(bytes)}, and the limit is ${inMib(limit)}`);
}

/**
 * Unpacks the parts of a zip once, so that the library, which has no limits, meets nothing but whole parts that are not
 * too large.
 * @throws InputError
 */
export async function checkParts(file: string): Promise<void> {
  await Archive.use(file, (archive) => {
    const names = [...archive.names()];
    const unpacked = names.reduce((sum, name) => sum + archive.unpackedBytes(name), 0);
    if (unpacked > UNPACKED_BYTES) {
      const limit = inMib(UNPACKED_BYTES);
      throw tooLarge(file, `holds ${inMib(unpacked)}, unpacked, and the limit is ${limit}`);
    }
    return archive.verify(names.map((name) => [name, 'sheet']));
  });
}

const inMib = (bytes: number): string => `${Math.ceil(bytes / MIB)} MiB`;

function tooLarge(file: string, what: string): InputError {
  const reason = `the workbook ${what}: files of this kind are read into memory whole. Save it as .xlsx or CSV, which have no such limit.`;
  return new InputError('too_large', reason, { file });
}

const MiB = 2 ** 20;

/**
 * Sizes of files that are held in memory whole. Measured, with 65,000 rows of 14 columns: a new `.xls` of 21 MB takes
 * 60 MB beside the file; SheetJS takes 21 to 48 bytes for each byte of an old one, which has 16,384 rows at the most, and
 * 5 for each unpacked byte of an `.xlsb`.
 */
const FILE_BYTES = {
  xls: 64 * MiB,
  oldXls: 8 * MiB,
  xlsb: 64 * MiB,
} as const;

/** Bytes of all parts of an `.xlsb` together, unpacked. */
const UNPACKED_BYTES = 128 * MiB;

/** The error for a workbook that is damaged. */
export function brokenWorkbook(file: string, cause?: Error): InputError {
  const reason =
    'the workbook is damaged, or of a kind that cannot be read. Open it in a spreadsheet program, save it as .xlsx and ' +
    'try again.';
  return new InputError('broken_workbook', reason, { file }, cause && { cause });
}
