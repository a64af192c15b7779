import { CsvError, parse } from 'csv-parse/sync';
import type { Dialect, Row } from '../../../src/core/table.js';
import { meantText } from '../../../src/prepare/inputs/seen.js';
import { findDialect } from '../../../src/source/csv/dialect.js';
import { readRows } from '../../../src/source/csv/rows.js';
import { StrayQuotes } from '../../../src/source/csv/stray-quotes.js';
import type { Pair } from '../files.js';

export interface Outcome {
  readonly rows: readonly Pair[];
  /** Code and line of the error at the end. */
  readonly error?: readonly [code: string, line: number];
}

/** The dialect of RFC 4180, with any delimiter. */
export const plainDialect = (delimiter: string): Dialect => findDialect('', true, delimiter);

/** What csv-parse alone makes of a text, its cells as they are meant: what all of our reader must give, however it is cut. */
export function byCsvParse(text: string, delimiter: string): Outcome {
  const bytes = Buffer.from(text);
  const records: string[][] = [];
  let error: Outcome['error'];
  try {
    parse(bytes, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      on_record: (record: string[]) => {
        records.push(record);
      },
    });
  } catch (failure) {
    if (!(failure instanceof CsvError) || failure.code !== 'CSV_QUOTE_NOT_CLOSED') throw failure;
    const before = bytes.toString('utf8', 0, Number(failure['bytes']));
    error = ['unclosed_quote', before.split(/\r\n|\n|\r/).length];
  }
  const rows = records
    .map((cells, index): Pair => [index + 1, cells.map((cell) => meantText(cell) || null)])
    .filter(([, cells]) => cells.length > 1 || cells[0] !== null);
  return error ? { rows, error } : { rows };
}

/** The rows of a text in whatever dialect it is written, read in pieces of so many characters. */
export async function rowsInPieces(text: string, size: number): Promise<Row[]> {
  const dialect = findDialect(text, true, 'auto');
  const strays = new StrayQuotes(text, true, dialect);
  const pieces = async function* () {
    for (let at = 0; at < text.length; at += size)
      yield await Promise.resolve(text.slice(at, at + size));
  };
  const rows: Row[] = [];
  for await (const batch of readRows(pieces(), 'x.csv', dialect, strays)) rows.push(...batch);
  return rows;
}
