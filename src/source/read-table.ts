import { openSource } from './open.js';
import { refuseUnsureEncoding } from './refusals.js';

/** All rows of a small table, for the mapping's lookups. Empty cells are empty text. */
export async function readTable(file: string): Promise<string[][]> {
  const source = await openSource(file);
  refuseUnsureEncoding(file, source.info);
  const table: string[][] = [];
  for await (const rows of source.batches())
    for (const row of rows) table.push(row.cells.map((cell) => cell ?? ''));
  return table;
}
