import { Parser, type Options } from 'csv-parse';
import { InputError } from '../../core/errors.js';
import type { Cell, Row } from '../../core/row.js';
import { lineBreaks } from '../header.js';
import { BATCH_ROWS, CELL_BYTES, ROW_BYTES } from './limits.js';
import type { Position } from './position.js';

export interface CsvText {
  /** Path, for errors. */
  readonly file: string;
  readonly delimiter: string;
}

/**
 * Rows of a CSV text by csv-parse, which decides what irregular text means.
 * @param position where the text begins; moved on with every row
 * @throws InputError without the content, after the rows before the fault have been given
 */
export async function* exactRows(
  chunks: AsyncIterable<string>,
  { file, delimiter }: CsvText,
  position: Position,
): AsyncGenerator<Row[], void, undefined> {
  const records = new Records(delimiter);
  const rows = new RowCounter(file, position);
  for await (const chunk of chunks) {
    const failure = await records.write(chunk);
    yield* rows.of(records.take());
    if (failure) throw csvError(failure, file, position);
    if (records.openBytes > 2 * CELL_BYTES) throw cellTooLong(file, position.line);
  }
  const failure = await records.end();
  yield* rows.of(records.take());
  if (failure) throw csvError(failure, file, position);
}

/** csv-parse driven by hand: as an iterable it would drop, on an error, the records that it had read before. */
class Records {
  readonly #parser: CollectingParser;
  #written = 0;

  constructor(delimiter: string) {
    this.#parser = new CollectingParser({
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: ROW_BYTES,
    });
  }

  /** Bytes read of the field that is not finished; quotes inside may count twice. */
  get openBytes(): number {
    return this.#written - this.#parser.info.bytes;
  }

  /** Resolves when the text is parsed, with the failure if there was one. */
  write(text: string): Promise<Error | undefined> {
    const bytes = Buffer.from(text);
    this.#written += bytes.length;
    return new Promise((resolve) => {
      this.#parser.write(bytes, (error) => resolve(error ?? undefined));
    });
  }

  end(): Promise<Error | undefined> {
    return new Promise((resolve) => {
      this.#parser
        .once('error', resolve)
        .once('finish', () => resolve(undefined))
        .end();
    });
  }

  take(): string[][] {
    return this.#parser.drain();
  }
}

/** Keeps the records instead of queueing each one for a reader, which costs more than parsing it. */
class CollectingParser extends Parser {
  #records: string[][] = [];

  constructor(options: Options) {
    super(options);
    // The failure reaches the caller of write() or end(); an `error` event without a listener would end the process.
    this.on('error', () => undefined);
  }

  override push(record: string[] | null): boolean {
    if (record === null) return super.push(null);
    this.#records.push(record);
    return true;
  }

  drain(): string[][] {
    const records = this.#records;
    this.#records = [];
    return records;
  }
}

/** Gives records their numbers and refuses cells that are too long. */
class RowCounter {
  readonly #file: string;
  readonly #position: Position;

  constructor(file: string, position: Position) {
    this.#file = file;
    this.#position = position;
  }

  *of(records: readonly string[][]): Generator<Row[], void, undefined> {
    for (let start = 0; start < records.length; start += BATCH_ROWS) {
      const { rows, failure } = this.#batch(records.slice(start, start + BATCH_ROWS));
      if (rows.length > 0) yield rows;
      if (failure) throw failure;
    }
  }

  #batch(records: readonly string[][]): { rows: Row[]; failure?: InputError } {
    const rows: Row[] = [];
    for (const record of records) {
      let breaks = 0;
      for (const cell of record) {
        if (tooLong(cell)) {
          return { rows, failure: cellTooLong(this.#file, this.#position.line + breaks) };
        }
        breaks += lineBreaks(cell);
      }
      const cells = record.map((cell): Cell => (cell === '' ? null : cell));
      // A record of one empty field is a blank line.
      if (cells.length > 1 || cells[0] !== null)
        rows.push({ sheet: null, row: this.#position.row, cells });
      this.#position.row++;
      this.#position.line += breaks + 1;
    }
    return { rows };
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

/** csv-parse's own errors hold the record, which is personal data, so that they are not even kept as a cause. */
function csvError(error: Error, file: string, { line }: Position): InputError {
  const code = 'code' in error ? error.code : undefined;
  switch (code) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return new InputError(
        'unclosed_quote',
        'a cell begins with a quote (") that is never closed. Close it, or double it if it belongs to the text.',
        { file, line },
      );
    case 'CSV_MAX_RECORD_SIZE':
      return new InputError(
        'row_too_long',
        'a row is longer than 16 MiB. Is this the right delimiter, and is every quote (") closed?',
        { file, line },
      );
    default:
      return new InputError('broken_csv', 'the text cannot be read as CSV here.', { file, line });
  }
}
