import type { Row, Dialect } from '../../core/table.js';
import { RowCollector } from './collector.js';
import type { CsvText } from './exact.js';
import { isPlain, plainDialect } from './dialect/dialect.js';
import { FastScanner } from './fast.js';
import { LenientScanner } from './lenient.js';
import { FAST_RECORD, OPEN_RECORD_STEP } from './limits.js';
import type { Piece } from './pieces.js';
import type { StrayQuotes } from './stray-quotes.js';

/** Stands for a failure: it ends no record, but shows whether a line end before it is whole. */
const NO_LINE_END = 'x';

/**
 * Rows of a CSV text, in batches: by the fast scanner, and each record that it leaves by csv-parse, after which the
 * scanner goes on. Both give the same rows for what both can read.
 * @param strays tells quotes that open no cell, so that they swallow no rows. @default every quote opens one
 * @throws InputError without the content, after the rows before the problem have been given
 */
export async function* readRows(
  pieces: AsyncGenerator<Piece>,
  csv: CsvText,
  dialect: Dialect = plainDialect(csv.delimiter),
  strays?: StrayQuotes,
): AsyncGenerator<Row[], void, undefined> {
  const rows = new RowCollector(csv.file, dialect.hasSeparatorLine ? 0 : 1);
  let text = '';
  let enough = 0;
  try {
    for await (const piece of toTheEnd(pieces)) {
      text += textOf(piece);
      if (typeof piece === 'string' && text.length < enough) continue;
      rows.follow(text);
      if (isPlain(dialect)) {
        const scanner = new FastScanner(text, csv.delimiter, piece === undefined, rows, strays);
        enough = yield* scanAll(scanner, rows, csv);
        text = scanner.rest;
      } else {
        const scanner = new LenientScanner(text, dialect, piece === undefined, rows, strays);
        while (scanner.scan() === 'full') yield rows.take();
        text = scanner.rest;
        enough = text.length > FAST_RECORD ? text.length + OPEN_RECORD_STEP : 0;
      }
      if (typeof piece === 'object') throw piece.failure;
    }
  } catch (error) {
    if (!rows.isEmpty) yield rows.take();
    throw error;
  }
  if (!rows.isEmpty) yield rows.take();
}

/** Gives the batches that fill up. Returns how long the rest of the text must become before it is worth a look. */
async function* scanAll(
  scanner: FastScanner,
  rows: RowCollector,
  csv: CsvText,
): AsyncGenerator<Row[], number, undefined> {
  for (let stop = scanner.scan(); stop !== 'more'; stop = scanner.scan()) {
    if (stop === 'full') {
      yield rows.take();
      continue;
    }
    // Loaded here: hardly any file has such a record.
    const { readExactly } = await import('./exact.js');
    const { rest: text, last } = scanner;
    const record = readExactly(csv, { text, last, line: rows.line });
    if (!record) return text.length + OPEN_RECORD_STEP;
    rows.forgetRemarks();
    rows.add(record.cells, record.length, record.lines);
    scanner.skip(record.length);
  }
  return 0;
}

/** The pieces, and `undefined` for the end of the text. */
async function* toTheEnd(pieces: AsyncGenerator<Piece>) {
  yield* pieces;
  yield undefined;
}

function textOf(piece: Piece | undefined): string {
  return typeof piece === 'object' ? NO_LINE_END : (piece ?? '');
}
