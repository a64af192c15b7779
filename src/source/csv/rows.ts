import type { Row } from '../../core/row.js';
import { Batch } from '../batch.js';
import { Emptiness } from './emptiness.js';
import { exactRows, type CsvText } from './exact.js';
import { FastScanner } from './fast.js';
import type { Piece } from './pieces.js';
import type { Position } from './position.js';

/** Stands for a fault: it ends no record, but tells a line end before it from half of one. */
const NO_LINE_END = 'x';

/**
 * Rows of a CSV text, in batches: by the fast scanner as long as the text is regular, from the first irregular record
 * on by csv-parse. Both give the same rows for what both can read. Errors: as `exactRows`.
 */
export async function* readRows(
  pieces: AsyncGenerator<Piece>,
  csv: CsvText,
): AsyncGenerator<Row[], void, undefined> {
  const position: Position = { row: 1, line: 1 };
  const emptiness = new Emptiness();
  const batch = new Batch();
  let rest = '';
  for await (const piece of toTheEnd(pieces)) {
    const text = rest + textOf(piece);
    const scanner = new FastScanner(text, csv.delimiter, piece === undefined, position, emptiness);
    let stop = scanner.scan(batch);
    for (; stop === 'full'; stop = scanner.scan(batch)) yield batch.take();
    rest = text.slice(scanner.end);
    if (stop === 'more' && typeof piece === 'string') continue;
    if (!batch.isEmpty) yield batch.take();
    if (stop === 'irregular')
      return yield* exactRows(after(rest, piece, pieces), csv, position, emptiness);
    if (typeof piece === 'object') throw piece.fault;
  }
}

/** The pieces, and `undefined` for the end of the text. */
async function* toTheEnd(pieces: AsyncGenerator<Piece>) {
  yield* pieces;
  yield undefined;
}

function textOf(piece: Piece | undefined): string {
  return typeof piece === 'object' ? NO_LINE_END : (piece ?? '');
}

/** What the scanner left, with the pieces that it has not seen. */
async function* after(
  rest: string,
  piece: Piece | undefined,
  pieces: AsyncGenerator<Piece>,
): AsyncGenerator<Piece, void, undefined> {
  yield rest;
  if (typeof piece === 'object') yield piece;
  yield* pieces;
}
