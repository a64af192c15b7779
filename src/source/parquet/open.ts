import type {
  ParquetRow,
  Compressors,
  FileMetaData,
  SchemaElement,
  SchemaTree,
  ParquetParsers,
} from 'hyparquet';
import { InputError } from '../../core/errors.js';
import type { Source } from '../../core/table.js';
import type { Batch } from '../rows.js';
import { readWhole, type FoundFile } from '../file.js';
import {
  flatten,
  addTo,
  ColumnNames,
  NAMED_BY,
  recordSource,
  type Entries,
  isTooDeep,
  parseJson,
} from '../jsonl/open.js';
import * as zlib from 'node:zlib';

/**
 * Opens a Parquet file. Nested values have dotted names; a row has the number of its record, from 1.
 * @throws InputError `broken_parquet`, `unsupported_compression`, `too_large`
 */
export async function openParquet(found: FoundFile): Promise<Source> {
  const names = new ColumnNames();
  // Columns without parts are known; what others hold shows in the first rows.
  for await (const { columns, records } of groupsOf(found, NAMED_BY.records))
    for (const record of records.length > 0 ? records : [{}])
      names.add(entriesOf(columns, record), { file: found.file });
  async function* adding(batch: Batch, onRead: (bytes: number) => void): AsyncGenerator<void> {
    let row = 0;
    for await (const { columns, records } of groupsOf(found, Infinity, onRead))
      for (const record of records) {
        if (batch.isFull) yield;
        addTo(batch, names.row(entriesOf(columns, record), ++row));
      }
  }
  const verify = (): Promise<void> => readWhole(groupsOf(found, Infinity));
  return recordSource(found, {}, names, adding, verify);
}

/** The records of the first rows, up to so many. */
async function* groupsOf(
  { file }: FoundFile,
  rows: number,
  onRead: (bytes: number) => void = () => undefined,
): AsyncGenerator<
  { readonly columns: readonly ParquetColumn[]; readonly records: readonly ParquetRow[] },
  void,
  undefined
> {
  const parquet = await import('hyparquet');
  const whole = await parquet.asyncBufferFromFile(file);
  const buffer = {
    byteLength: whole.byteLength,
    slice: async (start: number, end?: number) => {
      const bytes = await whole.slice(start, end);
      onRead(bytes.byteLength);
      return bytes;
    },
  };
  const metadata = await orBroken(file, parquet.parquetMetadataAsync(buffer));
  checkGroups(metadata, file);
  const columns = columnsOf(parquet.parquetSchema(metadata));
  if (metadata.row_groups.length === 0) yield { columns, records: [] };
  for (const { start, end } of stretches(metadata, rows)) {
    const opened = parquet.parquetReadObjects({
      file: buffer,
      metadata,
      rowStart: start,
      rowEnd: end,
      parsers: PARSERS,
      compressors: COMPRESSORS,
      utf8: false,
    });
    yield { columns, records: await orBroken(file, opened) };
  }
}

function entriesOf(columns: readonly ParquetColumn[], record: ParquetRow): Entries {
  return (take) => {
    for (const { name, isNested, shown } of columns) {
      const value: unknown = record[name] ?? null;
      // A nested column that is empty here has other names elsewhere.
      if (value !== null || !isNested) flatten(name, value === null ? null : shown(value), take);
    }
  };
}

/** The library's own words may hold content of the file; they decide what is wrong, and are not shown. */
async function orBroken<T>(file: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const words = error instanceof Error ? error.message : '';
    const codec = /compression codec: (\w+)/.exec(words)?.[1];
    const [code, reason] =
      codec === undefined
        ? ['broken_parquet', 'the Parquet file is cut off or damaged. Copy or download it again.']
        : [
            'unsupported_compression',
            `the Parquet file is compressed with ${codec}, which cannot be read here. Write it with Snappy or gzip.`,
          ];
    throw new InputError(code, reason, { file });
  }
}

/** No page may unpack to more than the file says of it, nor to more than this. */
const MAX_PAGE = 256 * 2 ** 20;

const limited = (length: number) => ({ maxOutputLength: Math.min(Math.max(length, 1), MAX_PAGE) });

/** What Node can unpack; Snappy, which most files use, is in the library. Zstandard came with Node 22. */
const COMPRESSORS: Compressors = {
  GZIP: (input, length) => zlib.gunzipSync(input, limited(length)),
  BROTLI: (input, length) => zlib.brotliDecompressSync(input, limited(length)),
  ...('zstdDecompressSync' in zlib && {
    ZSTD: (input: Uint8Array, length: number) => zstd(input, length),
  }),
};

function zstd(input: Uint8Array, length: number): Uint8Array {
  const unpack: unknown = Reflect.get(zlib, 'zstdDecompressSync');
  const unpacked: unknown =
    typeof unpack === 'function' ? Reflect.apply(unpack, zlib, [input, limited(length)]) : null;
  if (unpacked instanceof Uint8Array) return unpacked;
  throw new Error('this Node cannot unpack Zstandard');
}

const MIB = 2 ** 20;
/** Bytes that the values of one row group may take, unpacked: the pages of a column are unpacked together. */
const MAX_BYTES = 256 * MIB;
/** Cells of one row group: a value that is filled down takes next to no bytes. */
const MAX_CELLS = 50_000_000;
/** Cells that are read together, as objects of about 70 bytes each. */
const READ_CELLS = 2_000_000;

/** Refuses a file of which some row group would take too much memory, by what the file says of itself. */
function checkGroups({ row_groups: groups }: FileMetaData, file: string): void {
  for (const [index, group] of groups.entries()) {
    // What the group says, or what its columns say together: writers differ in which they fill in.
    const unpacked = group.columns
      .map(({ meta_data: about }) => Number(about?.total_uncompressed_size))
      .reduce((sum, size) => sum + (size > 0 ? size : 0), 0);
    const bytes = Math.max(Number(group.total_byte_size), unpacked);
    const rows = Number(group.num_rows);
    const cells = rows * group.columns.length;
    if (bytes <= MAX_BYTES && cells <= MAX_CELLS) continue;
    const what =
      bytes > MAX_BYTES
        ? `takes ${Math.ceil(bytes / MIB)} MiB, unpacked, and the limit is ${MAX_BYTES / MIB} MiB`
        : `has ${rows} rows of ${group.columns.length} columns, and the limit is ${MAX_CELLS} cells`;
    const reason = `row group ${index + 1} of ${groups.length} of the Parquet file ${what}. Write it with smaller row groups, or as CSV.`;
    throw new InputError('too_large', reason, { file });
  }
}

/**
 * The stretches in which the first rows are read: rows of one row group, the last one left out. Pages before a stretch
 * are passed over without being unpacked.
 * @param rows how many rows are wanted
 */
function* stretches(
  { row_groups: groups }: FileMetaData,
  rows: number,
): Generator<{ readonly start: number; readonly end: number }, void, undefined> {
  let start = 0;
  for (const { num_rows: count, columns } of groups) {
    const end = start + Number(count);
    const step = Math.max(1, Math.floor(READ_CELLS / Math.max(1, columns.length)));
    for (; start < Math.min(end, rows); start += step)
      yield { start, end: Math.min(start + step, end, rows) };
    start = end;
  }
}

type ParquetColumn = ReturnType<typeof columnsOf>[number];

/**
 * The columns of a file, and whether their values have parts of their own. Decimals are announced as plain numbers to the
 * library, which would round them: their elements are changed for that.
 */
function columnsOf(tree: SchemaTree) {
  return tree.children.map((node) => {
    const { element, children } = node;
    const isNested =
      children.length > 0 || element.repetition_type === 'REPEATED' || isJson(element);
    return { name: element.name, isNested, shown: shownIn(node) };
  });
}

function shownIn({ element, children }: SchemaTree): Shown {
  if (element.logical_type?.type === 'VARIANT' || isJson(element)) return asItIs;
  const [first, more] = children;
  if (!first) return inLists(shownBy(element));
  // As the library takes them: what it takes for a list, it gives as an array.
  const isRepeated = !more && first.element.repetition_type === 'REPEATED';
  const [inner, second, third] = first.children;
  if (isRepeated && element.converted_type === 'LIST' && !second) return shownIn(inner ?? first);
  if (isRepeated && element.converted_type === 'MAP' && second && !third) {
    // Only the values of a map: its names are made into texts by the library.
    const values = first.children.find((child) => child.element.name === 'value');
    const shown = values && shownIn(values);
    return inLists((value) => withEach(value, () => shown));
  }
  const parts = new Map(children.map((child) => [child.element.name, shownIn(child)]));
  return inLists((value) => withEach(value, (name) => parts.get(name)));
}

function inLists(shown: Shown): Shown {
  const each = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(each) : value === null ? null : shown(value);
  return each;
}

function withEach(value: unknown, shownOf: (name: string) => Shown | undefined): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, one]: [string, unknown]) => {
    const shown = shownOf(name);
    return [name, shown ? shown(one) : one] as const;
  });
  return Object.fromEntries(entries);
}

/** Gives what the library reads the form that a cell shows. */
type Shown = (value: unknown) => unknown;

/** Units of a time of day in a second. */
const PER_SECOND = { MILLIS: 1_000n, MICROS: 1_000_000n, NANOS: 1_000_000_000n } as const;

/** Whether a column holds JSON, by its logical type or by the older one. */
function isJson({ logical_type: type, converted_type: older }: SchemaElement): boolean {
  return type?.type === 'JSON' || older === 'JSON';
}

const asItIs: Shown = (value) => value;

/** The form of values without parts. Changes the element of a decimal, so that the library does not round it. */
function shownBy(element: SchemaElement): Shown {
  const { type, logical_type: logical, converted_type: converted } = element;
  if (logical?.type === 'DECIMAL' || converted === 'DECIMAL') return decimals(element);
  if (logical?.type === 'TIME') return times(PER_SECOND[logical.unit]);
  if (converted === 'TIME_MILLIS' || converted === 'TIME_MICROS')
    return times(converted === 'TIME_MILLIS' ? PER_SECOND.MILLIS : PER_SECOND.MICROS);
  // Moments in UTC, and not in the local time of wherever.
  const isUtc =
    logical?.type === 'TIMESTAMP'
      ? logical.isAdjustedToUTC
      : converted === 'TIMESTAMP_MILLIS' || converted === 'TIMESTAMP_MICROS';
  if (isUtc) return (value) => (typeof value === 'string' ? `${value}Z` : value);
  if (type === 'FLOAT') return (value) => (typeof value === 'number' ? floatOf(value) : value);
  return asItIs;
}

function decimals(element: SchemaElement): Shown {
  const scale = element.scale ?? 0;
  delete element.converted_type;
  delete element.logical_type;
  return (value) => {
    if (value instanceof Uint8Array) return decimalText(signedNumber(value), scale);
    return isWhole(value) ? decimalText(BigInt(value), scale) : value;
  };
}

/** A time of day from its number of units since midnight. */
function times(perSecond: bigint): Shown {
  return (value) => {
    if (!isWhole(value)) return value;
    const text = momentText((BigInt(value) * SECOND) / perSecond);
    return text?.slice(DATE_LENGTH + 1) ?? String(value);
  };
}

function isWhole(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || Number.isInteger(value);
}

const [MILLISECOND, SECOND] = [1_000n, 1_000_000_000n];
/** Beyond these years there is no ISO form of four digits. */
const MAX_MILLISECONDS = 253_402_300_799_999n;
const MIN_MILLISECONDS = -62_167_219_200_000n;

const decoder = new TextDecoder();
const TIME_LENGTH = 'yyyy-MM-ddTHH:mm:ss'.length;
const DATE_LENGTH = 'yyyy-MM-dd'.length;

/** Values that have no form in JSON, as texts: dates and times by ISO 8601, to the last digit that is stored. */
const PARSERS: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (millis) => momentText(millis * 1_000_000n),
  timestampFromMicroseconds: (micros) => momentText(micros * MILLISECOND),
  timestampFromNanoseconds: (nanos) => momentText(nanos),
  dateFromDays: (days) => momentText(BigInt(days) * 86_400n * SECOND)?.slice(0, DATE_LENGTH),
  jsonFromBytes: (bytes) => jsonOf(bytes),
  // Places on a map are no text of a list; they come as bytes do.
  geometryFromBytes: (bytes) => bytes,
  geographyFromBytes: (bytes) => bytes,
};

/** `2024-01-01T10:11:12`, with decimals of the second where there are any; `null` for a moment that has no such form. */
function momentText(nanos: bigint): string | null {
  const rest = ((nanos % SECOND) + SECOND) % SECOND;
  const millis = (nanos - rest) / 1_000_000n;
  if (millis < MIN_MILLISECONDS || millis > MAX_MILLISECONDS) return null;
  const text = new Date(Number(millis)).toISOString().slice(0, TIME_LENGTH);
  return rest === 0n ? text : `${text}.${digitsAfterPoint(rest, 9)}`;
}

/** What is no JSON after all, or nested too deep, is given as the text that it is. */
function jsonOf(bytes: Uint8Array | undefined): unknown {
  if (bytes === undefined) return null;
  const text = decoder.decode(bytes);
  return isTooDeep(text) ? text : (parseJson(text) ?? text);
}

/** A decimal number from its digits without a point: exact, whatever its length. */
function decimalText(unscaled: bigint, scale: number): string {
  if (scale <= 0) return String(unscaled * 10n ** BigInt(-scale));
  const size = unscaled < 0n ? -unscaled : unscaled;
  const unit = 10n ** BigInt(scale);
  const fraction = digitsAfterPoint(size % unit, scale);
  const sign = unscaled < 0n ? '-' : '';
  return `${sign}${size / unit}${fraction === '' ? '' : `.${fraction}`}`;
}

function digitsAfterPoint(part: bigint, count: number): string {
  return String(part).padStart(count, '0').replace(/0+$/, '');
}

/** The whole number that bytes are, the highest first, negative ones by their complement. */
function signedNumber(bytes: Uint8Array): bigint {
  const hex = Buffer.from(bytes).toString('hex');
  return hex === '' ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${hex}`));
}

/** The shortest decimal number that is stored as this one of 32 bits. */
function floatOf(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}
