import { InputError } from '../../core/errors.js';
import type { Cell, Row } from '../../core/row.js';
import { Batch } from '../batch.js';
import { lineBreaks } from '../header.js';
import { CELL_BYTES, ROW_BYTES, ROW_CELLS } from '../limits.js';
import { Emptiness } from './emptiness.js';
import type { Piece } from './pieces.js';
import type { Position } from './position.js';

export interface CsvText {
  /** Path, for errors. */
  readonly file: string;
  readonly delimiter: string;
}

/**
 * Rows of a CSV text by csv-parse, which decides what irregular text means.
 * @param position where the text begins; moved on with every row
 * @param emptiness counts the empty cells of the file
 * @throws InputError without the content, after the rows before the fault have been given
 */
export async function* exactRows(
  pieces: AsyncIterable<Piece>,
  { file, delimiter }: CsvText,
  position: Position,
  emptiness = new Emptiness(),
): AsyncGenerator<Row[], void, undefined> {
  // Loaded here: most files are regular from beginning to end.
  const { Records } = await import('./records.js');
  const records = new Records(delimiter);
  const rows = new RowCounter(file, position, emptiness);
  const lineOfOpenCell = (): number => position.line + records.breaksBeforeOpenCell();
  for await (const piece of pieces) {
    if (typeof piece !== 'string') {
      await records.settle();
      yield* rows.of(records.take());
      throw piece.fault;
    }
    const failure = await records.write(piece);
    yield* rows.of(records.take());
    if (failure) throw csvError(failure, file, position.line, lineOfOpenCell());
    if (records.openRecordCells > ROW_CELLS) throw tooWide(file, position.line);
    // Twice, since quotes inside of a cell are doubled in the file.
    if (records.openCellBytes > 2 * CELL_BYTES) throw cellTooLong(file, lineOfOpenCell());
    if (records.openRecordBytes > 2 * ROW_BYTES) throw rowTooLong(file, position.line);
  }
  const failure = await records.end();
  yield* rows.of(records.take());
  if (failure) throw csvError(failure, file, position.line, lineOfOpenCell());
}

/** Gives records their numbers and refuses what is too long, too wide or too empty. */
class RowCounter {
  readonly #file: string;
  readonly #position: Position;
  readonly #emptiness: Emptiness;

  constructor(file: string, position: Position, emptiness: Emptiness) {
    this.#file = file;
    this.#position = position;
    this.#emptiness = emptiness;
  }

  *of(records: readonly string[][]): Generator<Row[], void, undefined> {
    const batch = new Batch();
    for (const record of records) {
      const failure = this.#add(record, batch);
      if (batch.isFull || (failure && !batch.isEmpty)) yield batch.take();
      if (failure) throw failure;
    }
    if (!batch.isEmpty) yield batch.take();
  }

  #add(record: readonly string[], batch: Batch): InputError | undefined {
    if (record.length > ROW_CELLS) return tooWide(this.#file, this.#position.line);
    let breaks = 0;
    let characters = 0;
    for (const cell of record) {
      if (tooLong(cell)) return cellTooLong(this.#file, this.#position.line + breaks);
      breaks += lineBreaks(cell);
      characters += cell.length;
    }
    const cells = record.map((cell): Cell => (cell === '' ? null : cell));
    if (!this.#emptiness.add(cells, characters)) return tooEmpty(this.#file, this.#position.line);
    // A record of one empty field is a blank line.
    if (cells.length > 1 || cells[0] !== null)
      batch.add({ sheet: null, row: this.#position.row, cells }, characters);
    this.#position.row++;
    this.#position.line += breaks + 1;
    return undefined;
  }
}

function tooLong(cell: string): boolean {
  return cell.length > CELL_BYTES / 3 && Buffer.byteLength(cell) > CELL_BYTES;
}

function cellTooLong(file: string, line: number): InputError {
  const reason =
    'a cell is longer than 1 MiB. Is there a quote (") before it that was never closed?';
  return new InputError('cell_too_long', reason, { file, line });
}

function rowTooLong(file: string, line: number): InputError {
  const reason =
    'a row is longer than 4 MiB. Is this the right delimiter, and is every quote (") closed?';
  return new InputError('row_too_long', reason, { file, line });
}

function tooWide(file: string, line: number): InputError {
  const reason = `a row has more than ${ROW_CELLS} cells, the most that a spreadsheet can have. Is this the right delimiter?`;
  return new InputError('too_many_cells', reason, { file, line });
}

function tooEmpty(file: string, line: number): InputError {
  const reason =
    'nearly all rows or cells up to here are empty, and they are too many. Delete the empty rows and columns.';
  return new InputError('too_many_empty_cells', reason, { file, line });
}

/** csv-parse's own errors hold the record, which is personal data, so that they are not even kept as a cause. */
function csvError(error: Error, file: string, rowLine: number, cellLine: number): InputError {
  const code = 'code' in error ? error.code : undefined;
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return new InputError(
        'unclosed_quote',
        'a cell begins with a quote (") that is never closed. Close it, or double it if it belongs to the text.',
        { file, line: cellLine },
      );
    case 'CSV_MAX_RECORD_SIZE':
      return rowTooLong(file, rowLine);
    default:
      return new InputError('broken_csv', 'the text cannot be read as CSV here.', {
        file,
        line: rowLine,
      });
  }
}
