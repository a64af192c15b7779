import { CsvError, parse, type InfoRecord } from 'csv-parse/sync';
import type { InputError } from '../../core/errors.js';
import { CELL_BYTES, ROW_BYTES, ROW_CELLS, lineBreaks } from '../rows.js';
import type { RowCollector } from './collector.js';

/** A cell that is not whole is too long from here on: twice the limit, since quotes in it are doubled in the file. */
const OPEN_CELL_BYTES = 2 * CELL_BYTES;

/**
 * Reads one record by csv-parse, which knows whether it is too long and what quotes mean that are not closed.
 * @param text the record, and whatever follows it
 * @param last whether the file ends where the text ends
 * @param rows takes the record
 * @returns its length with its line end, in UTF-16 units; `undefined` when it is not whole without the text to come
 * @throws InputError when it is too long or too wide, or a quote in it is never closed
 */
export function readExactly(
  text: string,
  last: boolean,
  delimiter: string,
  rows: RowCollector,
): number | undefined {
  const bytes = Buffer.from(text);
  const parsed = parseFirst(bytes, delimiter);
  if (parsed instanceof CsvError) {
    const failure = failureOf(parsed, bytes, last, rows);
    if (failure) throw failure;
    return undefined;
  }
  const { cells, end } = parsed;
  if (cells.length > ROW_CELLS) throw rows.failure('too_many_cells');
  if (end === bytes.length && !last && !text.endsWith('\n')) {
    // The last cell may go on in the text to come.
    if (Buffer.byteLength(cells.at(-1) ?? '') > OPEN_CELL_BYTES)
      throw rows.failure('cell_too_long', breaksIn(cells.slice(0, -1)));
    return undefined;
  }
  const long = cells.findIndex((cell) => Buffer.byteLength(cell) > CELL_BYTES);
  if (long >= 0) throw rows.failure('cell_too_long', breaksIn(cells.slice(0, long)));
  const { length } = bytes.toString('utf8', 0, end);
  rows.forgetRemarks();
  rows.add(
    cells.map((cell) => (cell === '' ? null : cell)),
    length,
    breaksIn(cells) + 1,
  );
  return length;
}

/** The first record, and where it ends in bytes, behind its line end. */
function parseFirst(bytes: Buffer, delimiter: string) {
  let found = { cells: new Array<string>(), end: bytes.length };
  try {
    parse(bytes, {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_quotes: true,
      max_record_size: ROW_BYTES,
      to: 1,
      on_record: (cells: string[], { bytes: end }: InfoRecord) => {
        found = { cells, end };
      },
    });
    return found;
  } catch (error) {
    if (error instanceof CsvError) return error;
    throw error;
  }
}

/** What is wrong with the record, or `undefined` when the text to come may still put it right. */
function failureOf(
  { code, bytes: openFrom, index }: CsvError,
  bytes: Buffer,
  last: boolean,
  rows: RowCollector,
): InputError | undefined {
  if (code === 'CSV_MAX_RECORD_SIZE') return rows.failure('row_too_long');
  if (code !== 'CSV_QUOTE_NOT_CLOSED') return rows.failure('broken_csv');
  if (Number(index) > ROW_CELLS) return rows.failure('too_many_cells');
  const cellsBefore = bytes.subarray(0, Number(openFrom));
  const breaks = lineBreaks(cellsBefore.toString('latin1'));
  if (bytes.length - cellsBefore.length > OPEN_CELL_BYTES)
    return rows.failure('cell_too_long', breaks);
  return last ? rows.unclosedQuote(breaks) : undefined;
}

const breaksIn = (cells: readonly string[]): number =>
  cells.reduce((sum, cell) => sum + lineBreaks(cell), 0);
