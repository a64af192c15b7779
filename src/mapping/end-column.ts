import { headerName } from '../core/cell-text.js';
import { mistakeAt } from '../config/check-document.js';
import { suggestion } from '../config/nearest.js';
import { ConfigurationError } from '../core/errors.js';
import type { LoadedMapping } from './load.js';
import type { Until } from './schema/sections.js';

/**
 * Position of the column that `source.until` is about.
 * @param file name of the spreadsheet, for messages
 * @throws ConfigurationError when the table has no such column
 */
export function endColumn(
  { column }: Until,
  header: readonly string[],
  { document }: Pick<LoadedMapping, 'document'>,
  file: string,
): number {
  const at = header.indexOf(headerName(column));
  if (at >= 0) return at;
  const path = ['source', 'until', 'column'];
  const message = `${file} has no column "${column}".`;
  throw new ConfigurationError([mistakeAt(document, path, message, suggestion(column, header))]);
}
