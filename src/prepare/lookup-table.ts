import { stat } from 'node:fs/promises';
import { suggestion } from '../core/text.js';
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
import type { Installation } from '../installation/installation.js';
import { type NumberPlan, numberPlan, type PlanRange, zoneOfText } from '../calling/zones/zones.js';

/** A larger file is compiled once, in place of being read into memory at every start: 20,000 rows or so. */
const LARGE_BYTES = 1024 ** 2;
/** Raised when tables are read in another way: then they are compiled anew. */
const VERSION = 1;

/**
 * Reads a lookup table for a mapping: a small one whole, of a large one the compiled form.
 * @throws InputError where it cannot be read, or is of a format that is read into memory whole
 */
export async function lookupTable(file: string, columns: readonly LookupColumns[]): Promise<Table> {
  const stats = await stat(file).catch(() => null);
  if (stats === null || stats.size <= LARGE_BYTES) return await readTable(file);
  const found = new Map<string, LookupEntries | { readonly conflict: number }>();
  let digest = '';
  for (const pair of columns) {
    const name = nameOf(pair);
    if (found.has(name)) continue;
    const table = await compiled(file, pair);
    // Its header alone: whoever looks that column up says that it is not there.
    if (table instanceof MissingColumn) return [table.header];
    if ('digest' in table) ({ digest } = table);
    found.set(name, table);
  }
  const entries: LargeTable['entries'] = (pair) => found.get(nameOf(pair)) ?? NO_ENTRIES;
  return { digest, entries };
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

type PlanSpec = NonNullable<Installation['numberPlan']>;

/**
 * Reads the plan of an installation. Regions without a zone in the second file say nothing of their numbers.
 * @throws InputError where a file cannot be read, or a row of it holds no range or no time zone
 */
export async function openNumberPlan(spec: PlanSpec): Promise<NumberPlan> {
  const zones = await zonesOfRegions(spec.regions);
  const [header = [], ...rows] = await readTable(spec.file);
  const { code, from, to, region } = spec.columns;
  const columnOf = (name: string): number => columnAt(name, header, spec.file);
  const at = {
    code: code === undefined ? -1 : columnOf(code),
    from: columnOf(from),
    to: columnOf(to),
    region: columnOf(region),
  };
  const ranges = rows.flatMap((cells, index): PlanRange[] => {
    const zone = zones.get(cells[at.region]?.trim() ?? '');
    const before = cells[at.code]?.trim() ?? '';
    const range = {
      from: numberOf(before, cells[at.from], spec),
      to: numberOf(before, cells[at.to], spec),
    };
    if (range.from === null || range.to === null || range.from > range.to) {
      const why = `this row holds no range of numbers with ${spec.digits} digits. Check "columns" and "digits".`;
      throw new InputError('no_range', why, { file: spec.file, row: index + 2 });
    }
    return zone === undefined ? [] : [{ from: range.from, to: range.to, zone }];
  });
  return numberPlan(ranges);
}

async function zonesOfRegions(file: string): Promise<Map<string, string>> {
  const [header = [], ...rows] = await readTable(file);
  const [region, zone] = [columnAt('region', header, file), columnAt('zone', header, file)];
  return new Map(
    rows.map((cells, index) => {
      const found = zoneOfText(cells[zone] ?? '');
      if (found !== null) return [cells[region]?.trim() ?? '', found];
      const why = 'this is no time zone. Write an IANA name such as Europe/Moscow.';
      throw new InputError('not_a_time_zone', why, { file, row: index + 2, column: 'zone' });
    }),
  );
}

/** Ends of ranges may have lost their leading zeros. */
function numberOf(
  code: string,
  cell: string | undefined,
  { callingCode, digits }: PlanSpec,
): number | null {
  const rest = cell?.trim() ?? '';
  const number = code + rest.padStart(digits - code.length, '0');
  return /^\d+$/.test(rest) && number.length === digits && /^\d+$/.test(number)
    ? Number(callingCode + number)
    : null;
}
