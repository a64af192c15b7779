import { InputError } from '../../core/errors.js';
import type { FoundFile } from '../file.js';
import { ROW_BYTES } from '../limits.js';
import { unpackedChunks } from '../unpacked.js';
import type { Line } from './lines.js';

const BOM = Buffer.from('efbbbf', 'hex');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const [OPEN_LIST, CLOSE_LIST, OPEN_RECORD, CLOSE_RECORD] = [0x5b, 0x5d, 0x7b, 0x7d] as const;

/** What stands between the records of an array, and what is no part of it. */
const BLANK: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
/** What programs fill up the last block of a file with: zeros and Ctrl-Z. */
const PADDING: ReadonlySet<number> = new Set([0x00, 0x1a]);

/**
 * The records of a file that is one JSON array of them, packed or not, piece by piece. Each has its number in the array,
 * from 1, whatever lines it stands on.
 * @throws InputError when a record is longer than a row may be, or the array is broken, cut off or of no records
 */
export async function* readArray(
  found: FoundFile,
  onRead?: (bytes: number) => void,
): AsyncGenerator<Line, void, undefined> {
  const scanner = new ArrayScanner(found.file);
  for await (const chunk of unpackedChunks(found, onRead)) yield* scanner.records(chunk);
  scanner.end();
}

/** Where the scanner is: `open` before the array, `record` in one, `between` two, `over` behind the array. */
type State = 'open' | 'before' | 'record' | 'between' | 'over';

/** Cuts records out of an array by its brackets and quotes alone; whoever parses them sees whether they are JSON. */
class ArrayScanner {
  private state: State = 'open';
  private isFirst = true;
  /** Brackets that are open within the record. */
  private depth = 0;
  private inText = false;
  private isEscaped = false;
  private pieces: Buffer[] = [];
  private length = 0;
  private count = 0;

  constructor(private readonly file: string) {}

  *records(chunk: Buffer): Generator<Line, void, undefined> {
    let from = this.isFirst && chunk.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
    this.isFirst = false;
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (this.state !== 'record') {
        this.outside(byte);
        from = at;
      } else if (this.isEndOf(byte)) {
        this.add(chunk.subarray(from, at + 1));
        yield { number: this.count, bytes: Buffer.concat(this.pieces) };
        this.pieces = [];
        this.length = 0;
        this.state = 'between';
      }
    }
    if (this.state === 'record') this.add(chunk.subarray(from));
  }

  end(): void {
    if (this.state !== 'over') throw this.broken('the array does not end: the file is cut off');
  }

  private outside(byte: number): void {
    const { state } = this;
    if (BLANK.has(byte)) return;
    if (state === 'open' && byte === OPEN_LIST) this.state = 'before';
    else if ((state === 'before' || state === 'between') && byte === CLOSE_LIST)
      this.state = 'over';
    else if (state === 'between' && byte === COMMA) this.state = 'before';
    else if (state === 'before' && byte === OPEN_RECORD) {
      this.state = 'record';
      this.depth = 1;
      this.count++;
    } else if (state !== 'over' || !PADDING.has(byte)) throw this.broken(WRONG[state]);
  }

  /** Whether the record ends with this byte. */
  private isEndOf(byte: number): boolean {
    if (this.inText) {
      if (this.isEscaped) this.isEscaped = false;
      else if (byte === BACKSLASH) this.isEscaped = true;
      else if (byte === QUOTE) this.inText = false;
      return false;
    }
    if (byte === QUOTE) this.inText = true;
    else if (byte === OPEN_RECORD || byte === OPEN_LIST) this.depth++;
    else if (byte === CLOSE_RECORD || byte === CLOSE_LIST) return --this.depth === 0;
    return false;
  }

  private add(bytes: Buffer): void {
    this.length += bytes.length;
    if (this.length > ROW_BYTES) throw this.tooLong();
    // The chunk is used again when the next one is read.
    this.pieces.push(Buffer.from(bytes));
  }

  private broken(what: string): InputError {
    const reason = `behind record ${this.count}, ${what}. Is it one array of objects, as in [{"name": "value"}]?`;
    return new InputError('broken_json', reason, { file: this.file, row: this.count || undefined });
  }

  private tooLong(): InputError {
    const reason = 'a record is longer than 4 MiB. Is this a list?';
    return new InputError('row_too_long', reason, { file: this.file, row: this.count });
  }
}

const WRONG: Readonly<Record<State, string>> = {
  open: 'there is no array',
  before: 'there is no object, which each record is written as',
  record: 'the record is broken',
  between: 'there is neither a comma nor the end of the array',
  over: 'there is more text',
};
