import type { Row } from '../../core/row.js';
import { exactRows, type CsvText } from './exact.js';

/** Rows of a CSV text, in batches. Errors: as `exactRows`. */
export function readRows(
  chunks: AsyncIterable<string>,
  text: CsvText,
): AsyncGenerator<Row[], void, undefined> {
  return exactRows(chunks, text, { row: 1, line: 1 });
}
