import { InputError } from '../core/errors.js';
import type { Cell } from '../core/table.js';
import { traitsOf } from './formats.js';
import { findFormat, openSource } from './open.js';
import { refuseUnsureEncoding } from './refusals.js';

/**
 * All rows of a small table, for the mapping's lookups. Empty cells are empty text.
 * @throws as `tableBatches` does
 */
export async function readTable(file: string): Promise<string[][]> {
  const table: string[][] = [];
  for await (const rows of tableBatches(file))
    for (const cells of rows) table.push(cells.map((cell) => cell ?? ''));
  return table;
}

/**
 * The cells of a table, batch by batch.
 * @throws InputError where it cannot be read, or is of a format that is read into memory whole
 */
export async function* tableBatches(
  file: string,
): AsyncGenerator<(readonly Cell[])[], void, undefined> {
  const { format, formatName } = await findFormat(file);
  if (traitsOf(format).isReadWhole) {
    const reason = `a lookup table is CSV, .xlsx, .ods or JSON Lines, and this is a ${formatName}. Save it as CSV.`;
    throw new InputError('not_a_lookup_table', reason, { file });
  }
  const source = await openSource(file);
  refuseUnsureEncoding(file, source.info);
  for await (const rows of source.batches()) yield rows.map(({ cells }) => cells);
}
