import { readRows as batchesOf } from '../app/inputs/rows.js';
import { InputError } from '../core/errors/errors.js';
import type { Row } from '../core/table/row.js';
import type { SourceOptions } from '../core/table/source.js';
import { chooseHeader, HEADER_ROWS, lettersOf } from '../source/header-choice.js';

/** Options of `readRows`. */
export interface ReadRowsOptions {
  /** Path of the file, or its bytes. */
  readonly file: string | AsyncIterable<Uint8Array>;
  /** How the file is read: sheet, encoding, delimiter, as in a mapping's `source:`. @default all found out */
  readonly source?: SourceOptions;
  /** Row number of the header; `none`: every row is a data row. @default found out by the content of the first rows */
  readonly headerRow?: number | 'none';
}

/** A data row of a spreadsheet. */
export interface TableRow extends Row {
  /** Names of the columns, without white space around them, in the order of `cells`; `A`, `B`, … without a header. */
  readonly header: readonly string[];
}

/**
 * The data rows of a spreadsheet as the reader of an import sees them, one after the other, with the numbers that a
 * spreadsheet program shows. Blank rows are left out, and those above the header. Memory does not grow with the rows.
 * @throws InputError when the file is broken, or has no row where its header should be; UsageError when `source` names
 * an unknown encoding, an impossible delimiter, or a sheet of a file without sheets
 */
export async function* readRows(
  options: ReadRowsOptions,
): AsyncGenerator<TableRow, void, undefined> {
  const { file, source = {} } = options;
  let table: Table | undefined;
  // The first rows of a sheet, until they show its header.
  let first: Row[] = [];
  for await (const batch of batchesOf(file, source))
    for (const row of batch) {
      if (row.sheet === table?.sheet) {
        yield { ...row, header: table.header };
        continue;
      }
      if (first[0] && first[0].sheet !== row.sheet) {
        yield* tableOf(first, options).rows;
        first = [];
      }
      first.push(row);
      if (isEnough(first, options)) {
        table = tableOf(first, options);
        yield* table.rows;
        first = [];
      }
    }
  if (first.length > 0) yield* tableOf(first, options).rows;
}

/** Rows that show what kind of data the columns hold. */
const LOOKED_AT = 2 * HEADER_ROWS;

function isEnough(rows: readonly Row[], { headerRow }: ReadRowsOptions): boolean {
  if (typeof headerRow !== 'number') return rows.length >= LOOKED_AT;
  const last = rows.at(-1);
  return last !== undefined && last.row >= headerRow;
}

/** A sheet, or a file without sheets, from its first data rows on. */
interface Table {
  readonly sheet: string | null;
  readonly header: readonly string[];
  readonly rows: readonly TableRow[];
}

function tableOf(rows: readonly Row[], options: ReadRowsOptions): Table {
  const { names: header, last } = headerOf(rows, options);
  const data = rows.slice(last ? rows.indexOf(last) + 1 : 0);
  return {
    sheet: rows[0]?.sheet ?? null,
    header,
    rows: data.map((row) => ({ ...row, header })),
  };
}

/** `last`: the last row of the header, where there is one. */
function headerOf(
  rows: readonly Row[],
  { file, headerRow }: ReadRowsOptions,
): { readonly names: readonly string[]; readonly last?: Row | undefined } {
  // Formats that name their columns themselves give the names as row 0.
  const wanted = rows[0]?.row === 0 ? 0 : headerRow;
  if (wanted === 'none') return { names: lettersOf(rows) };
  if (wanted === undefined) {
    const found = chooseHeader(rows);
    return { names: found.names, last: found.rows.at(-1) };
  }
  const last = rows.find(({ row }) => row === wanted);
  if (!last) throw noHeader(file, rows[0]?.sheet ?? null, wanted);
  return { names: last.cells.map((cell) => cell?.trim() ?? ''), last };
}

function noHeader(file: ReadRowsOptions['file'], sheet: string | null, row: number): InputError {
  const reason = 'this row should be the header, and is empty or missing. Check headerRow.';
  const name = typeof file === 'string' ? file : 'the stream';
  return new InputError('no_header', reason, { file: name, sheet: sheet ?? undefined, row });
}
