import { CsvError, parse, type InfoRecord } from 'csv-parse/sync';
import type { InputError } from '../../core/errors.js';
import type { Cell } from '../../core/table.js';
import { CELL_BYTES, ROW_BYTES, ROW_CELLS, lineBreaks } from '../rows.js';
import { brokenCsv, cellTooLong, rowTooLong, tooManyCells, unclosedQuote } from './collector.js';

/** A cell that is not whole is too long from here on: twice the limit, since quotes in it are doubled in the file. */
const OPEN_CELL_BYTES = 2 * CELL_BYTES;

export interface CsvText {
  /** Path, for errors. */
  readonly file: string;
  readonly delimiter: string;
}

/** Where a record stands. */
interface RecordText {
  /** The record, and whatever follows it. */
  readonly text: string;
  /** Whether the file ends where the text ends. */
  readonly last: boolean;
  /** Physical line on which the record begins. */
  readonly line: number;
}

interface ExactRecord {
  readonly cells: Cell[];
  /** Its length with its line end, in UTF-16 units. */
  readonly length: number;
  /** How many physical lines it takes. */
  readonly lines: number;
}

/**
 * Reads one record by csv-parse, which knows whether it is too long and what quotes mean that are not closed.
 * @returns `undefined` when the record is not whole without the text to come
 * @throws InputError when it is too long or too wide, or a quote in it is never closed
 */
export function readExactly(csv: CsvText, record: RecordText): ExactRecord | undefined {
  const bytes = Buffer.from(record.text);
  const parsed = parseFirst(bytes, csv.delimiter);
  if (parsed instanceof CsvError) {
    const failure = failureOf(parsed, bytes, csv.file, record);
    if (failure) throw failure;
    return undefined;
  }
  const { cells, end } = parsed;
  if (cells.length > ROW_CELLS) throw tooManyCells(csv.file, record.line);
  if (end === bytes.length && !record.last && !record.text.endsWith('\n')) {
    refuseOpenCell(cells, csv.file, record.line);
    return undefined;
  }
  return {
    cells: cells.map((cell) => (cell === '' ? null : cell)),
    length: bytes.toString('utf8', 0, end).length,
    lines: linesOf(cells, csv.file, record.line),
  };
}

interface Parsed {
  readonly cells: readonly string[];
  /** Where the record ends, in bytes, behind its line end. */
  readonly end: number;
}

function parseFirst(bytes: Buffer, delimiter: string): Parsed | CsvError {
  let found: Parsed = { cells: [], end: bytes.length };
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
  file: string,
  { last, line }: RecordText,
): InputError | undefined {
  if (code === 'CSV_MAX_RECORD_SIZE') return rowTooLong(file, line);
  if (code !== 'CSV_QUOTE_NOT_CLOSED') return brokenCsv(file, line);
  if (Number(index) > ROW_CELLS) return tooManyCells(file, line);
  const cellsBefore = bytes.subarray(0, Number(openFrom));
  const cellLine = line + lineBreaks(cellsBefore.toString('latin1'));
  if (bytes.length - cellsBefore.length > OPEN_CELL_BYTES) return cellTooLong(file, cellLine);
  return last ? unclosedQuote(file, cellLine) : undefined;
}

/** Refuses a last cell, not whole yet, that is too long already. */
function refuseOpenCell(cells: readonly string[], file: string, line: number): void {
  if (Buffer.byteLength(cells.at(-1) ?? '') <= OPEN_CELL_BYTES) return;
  throw cellTooLong(
    file,
    line + cells.slice(0, -1).reduce((sum, cell) => sum + lineBreaks(cell), 0),
  );
}

/** How many physical lines a record takes that begins on `line`. @throws InputError when a cell is too long */
function linesOf(cells: readonly string[], file: string, line: number): number {
  let breaks = 0;
  for (const cell of cells) {
    if (Buffer.byteLength(cell) > CELL_BYTES) throw cellTooLong(file, line + breaks);
    breaks += lineBreaks(cell);
  }
  return breaks + 1;
}
