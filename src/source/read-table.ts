import { InputError } from '../core/errors/errors.js';
import { traitsOf } from './formats.js';
import { findFormat, openSource } from './open.js';
import { refuseUnsureEncoding } from './refusals.js';

/**
 * All rows of a small table, for the mapping's lookups. Empty cells are empty text.
 * @throws InputError where it cannot be read, or is of a format that is read into memory whole
 */
export async function readTable(file: string): Promise<string[][]> {
  const { format, formatName } = await findFormat(file);
  if (traitsOf(format).isReadWhole) {
    const reason = `a lookup table is CSV, .xlsx, .ods or JSON Lines, and this is a ${formatName}. Save it as CSV.`;
    throw new InputError('not_a_lookup_table', reason, { file });
  }
  const source = await openSource(file);
  refuseUnsureEncoding(file, source.info);
  const table: string[][] = [];
  for await (const rows of source.batches())
    for (const row of rows) table.push(row.cells.map((cell) => cell ?? ''));
  return table;
}
