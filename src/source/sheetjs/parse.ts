import { readFile } from 'node:fs/promises';
import { read, set_cptable, type ParsingOptions, type WorkBook } from '@e965/xlsx';
// Older workbooks hold texts in the code page of their country.
import * as codePages from '@e965/xlsx/dist/cpexcel.full.mjs';
import { InputError } from '../../core/errors.js';
import { brokenWorkbook } from './errors.js';

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
export async function parseWorkbook(file: string, options: ParsingOptions): Promise<WorkBook> {
  const bytes = await readFile(file);
  try {
    return read(bytes, { ...OPTIONS, ...options });
  } catch (error) {
    throw workbookError(file, error instanceof Error ? error.message : '');
  }
}

/** The library's own words may hold content of the file; they decide what is wrong, and are not shown. */
function workbookError(file: string, words: string): InputError {
  if (/password|encrypt/i.test(words)) {
    const reason = 'the workbook is encrypted. Save it without a password and try again.';
    return new InputError('encrypted', reason, { file });
  }
  return brokenWorkbook(file);
}
