import {
  type SheetProps,
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
import { batchesOf, sourceOf } from '../rows.js';
import { failEncrypted } from '../xlsx/limits.js';
import { Allowance } from '../zip.js';
import { CellTexts, checkParts, checkSize, brokenWorkbook } from './cell.js';
import { readFile } from 'node:fs/promises';
import * as codePages from '@e965/xlsx/dist/cpexcel.full.mjs';

/**
 * Opens a workbook of Excel 95, or older (`.xls`).
 * @throws InputError when it is too large, damaged, encrypted or lacks the wanted sheet
 */
export async function openOldXls(found: FoundFile, options: SourceOptions): Promise<Source> {
  checkSize(found, 'oldXls');
  // Its sheets cannot be told apart without parsing them all, so what was parsed is kept for the first reading.
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
  const { about } = chooseSheets(sheetsOf(tabs), options, { file: found.file });
  const names = about.sheets;
  let kept = parsed;
  async function* rows(progress: (bytes: number) => void): AsyncGenerator<readonly Row[]> {
    const workbook = kept ?? (await parseWorkbook(found.file, { sheets: [...names] }));
    kept = null;
    // Texts stand in the cells, too.
    Reflect.deleteProperty(workbook, 'Strings');
    const texts = new CellTexts(workbook.Workbook?.WBProps?.date1904 === true);
    const allowance = new Allowance(found.bytes);
    for (const [index, name] of names.entries()) {
      const sheet = workbook.Sheets[name];
      const grid = new Grid(name, { file: found.file, sheet: name }, allowance);
      if (hasRows(sheet)) yield* batchesOf(grid.batch, adding(sheet, grid, texts), grid.finish);
      else if (names.length === 1) throw noRows(found.file, name);
      progress(Math.floor((found.bytes * (index + 1)) / names.length));
    }
  }
  // The whole file is parsed before its first row is given: nothing is left to be verified.
  return sourceOf(found, about, { rows, verify: () => Promise.resolve() });
}

/** Tabs without rows show only where their sheets are parsed. */
function sheetsOf({ SheetNames: names, Sheets: sheets, Workbook: about }: WorkBook): Sheet[] {
  const hidden = new Set(about?.Sheets?.filter(isHidden).map(({ name }) => name));
  return names.map((name) => {
    const part = hasRows(sheets[name] ?? {}) ? name : null;
    return { name, hidden: hidden.has(name), part };
  });
}

function isHidden({ Hidden: hidden = 0 }: SheetProps): boolean {
  return hidden > 0;
}

/** Puts the rows of a sheet into a grid, and stops where its batch is full. */
function* adding(
  { '!data': rows = [], '!rows': about = [] }: WorkSheet,
  grid: Grid,
  texts: CellTexts,
): Generator<void> {
  for (const [index, cells] of rows.entries()) {
    if (!Array.isArray(cells)) continue;
    grid.beginRow(index + 1);
    if (about[index]?.hidden === true) grid.hideRow();
    // Rows have holes, which this passes over.
    cells.forEach((cell, column) => {
      grid.goTo(index + 1, column);
      grid.put(texts.text(cell));
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

function noRows(file: string, name: string): InputError {
  const reason = `sheet "${name}" is a chart or dialog without rows. Name another sheet.`;
  return new InputError('unknown_sheet', reason, { file });
}

// Older workbooks hold texts in the code page of their country.

set_cptable(codePages);

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

/**
 * Parses a workbook whole.
 * @throws InputError `encrypted`, `broken_workbook`
 */
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
