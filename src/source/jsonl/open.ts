import type { Source } from '../../core/table.js';
import { Batch, batchesOf, ROW_BYTES, sourceOf, summed } from '../rows.js';
import type { FoundFile } from '../file.js';
import {
  entriesIn,
  flatten,
  addTo,
  ColumnNames,
  NAMED_BY,
  type Entries,
  isTooDeep,
  MAX_NESTING,
  parseJson,
} from '../records.js';
import { InputError, type InputPlace } from '../../core/errors.js';
import { isUtf8 } from 'node:buffer';
import { unpackedChunks } from '../unpacked.js';

/** How the records of a file are told apart, and where one stands. */
interface RecordForm {
  readonly read: (found: FoundFile, onRead?: (bytes: number) => void) => AsyncIterable<Line>;
  readonly placeOf: (line: Line, file: string) => InputPlace;
}

const LF = 0x0a;

const LINES: RecordForm = {
  read: readLines,
  placeOf: ({ number: line }, file) => ({ file, line }),
};

const WRONG: Readonly<Record<State, string>> = {
  open: 'there is no array',
  before: 'there is no object, which each record is written as',
  record: 'the record is broken',
  between: 'there is neither a comma nor the end of the array',
  over: 'there is more text',
};

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
    } else if (state !== 'over' || !PADDING_BYTES.has(byte)) throw this.broken(WRONG[state]);
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

/** What programs fill up the last block of a file with: zeros and Ctrl-Z. */
const PADDING_BYTES: ReadonlySet<number> = new Set([0x00, 0x1a]);

/** What stands between the records of an array, and what is no part of it. */
const BLANK: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

const [OPEN_LIST, CLOSE_LIST, OPEN_RECORD, CLOSE_RECORD] = [0x5b, 0x5d, 0x7b, 0x7d] as const;

const COMMA = 0x2c;

const BACKSLASH = 0x5c;

const QUOTE = 0x22;

const BOM = Buffer.from('efbbbf', 'hex');

const ARRAY: RecordForm = {
  read: readArray,
  placeOf: ({ number: row }, file) => ({ file, row }),
};

/**
 * Opens a file of JSON Lines: one object on each line. Its columns are the names of the first records; a row has the
 * number of its line.
 * @throws InputError when the first records are broken
 */
export const openJsonl = (found: FoundFile): Promise<Source> => openRecords(found, LINES);

/**
 * Opens a file that is one JSON array of objects. Its columns are found as those of JSON Lines; a row has the number of
 * its record, from 1.
 * @throws InputError when the first records are broken, or there are none
 */
export const openJsonArray = (found: FoundFile): Promise<Source> => openRecords(found, ARRAY);

async function openRecords(found: FoundFile, form: RecordForm): Promise<Source> {
  const names = new ColumnNames();
  let bytes = 0;
  let records = 0;
  for await (const line of form.read(found)) {
    const place = form.placeOf(line, found.file);
    const record = parseRecord(line, place);
    if (record === null) continue;
    names.add(entriesOf(record), place);
    bytes += line.bytes.length;
    if (++records >= NAMED_BY.records || bytes >= NAMED_BY.bytes) break;
  }
  if (records === 0 && form === ARRAY) throw noRecords(found.file);
  const parse = (line: Line): object | null => parseRecord(line, form.placeOf(line, found.file));
  async function* adding(batch: Batch, onRead: (bytes: number) => void): AsyncGenerator<void> {
    addTo(batch, names.header);
    for await (const line of form.read(found, onRead)) {
      const record = parse(line);
      if (record === null) continue;
      if (batch.isFull) yield;
      addTo(batch, names.row(entriesOf(record), line.number));
    }
  }
  return sourceOf(
    found,
    { encoding: 'utf-8', sheets: [] },
    {
      rows: (progress) => {
        const batch = new Batch();
        return batchesOf(batch, adding(batch, summed(progress)));
      },
      verify: async () => {
        for await (const line of form.read(found)) parse(line);
      },
    },
  );
}

function noRecords(file: string): InputError {
  const reason =
    'the array holds no records. Write each one as an object, as in [{"name": "value"}].';
  return new InputError('empty_file', reason, { file });
}

function entriesOf(record: object): Entries {
  return (take) => {
    for (const [name, value] of entriesIn(record)) flatten(name, value, take);
  };
}

/**
 * The record on a line or of an array; `null` when the line is blank.
 * @param place where it stands; a record that has no line of its own has a row
 * @throws InputError `invalid_text`, `too_deep`, `broken_json`
 */
function parseRecord({ bytes }: Pick<Line, 'bytes'>, place: InputPlace): object | null {
  if (!isUtf8(bytes)) {
    const reason = 'this is no valid UTF-8 text, which JSON is written in. Save the file as UTF-8.';
    throw new InputError('invalid_text', reason, place);
  }
  const text = bytes.toString();
  if (isBlank(text)) return null;
  if (isTooDeep(text)) {
    const reason = `values are nested more than ${MAX_NESTING} deep in this record. Take it apart first.`;
    throw new InputError('too_deep', reason, place);
  }
  const value = parseJson(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  const reason =
    place.line === undefined
      ? 'the record is no JSON object. Write each record as in {"name": "value"}.'
      : 'the line is no JSON object. Write one record on each line, as in {"name": "value"}.';
  throw new InputError('broken_json', reason, place);
}

const PADDING = '\0\x1a';

/** Blank, or zeros and Ctrl-Z alone, which programs fill up the last block of a file with. */
function isBlank(text: string): boolean {
  let end = text.length;
  while (end > 0 && PADDING.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end).trim() === '';
}

/**
 * The records of a file that is one JSON array of them, packed or not, piece by piece. Each has its number in the array,
 * from 1, whatever lines it stands on.
 * @throws InputError when a record is longer than a row may be, or the array is broken, cut off or of no records
 */
async function* readArray(
  found: FoundFile,
  onRead?: (bytes: number) => void,
): AsyncGenerator<Line, void, undefined> {
  const scanner = new ArrayScanner(found.file);
  for await (const chunk of unpackedChunks(found, onRead)) yield* scanner.records(chunk);
  scanner.end();
}

/** Where the scanner is: `open` before the array, `record` in one, `between` two, `over` behind the array. */
type State = 'open' | 'before' | 'record' | 'between' | 'over';

/** One line of a file, without its end. */
interface Line {
  /** From 1. */
  readonly number: number;
  /** Its bytes; they are valid until the next line is asked for. */
  readonly bytes: Buffer;
}

/**
 * The lines of a file, packed or not.
 * @throws InputError when a line is longer than a row may be, or the file cannot be read
 */
async function* readLines(
  found: FoundFile,
  onRead?: (bytes: number) => void,
): AsyncGenerator<Line, void, undefined> {
  let rest = Buffer.alloc(0);
  let number = 1;
  for await (const chunk of unpackedChunks(found, onRead)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = number === 1 && bytes.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
    for (let to = bytes.indexOf(LF, from); to >= 0; to = bytes.indexOf(LF, from)) {
      yield { number: number++, bytes: bytes.subarray(from, to) };
      from = to + 1;
    }
    rest = Buffer.from(bytes.subarray(from));
    if (rest.length > ROW_BYTES) throw lineTooLong(found.file, number);
  }
  if (rest.length > 0) yield { number, bytes: rest };
}

function lineTooLong(file: string, line: number): InputError {
  const reason =
    'a line is longer than 4 MiB. Is each record on a line of its own, and does each line end?';
  return new InputError('row_too_long', reason, { file, line });
}
