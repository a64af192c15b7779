import { readRows as batchesOf } from '../run/preview.js';
import { InputError } from '../core/errors.js';
import type { Row, SourceOptions } from '../core/table.js';
import { headerOf, showHeader } from '../source/header-choice.js';

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
  let table: TableStart | undefined;
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
      if (showHeader(first, options)) {
        table = tableOf(first, options);
        yield* table.rows;
        first = [];
      }
    }
  if (first.length > 0) yield* tableOf(first, options).rows;
}

/** A sheet, or a file without sheets, from its first data rows on. */
interface TableStart {
  readonly sheet: string | null;
  readonly header: readonly string[];
  readonly rows: readonly TableRow[];
}

function tableOf(rows: readonly Row[], { file, headerRow }: ReadRowsOptions): TableStart {
  const sheet = rows[0]?.sheet ?? null;
  const chosen = headerOf(rows, { headerRow });
  if (!chosen) throw noHeader(file, sheet, headerRow);
  const { names: header, rows: own } = chosen;
  const last = own.at(-1);
  const data = rows.slice(last ? rows.indexOf(last) + 1 : 0);
  return { sheet, header, rows: data.map((row) => ({ ...row, header })) };
}

function noHeader(
  file: ReadRowsOptions['file'],
  sheet: string | null,
  headerRow: ReadRowsOptions['headerRow'],
): InputError {
  const reason = 'this row should be the header, and is empty or missing. Check headerRow.';
  const name = typeof file === 'string' ? file : 'the stream';
  const row = headerRow === 'none' ? undefined : headerRow;
  return new InputError('no_header', reason, { file: name, sheet: sheet ?? undefined, row });
}
