import { InputError } from '../../core/errors.js';

/** The error for a workbook that is damaged. */
export function brokenWorkbook(file: string, cause?: Error): InputError {
  const reason =
    'the workbook is damaged, or of a kind that cannot be read. Open it in a spreadsheet program, save it as .xlsx and ' +
    'try again.';
  return new InputError('broken_workbook', reason, { file }, cause && { cause });
}
