import { InputError } from '../../core/errors.js';
import { ROW_CELLS } from '../limits.js';

// No error holds content of the file, which is personal data.

/** The error for a quote that is open at the end of the file. */
export function unclosedQuote(file: string, line: number, quote = '"'): InputError {
  const reason = `a cell begins with a quote (${quote}) that is never closed. Close it, or double it if it belongs to the text.`;
  return new InputError('unclosed_quote', reason, { file, line });
}

/** The error for a cell that is longer than a reader keeps. */
export function cellTooLong(file: string, line: number): InputError {
  const reason =
    'a cell is longer than 1 MiB. Is there a quote (") before it that was never closed?';
  return new InputError('cell_too_long', reason, { file, line });
}

/** The error for a row whose text is longer than a reader keeps. */
export function rowTooLong(file: string, line: number): InputError {
  const reason =
    'a row is longer than 4 MiB. Is this the right delimiter, and is every quote (") closed?';
  return new InputError('row_too_long', reason, { file, line });
}

/** The error for a row of more cells than a reader keeps. */
export function tooManyCells(file: string, line: number): InputError {
  const reason = `a row has more than ${ROW_CELLS} cells, the most that a spreadsheet can have. Is this the right delimiter?`;
  return new InputError('too_many_cells', reason, { file, line });
}

/** The error for a row with more empty cells than a reader keeps. */
export function tooManyEmptyCells(file: string, line: number): InputError {
  const reason =
    'nearly all rows or cells up to here are empty, and they are too many. Delete the empty rows and columns.';
  return new InputError('too_many_empty_cells', reason, { file, line });
}

/** The error for a record that breaks the rules of CSV. */
export function brokenCsv(file: string, line: number): InputError {
  return new InputError('broken_csv', 'the text cannot be read as CSV here.', { file, line });
}
