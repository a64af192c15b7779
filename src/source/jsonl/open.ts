import {
  type Source,
  type Cell,
  type Row,
  type RowDefect,
  UNKNOWN_NAME,
} from '../../core/table.js';
import { Batch, batchesOf, ROW_BYTES, sourceOf, ROW_CELLS } from '../rows.js';
import type { FoundFile } from '../file.js';
import { unpackedChunks } from '../unpacked.js';
import { InputError, type InputPlace } from '../../core/errors.js';
import { isUtf8 } from 'node:buffer';
import { numberText } from '../xlsx/cells/value.js';

const LF = 0x0a;

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
    const { file, count: row } = this;
    const reason = 'a record is longer than 4 MiB. Is this a list?';
    if (this.length > ROW_BYTES) throw new InputError('row_too_long', reason, { file, row });
    // The chunk is used again when the next one is read.
    this.pieces.push(Buffer.from(bytes));
  }

  private broken(what: string): InputError {
    const reason = `behind record ${this.count}, ${what}. Is it one array of objects, as in [{"name": "value"}]?`;
    return new InputError('broken_json', reason, { file: this.file, row: this.count || undefined });
  }
}

/** What programs fill up the last block of a file with: zeros and Ctrl-Z. */
const PADDING = '\0\x1a';
const PADDING_BYTES: ReadonlySet<number> = new Set(Buffer.from(PADDING));
/** What stands between the records of an array, and what is no part of it. */
const BLANK: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const [OPEN_LIST, CLOSE_LIST, OPEN_RECORD, CLOSE_RECORD] = [0x5b, 0x5d, 0x7b, 0x7d] as const;
const [COMMA, BACKSLASH, QUOTE] = [0x2c, 0x5c, 0x22];
const BOM = Buffer.from('efbbbf', 'hex');

/**
 * Opens a file of JSON Lines: one object on each line. Its columns are the names of the first records; a row has the
 * number of its line.
 * @throws InputError when the first records are broken
 */
export const openJsonl = (found: FoundFile): Promise<Source> =>
  openRecords(found, readLines, ({ number: line }) => ({ file: found.file, line }));

/**
 * Opens a file that is one JSON array of objects. Its columns are found as those of JSON Lines; a row has the number of
 * its record, from 1.
 * @throws InputError when the first records are broken, or there are none
 */
export const openJsonArray = (found: FoundFile): Promise<Source> =>
  openRecords(found, readArray, ({ number: row }) => ({ file: found.file, row }));

async function openRecords(
  found: FoundFile,
  read: typeof readLines,
  placeOf: (line: Line) => InputPlace,
): Promise<Source> {
  const names = new ColumnNames();
  let [bytes, records] = [0, 0];
  for await (const line of read(found)) {
    const place = placeOf(line);
    const record = parseRecord(line, place);
    if (record === null) continue;
    names.add(entriesOf(record), place);
    bytes += line.bytes.length;
    if (++records >= NAMED_BY.records || bytes >= NAMED_BY.bytes) break;
  }
  const reason =
    'the array holds no records. Write each one as an object, as in [{"name": "value"}].';
  if (records === 0 && read === readArray)
    throw new InputError('empty_file', reason, { file: found.file });
  async function* adding(batch: Batch, onRead: (bytes: number) => void): AsyncGenerator<void> {
    for await (const line of read(found, onRead)) {
      const record = parseRecord(line, placeOf(line));
      if (record === null) continue;
      if (batch.isFull) yield;
      addTo(batch, names.row(entriesOf(record), line.number));
    }
  }
  const verify = async (): Promise<void> => {
    for await (const line of read(found)) parseRecord(line, placeOf(line));
  };
  return recordSource(found, { encoding: 'utf-8' }, names, adding, verify);
}

/**
 * A source of records whose columns are known.
 * @param adding adds the rows behind the header, and stops at least wherever the batch is full
 */
export function recordSource(
  found: FoundFile,
  about: { readonly encoding?: string },
  names: ColumnNames,
  adding: (batch: Batch, onRead: (bytes: number) => void) => AsyncIterable<unknown>,
  verify: () => Promise<void>,
): Source {
  const rows = (progress: (bytes: number) => void) => {
    const batch = new Batch();
    addTo(batch, names.header);
    let read = 0;
    return batchesOf(
      batch,
      adding(batch, (bytes) => progress((read += bytes))),
    );
  };
  return sourceOf(found, { ...about, sheets: [] }, { rows, verify });
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

interface Line {
  /** From 1. */
  readonly number: number;
  /** Its bytes; they are valid until the next line is asked for. */
  readonly bytes: Buffer;
}

/** The lines of a file, packed or not. @throws InputError when one is longer than a row may be */
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
    const reason =
      'a line is longer than 4 MiB. Is each record on a line of its own, and does each line end?';
    if (rest.length > ROW_BYTES)
      throw new InputError('row_too_long', reason, { file: found.file, line: number });
  }
  if (rest.length > 0) yield { number, bytes: rest };
}

/** Levels of values in values: the engine's own functions go through them by calling themselves. */
const MAX_NESTING = 500;

/** Digits that a number keeps when it is parsed. */
const MANY_DIGITS = /\d[\d.]{15}/;
const BRACKETS = /"(?:[^"\\]|\\.)*"|[[\]{}]/g;
const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/**
 * The value of a JSON text that is not nested too deep; `undefined` where it is no JSON. Numbers of many digits are
 * texts, so that none is lost, and an object in which a name stands twice is a `RepeatedNames`.
 */
export function parseJson(text: string): unknown {
  const source = !MANY_DIGITS.test(text)
    ? text
    : text.replaceAll(TOKENS, (token) =>
        !token.startsWith('"') && JSON_NUMBER.test(token) && MANY_DIGITS.test(token)
          ? `"${exactNumber(token)}"`
          : token,
      );
  const value = parsed(source);
  const isRepeated = value !== undefined && hasRepeatedNames(source, value);
  return isRepeated ? withRepeatedNames(source) : value;
}

/** Whether values are nested too deep; brackets within texts do not count. */
export function isTooDeep(text: string): boolean {
  if (text.length <= 2 * MAX_NESTING) return false;
  let [depth, max] = [0, 0];
  for (const [token] of text.matchAll(BRACKETS)) {
    if (token === '{' || token === '[') max = Math.max(max, ++depth);
    else if (token === '}' || token === ']') depth--;
  }
  return max > MAX_NESTING;
}

/** Its error would show the text, which is personal data. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What is none would become a text, and what holds it would be taken for JSON. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Records that the names of columns are taken from, and the bytes of them that are read for it. */
export const NAMED_BY = { records: 10_000, bytes: 16 * 1024 * 1024 } as const;

/** A record that can be gone through again. */
export type Entries = (take: Take) => void;

/** The columns of records: all names that occur in the first ones, in the order of their appearance. */
export class ColumnNames {
  private readonly columns = new Map<string, number>();

  /** @throws InputError `too_many_cells` */
  add(entries: Entries, place: InputPlace): void {
    entries((name) => {
      if (!this.columns.has(name)) this.columns.set(name, this.columns.size);
    });
    if (this.columns.size <= ROW_CELLS) return;
    const reason = `the records have more than ${ROW_CELLS} names. Is this a table?`;
    throw new InputError('too_many_cells', reason, place);
  }

  /** The names as row 0: they stand in every record, so that no row of the file is their own. */
  get header(): Row {
    return { sheet: null, row: 0, cells: [...this.columns.keys()] };
  }

  row(entries: Entries, row: number): Row {
    const cells = Array<Cell>(this.columns.size).fill(null);
    const unknown: string[] = [];
    const doubled = new Map<number, RowDefect>();
    const numbers: [column: number, number: string][] = [];
    entries((name, text, isNumber) => {
      const column = this.columns.get(name);
      if (column === undefined) unknown.push(name);
      else if (cells[column] === null) {
        cells[column] = text;
        if (isNumber === true && text !== null) numbers.push([column, text]);
      } else if (cells[column] !== text) {
        const message = `The record has two values of the name "${shown(name)}". Rename one of them.`;
        doubled.set(column, { column, code: 'ambiguous_name', message });
      }
    });
    const defects = [...(unknown.length > 0 ? [unknownNames(unknown)] : []), ...doubled.values()];
    const plain = { sheet: null, row, cells };
    if (defects.length === 0 && numbers.length === 0) return plain;
    return {
      ...plain,
      ...(defects.length > 0 ? { defects } : {}),
      ...(numbers.length > 0 ? { numbers } : {}),
    };
  }
}

/** Adds a row to a batch, by the length of its cells. */
export function addTo(batch: Batch, row: Row): void {
  let characters = 0;
  for (const cell of row.cells) characters += cell?.length ?? 0;
  batch.add(row, characters);
}

const shown = (name: string): string => (name.length > 80 ? `${name.slice(0, 80)}…` : name);

/** What is not among the columns would be lost in silence. */
function unknownNames(names: readonly string[]): RowDefect {
  const [first = ''] = names;
  const others = names.length > 1 ? ` (and ${names.length - 1} more)` : '';
  const message =
    `The record has the name "${shown(first)}"${others}, which none of the first ${NAMED_BY.records} records has. Put a ` +
    'record with all names first.';
  return { column: null, names, code: UNKNOWN_NAME, message };
}

/** Values that are nested deeper are given as JSON text. */
const MAX_DEPTH = 16;

/** Takes each value of a record, with its dotted name: `address.city`, `phones.0`. `isNumber`: it is one with decimals. */
type Take = (name: string, text: Cell, isNumber?: boolean) => void;

/** Takes a value apart until nothing is nested any more. What is empty, such as `{}`, is an empty cell of its name. */
export function flatten(name: string, value: unknown, take: Take, depth = 0): void {
  if (!isNested(value)) {
    take(name, textOf(value), typeof value === 'number' && !Number.isInteger(value));
    return;
  }
  const entries = entriesIn(value);
  if (entries.length === 0) take(name, null);
  else if (depth >= MAX_DEPTH) take(name, JSON.stringify(value));
  else for (const [key, inner] of entries) flatten(`${name}.${key}`, inner, take, depth + 1);
}

/** The values of an object with their names, those of a name that stands twice too. */
function entriesIn(value: object): readonly (readonly [name: string, value: unknown])[] {
  return value instanceof RepeatedNames ? value.entries : Object.entries(value);
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array);
}

function textOf(value: unknown): Cell {
  if (typeof value === 'string') return value === '' ? null : value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return null;
    return Number.isInteger(value) ? numberText(String(value)) : exactNumber(String(value));
  }
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (!(value instanceof Uint8Array)) return null;
  // Bytes are text where they can be, else base64.
  const buffer = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const text = buffer.toString();
  const shown = text.includes('\ufffd') || text.includes('\0') ? buffer.toString('base64') : text;
  return shown === '' ? null : shown;
}

/** An object of JSON in which a name stands twice, as all that stands in it. */
class RepeatedNames {
  constructor(readonly entries: readonly (readonly [name: string, value: unknown])[]) {}

  /** The last value of a name wins, as in the objects of the language. */
  toJSON(): unknown {
    return Object.fromEntries(this.entries);
  }
}

/** Names with their colons, other texts, and all that is neither a text nor white space. */
const JSON_TOKENS = /("(?:[^"\\]|\\.)*")\s*(:?)|[[\]{},]|[^\s"[\]{},:]+/g;

/**
 * Whether a name stands twice in an object. Colons are counted first: most texts have none but those of their names, and
 * need not be looked at again.
 */
function hasRepeatedNames(text: string, value: unknown): boolean {
  const names = countNames(value);
  let colons = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) colons++;
  if (colons === names) return false;
  let written = 0;
  for (const [, , colon] of text.matchAll(JSON_TOKENS)) if (colon === ':') written++;
  return written > names;
}

/** The value of a text that is known to be JSON, its objects with repeated names as `RepeatedNames`. */
function withRepeatedNames(text: string): unknown {
  const tokens = [...text.matchAll(JSON_TOKENS)];
  let at = 0;
  const next = (): RegExpExecArray | undefined => tokens[at++];
  const value = (token = next()): unknown => {
    const [whole = '', string] = token ?? [];
    if (whole === '[') return list();
    return whole === '{' ? object() : JSON.parse(string ?? whole);
  };
  const list = (): unknown[] => {
    const items: unknown[] = [];
    for (let token = next(); token && token[0] !== ']'; token = next())
      if (token[0] !== ',') items.push(value(token));
    return items;
  };
  const object = (): unknown => {
    const entries: [string, unknown][] = [];
    for (let token = next(); token && token[0] !== '}'; token = next())
      if (token[0] !== ',') entries.push([String(JSON.parse(token[1] ?? '""')), value()]);
    const isRepeated = new Set(entries.map(([name]) => name)).size < entries.length;
    return isRepeated ? new RepeatedNames(entries) : Object.fromEntries(entries);
  };
  return value();
}

function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner: unknown[] = Object.values(value);
  let count = Array.isArray(value) ? 0 : inner.length;
  for (const one of inner) count += countNames(one);
  return count;
}

/** Digits of a binary number at most; one with more was not made from one. */
const BINARY_DIGITS = 17;
/** Digits that a number has left when what binary fractions add to it is rounded away, such as `0.30000000000000004`. */
const ROUND_DIGITS = 12;
const PLAIN = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * A number with all digits that are written, but for those that are a trace of binary fractions: `0.1 + 0.2` is `0.3`.
 * A number with an exponent is a binary one, and is shown with 15 digits as in a spreadsheet.
 */
function exactNumber(text: string): string {
  const [, sign = '', whole, fraction] = PLAIN.exec(text) ?? [];
  if (whole === undefined) return numberText(text);
  if (fraction === undefined) return text;
  const rounded = numberText(text);
  const isBinary = significantDigits(text) <= BINARY_DIGITS;
  if (isBinary && significantDigits(rounded) <= ROUND_DIGITS) return rounded;
  const kept = fraction.replace(/0+$/, '');
  return kept === '' ? `${sign}${whole}` : `${sign}${whole}.${kept}`;
}

const significantDigits = (text: string): number => text.replaceAll(/^-?[0.]+|[-.]/g, '').length;
