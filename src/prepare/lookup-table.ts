import { stat } from 'node:fs/promises';
import { suggestion } from '../config/nearest.js';
import { InputError } from '../core/errors.js';
import { type Cell, headerName } from '../core/table.js';
import type { LookupEntry, LookupTable } from '../lists/lists.js';
import type {
  LargeTable,
  LookupColumns,
  LookupEntries,
  Table,
} from '../mapping/transforms/step.js';
import { readTable, tableBatches } from '../source/source.js';

/** A larger file is compiled once, in place of being read into memory at every start: 20,000 rows or so. */
const LARGE_BYTES = 1024 ** 2;
/** Raised when tables are read in another way: then they are compiled anew. */
const VERSION = 1;

/**
 * Reads a lookup table for a mapping: a small one whole, of a large one the compiled form.
 * @throws InputError where it cannot be read, or is of a format that is read into memory whole
 */
export async function lookupTable(file: string, columns: readonly LookupColumns[]): Promise<Table> {
  const found = await stat(file).catch(() => null);
  if (found === null || found.size <= LARGE_BYTES) return await readTable(file);
  return await largeTable(file, columns);
}

/** The place of a column in a header, of a table or of a list. @throws InputError where it is not there */
export function columnAt(
  column: string,
  header: readonly Cell[],
  file: string,
  isList = false,
): number {
  const names = header.map((cell) => headerName(cell ?? ''));
  const at = names.indexOf(headerName(column));
  if (at >= 0) return at;
  const hint = suggestion(
    column,
    names.filter((name) => name !== ''),
  );
  const reason = isList ? `the list has no column "${column}".` : `there is no column "${column}".`;
  throw new InputError('no_column', `${reason} ${hint ?? ''}`.trim(), { file });
}

/** Where it lacks a column, its header alone: whoever looks that column up says so. */
async function largeTable(file: string, columns: readonly LookupColumns[]): Promise<Table> {
  const found = new Map<string, LookupEntries | { readonly conflict: number }>();
  let digest = '';
  for (const pair of columns) {
    const name = nameOf(pair);
    if (found.has(name)) continue;
    const table = await compiled(file, pair);
    if (table instanceof MissingColumn) return [table.header];
    if ('digest' in table) ({ digest } = table);
    found.set(name, table);
  }
  const entries: LargeTable['entries'] = (pair) => found.get(nameOf(pair)) ?? NO_ENTRIES;
  return { digest, entries };
}

const NO_ENTRIES: LookupEntries = new Map();
const nameOf = ({ key, value }: LookupColumns): string =>
  JSON.stringify([headerName(key), headerName(value)]);

async function compiled(
  file: string,
  columns: LookupColumns,
): Promise<LookupTable | { readonly conflict: number } | MissingColumn> {
  // A mapping without large tables, as most are, does not need what compiles them.
  const { openLookup, ConflictError } = await import('../lists/lists.js');
  const settings = JSON.stringify([nameOf(columns), VERSION]);
  try {
    const entries = (): ReturnType<typeof entriesOf> => entriesOf(file, columns);
    return await openLookup({ file, settings, entries });
  } catch (error) {
    if (error instanceof ConflictError) return { conflict: error.row };
    if (error instanceof MissingColumn) return error;
    throw error;
  }
}

class MissingColumn extends Error {
  constructor(readonly header: readonly string[]) {
    super('A table lacks a column that is looked up.');
  }
}

async function* entriesOf(
  file: string,
  { key, value }: LookupColumns,
): AsyncGenerator<LookupEntry[], void, undefined> {
  let at: readonly [from: number, to: number] | undefined;
  let row = 0;
  for await (const rows of tableBatches(file)) {
    const entries: LookupEntry[] = [];
    for (const cells of rows) {
      row++;
      if (at === undefined) {
        const header = cells.map((cell) => headerName(cell ?? ''));
        at = [header.indexOf(headerName(key)), header.indexOf(headerName(value))];
        if (at.includes(-1)) throw new MissingColumn(header);
        continue;
      }
      const name = cells[at[0]]?.trim() ?? '';
      if (name !== '') entries.push([name, cells[at[1]] ?? '', row]);
    }
    yield entries;
  }
}
