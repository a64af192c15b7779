import {
  type CellObject,
  type WorkBook,
  type WorkSheet,
  read,
  set_cptable,
  type ParsingOptions,
} from '@e965/xlsx';
import { InputError } from '../../core/errors.js';
import type { Row, Source, SourceOptions } from '../../core/table.js';
import type { FoundFile } from '../file.js';
import { Grid } from '../xlsx/cells/grid.js';
import { chooseSheets, type Sheet } from '../xlsx/workbook.js';
import { batchesOf, kept, sourceOf } from '../rows.js';
import { failEncrypted } from '../xlsx/limits.js';
import { Allowance, Archive } from '../zip.js';
import { readFile } from 'node:fs/promises';
import {
  cellFormat,
  errorCell,
  numericText as storedText,
  type CellContent,
  type CellFormat,
} from '../xlsx/cells/value.js';

/**
 * Opens a workbook of Excel 95, or older (`.xls`).
 * @throws InputError when it is too large, damaged, encrypted or lacks the wanted sheet
 */
export async function openOldXls(found: FoundFile, options: SourceOptions): Promise<Source> {
  checkSize(found, 'oldXls');
  // Its sheets cannot be told apart without parsing them all, so what was parsed is kept for the first reading.
  // Its texts are in the code page of their country.
  set_cptable(await import('@e965/xlsx/dist/cpexcel.full.mjs'));
  const workbook = await parseWorkbook(found.file, {});
  return openChosen(found, options, workbook, workbook);
}

/** Opens a binary workbook (`.xlsb`). Errors: as `openOldXls`, and those of a damaged zip. */
export async function openXlsb(found: FoundFile, options: SourceOptions): Promise<Source> {
  checkSize(found, 'xlsb');
  await checkParts(found.file);
  return openChosen(found, options, await parseWorkbook(found.file, { sheets: [] }), null);
}

function openChosen(
  found: FoundFile,
  options: SourceOptions,
  tabs: WorkBook,
  parsed: WorkBook | null,
): Source {
  const { SheetNames, Sheets, Workbook } = tabs;
  const hidden = new Set(
    Workbook?.Sheets?.filter(({ Hidden = 0 }) => Hidden > 0).map(({ name }) => name),
  );
  // Tabs without rows show only where their sheets are parsed.
  const sheets = SheetNames.map((name): Sheet => {
    const part = hasRows(Sheets[name] ?? {}) ? name : null;
    return { name, hidden: hidden.has(name), part };
  });
  const { about } = chooseSheets(sheets, options, { file: found.file });
  const names = about.sheets;
  let kept = parsed;
  async function* rows(progress: (bytes: number) => void): AsyncGenerator<readonly Row[]> {
    const workbook = kept ?? (await parseWorkbook(found.file, { sheets: [...names] }));
    kept = null;
    // Texts stand in the cells, too.
    Reflect.deleteProperty(workbook, 'Strings');
    const date1904 = workbook.Workbook?.WBProps?.date1904 === true;
    const allowance = new Allowance(found.bytes);
    for (const [index, name] of names.entries()) {
      const sheet = workbook.Sheets[name];
      const grid = new Grid({ file: found.file, sheet: name }, allowance);
      const reason = `sheet "${name}" is a chart or dialog without rows. Name another sheet.`;
      if (hasRows(sheet)) yield* batchesOf(grid.batch, adding(sheet, grid, date1904), grid.finish);
      else if (names.length === 1)
        throw new InputError('unknown_sheet', reason, { file: found.file });
      progress(Math.floor((found.bytes * (index + 1)) / names.length));
    }
  }
  // The whole file is parsed before its first row is given: nothing is left to be verified.
  return sourceOf(found, about, { rows, verify: () => Promise.resolve() });
}

function* adding(
  { '!data': rows = [], '!rows': about = [], '!merges': merges = [] }: WorkSheet,
  grid: Grid,
  date1904: boolean,
): Generator<void> {
  for (const { s: first, e: last } of merges) grid.merge(first.r + 1, last.r + 1, first.c);
  // There are as many formats as the workbook has styles, which is a few.
  const formatOf = kept(cellFormat);
  for (const [index, cells] of rows.entries()) {
    if (!Array.isArray(cells)) continue;
    grid.beginRow(index + 1, about[index]?.hidden);
    // Rows have holes, which this passes over.
    cells.forEach((cell, column) => {
      grid.goTo(index + 1, column);
      grid.put(contentOf(cell, formatOf, date1904));
    });
    grid.endRow();
    // Cells take most of the memory.
    rows[index] = [];
    if (grid.batch.isFull) yield;
  }
}

/** Charts, dialogs and macro sheets say so; only their parsing shows it. */
function hasRows(sheet: WorkSheet | undefined): sheet is WorkSheet {
  return sheet !== undefined && (sheet['!type'] ?? 'sheet') === 'sheet';
}

/** A number as it is stored, with its format, and a formula where there is one; nothing that is derived from them. */
const OPTIONS: ParsingOptions = {
  type: 'buffer',
  dense: true,
  cellDates: false,
  cellNF: true,
  cellText: false,
  cellHTML: false,
  cellFormula: false,
};

/** Parses a workbook whole. @throws InputError `encrypted`, `broken_workbook` */
async function parseWorkbook(file: string, options: ParsingOptions): Promise<WorkBook> {
  const bytes = await readFile(file);
  try {
    return read(bytes, { ...OPTIONS, ...options });
  } catch (error) {
    // The library's own words may hold content of the file; they decide what is wrong, and are not shown.
    if (error instanceof Error && /password|encrypt/i.test(error.message)) failEncrypted({ file });
    throw brokenWorkbook(file);
  }
}

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

function contentOf(
  { t: type, v: value, z: code }: CellObject,
  formatOf: (code: string) => CellFormat,
  date1904: boolean,
): CellContent {
  if (type === 'e' && value !== undefined) return errorOf(Number(value));
  if (typeof value === 'number')
    return numericText(value, typeof code === 'string' ? formatOf(code) : 'number', date1904);
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

const MIB = 2 ** 20;

/** Refuses a file that would take too much memory. @throws InputError `too_large` */
export function checkSize({ file, bytes }: FoundFile, kind: keyof typeof FILE_BYTES): void {
  const limit = FILE_BYTES[kind];
  if (bytes > limit) throw tooLarge(file, `has ${inMib(bytes)}, and the limit is ${inMib(limit)}`);
}

/** Unpacks the parts of a zip once, so that the library, which has no limits, meets none that is damaged or too large. */
async function checkParts(file: string): Promise<void> {
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

/**
 * Sizes of files that are held in memory whole. Measured, with 65,000 rows of 14 columns: a new `.xls` of 21 MB takes
 * 60 MB beside the file; SheetJS takes 21 to 48 bytes for each byte of an old one, which has 16,384 rows at the most, and
 * 5 for each unpacked byte of an `.xlsb`.
 */
const FILE_BYTES = {
  xls: 64 * MIB,
  oldXls: 8 * MIB,
  xlsb: 64 * MIB,
} as const;

/** Bytes of all parts of an `.xlsb` together, unpacked. */
const UNPACKED_BYTES = 128 * MIB;

/** The error for a workbook that is damaged. */
export function brokenWorkbook(file: string, cause?: Error): InputError {
  const reason =
    'the workbook is damaged, or of a kind that cannot be read. Open it in a spreadsheet program, save it as .xlsx and ' +
    'try again.';
  return new InputError('broken_workbook', reason, { file }, cause && { cause });
}
