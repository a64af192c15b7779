import { importFiles } from './import.js';
import type { ImportRequest, ImportResult } from '../requests.js';

/**
 * Imports one spreadsheet, as `importFiles` does.
 * @param file path of a CSV or Excel file; `-` is standard input
 * @throws as `importFiles` does
 */
export function importFile(
  file: string,
  request: Omit<ImportRequest, 'files'>,
): Promise<ImportResult> {
  return importFiles({ ...request, files: [file] });
}
