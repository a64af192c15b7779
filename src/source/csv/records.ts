import { Parser, type Options } from 'csv-parse';
import { lineBreaks } from '../header.js';
import { ROW_BYTES } from '../limits.js';

/** csv-parse driven by hand: as an iterable it would drop, on an error, the records that it had read before. */
export class Records {
  readonly #parser: CollectingParser;
  /** Bytes given to the parser. */
  #written = 0;
  /** What was written since the beginning of the record that is not finished, in whole pieces. */
  #kept: Buffer[] = [];
  #keptFrom = 0;

  constructor(delimiter: string) {
    this.#parser = new CollectingParser({
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      max_record_size: ROW_BYTES,
    });
  }

  /** Resolves when the text is parsed, with the failure if there was one. */
  write(text: string): Promise<Error | undefined> {
    const bytes = Buffer.from(text);
    this.#keep(bytes);
    return new Promise((resolve) => {
      this.#parser.write(bytes, (error) => resolve(error ?? undefined));
    });
  }

  /** Makes the parser finish the records that are whole, without taking the text for ended. */
  async settle(): Promise<void> {
    // It waits for a few more bytes before it takes a line end for one. The outcome of a record begun by them, if any,
    // is of no interest.
    await this.write('xxxx');
  }

  end(): Promise<Error | undefined> {
    return new Promise((resolve) => {
      this.#parser
        .once('error', resolve)
        .once('finish', () => resolve(undefined))
        .end();
    });
  }

  /** The records finished since the last call. */
  take(): string[][] {
    return this.#parser.drain();
  }

  /** Bytes read of the record that is not finished, as they stand in the file. */
  get openRecordBytes(): number {
    return this.#written - this.#parser.recordStart;
  }

  /** Bytes read of the cell that is not finished, as they stand in the file. */
  get openCellBytes(): number {
    return this.#written - this.#parser.info.bytes;
  }

  /** Cells read of the record that is not finished. */
  get openRecordCells(): number {
    return this.#parser.state.record.length;
  }

  /** Line breaks in the finished fields of the record that is not finished. */
  breaksBeforeOpenCell(): number {
    const from = this.#parser.recordStart - this.#keptFrom;
    const to = this.#parser.info.bytes - this.#keptFrom;
    return to > from ? lineBreaks(Buffer.concat(this.#kept).toString('latin1', from, to)) : 0;
  }

  #keep(bytes: Buffer): void {
    this.#written += bytes.length;
    this.#kept.push(bytes);
    for (let first = this.#kept[0]; first; first = this.#kept[0]) {
      if (this.#keptFrom + first.length > this.#parser.recordStart) return;
      this.#keptFrom += first.length;
      this.#kept.shift();
    }
  }
}

/** Keeps the records instead of queueing each one for a reader, which costs more than parsing it. */
class CollectingParser extends Parser {
  /** Where the record that is not finished begins, in bytes. */
  recordStart = 0;
  /** The parser's own, which its types leave out. */
  declare readonly state: { readonly record: readonly string[] };
  #records: string[][] = [];

  constructor(options: Options) {
    super(options);
    // The failure reaches the caller of write() or end(); an `error` event without a listener would end the process.
    this.on('error', () => undefined);
  }

  override push(record: string[] | null): boolean {
    if (record === null) return super.push(null);
    this.#records.push(record);
    this.recordStart = this.info.bytes;
    // The parser expects every record to be as long as its first one and makes an error, thrown or not, for each that is
    // not, which takes three times as long as reading it. So each record is a first one.
    Object.assign(this.info, { records: 0 });
    return true;
  }

  drain(): string[][] {
    const records = this.#records;
    this.#records = [];
    return records;
  }
}
