import { InputError, interruption, UsageError } from '../core/errors.js';
import type {
  Cell,
  SourceInfo,
  SourceOptions,
  ReopenOptions,
  Source,
  RejectsFormat,
} from '../core/table.js';
import { basename, join } from 'node:path';
import { OUTCOME_COLUMN, REJECTS_NAME } from '../core/report.js';
import {
  emptyFile,
  notRegular,
  readChunks,
  readHead,
  withInputErrors,
  type FoundFile,
} from './file.js';
import { listInZip, unpackedChunks } from './unpacked.js';
import { constants, createWriteStream } from 'node:fs';
import { access, rm, stat } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { otherKind } from '../files/regular-file.js';

export { unpackZip } from './unpacked.js';

/**
 * All rows of a small table, for the mapping's lookups. Empty cells are empty text.
 * @throws as `tableBatches` does
 */
export async function readTable(file: string): Promise<string[][]> {
  const table: string[][] = [];
  for await (const rows of tableBatches(file))
    for (const cells of rows) table.push(cells.map((cell) => cell ?? ''));
  return table;
}

/**
 * The cells of a table, batch by batch.
 * @throws InputError where it cannot be read, or is of a format that is read into memory whole
 */
export async function* tableBatches(
  file: string,
): AsyncGenerator<(readonly Cell[])[], void, undefined> {
  const { format, formatName } = await findFormat(file);
  if (traitsOf(format).isReadWhole) {
    const reason = `a lookup table is CSV, .xlsx, .ods or JSON Lines, and this is a ${formatName}. Save it as CSV.`;
    throw new InputError('not_a_lookup_table', reason, { file });
  }
  const source = await openSource(file);
  refuseUnsureEncoding(file, source.info);
  for await (const rows of source.batches()) yield rows.map(({ cells }) => cells);
}

/**
 * Refuses a sheet that was asked of a file without sheets: most likely another file was meant.
 * @param name of the file, as the person knows it
 * @throws UsageError
 */
export function refuseSheetOfText(
  name: string,
  { sheets, formatName }: SourceInfo,
  { sheet }: SourceOptions,
): void {
  if (sheet === undefined || sheets.length > 0) return;
  throw new UsageError(
    `${name} is no workbook but ${formatName}, and has no sheets. Leave --sheet out, or name another file.`,
  );
}

/**
 * Refuses a text of which it is not sure in which encoding it is. Holds no word of it: the error may be logged.
 * @param name of the file, as the person knows it
 * @throws InputError
 */
export function refuseUnsureEncoding(name: string, { encoding, encodingDoubt }: SourceInfo): void {
  if (!encodingDoubt) return;
  const reason =
    `the text is in ${encoding ?? 'one encoding'} or in ${encodingDoubt.runnerUp}, and either makes sense. "cardline rows" ` +
    'shows a word in both. Name the right one with --encoding, or "source: { encoding: … }" in the mapping.';
  throw new InputError('unsure_encoding', reason, { file: name });
}

/**
 * Opens a spreadsheet file of any format, plain or, where it is text, packed with gzip. Its format is
 * found by its content, whatever its name.
 * @throws InputError when the file is missing, unreadable, empty, or no spreadsheet
 * @throws UsageError when the options name an unknown encoding or an impossible delimiter
 */
export async function openSource(file: string, options: ReopenOptions = {}): Promise<Source> {
  return openFound(await findFormat(file), options);
}

/**
 * Opens a file whose format is known. Where nobody says which sheet is meant and the first visible one is empty, such as a
 * cover, the next one that is not is taken.
 */
export async function openFound(
  found: FoundFile & { format: InputFormat },
  options: ReopenOptions,
): Promise<Source> {
  const source = await openSheets(found, options);
  const { otherSheets = [], hiddenSheets = [] } = source.info;
  const visible = otherSheets.filter((name) => !hiddenSheets.includes(name));
  if (options.sheet !== undefined || options.allSheets || visible.length === 0) return source;
  if (!(await isEmpty(source))) return source;
  for (const sheet of visible) {
    const other = await traitsOf(found.format).open(found, { ...options, sheet });
    if (!(await isEmpty(other))) return other;
  }
  return source;
}

/** Rows above a header that are kept, and stand in the rejects as well. */
export const PREAMBLE_ROWS = 1000;

/** Rejects of a workbook have one sheet, which the same mapping reads whatever sheets it names. */
async function openSheets(
  found: FoundFile & { format: InputFormat },
  options: ReopenOptions,
): Promise<Source> {
  const { open } = traitsOf(found.format);
  try {
    return await open(found, options);
  } catch (error) {
    const isMissing = error instanceof InputError && error.code === 'unknown_sheet';
    if (!isMissing || !REJECTS_NAME.test(basename(found.file))) throw error;
    const { sheet: _, ...others } = options;
    const source = await open(found, others);
    if (source.info.otherSheets || !(await holdsRejects(source))) throw error;
    return source;
  }
}

/** Whether cardline has written it: a file of somebody else may have the same name. */
async function holdsRejects(source: Source): Promise<boolean> {
  let seen = 0;
  for await (const rows of source.batches()) {
    if (rows.some(({ cells }) => cells.includes(OUTCOME_COLUMN))) return true;
    seen += rows.length;
    if (seen > PREAMBLE_ROWS) return false;
  }
  return false;
}

/** Whether a source has no rows. What is broken is not empty: whoever reads it says what is wrong. */
async function isEmpty(source: Source): Promise<boolean> {
  try {
    for await (const rows of source.batches()) if (rows.length > 0) return false;
    return true;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

/**
 * What a file is, by its content.
 * @throws InputError when the file is missing, unreadable, empty, or no spreadsheet
 */
export async function findFormat(file: string): Promise<FoundFile & { format: InputFormat }> {
  const bytes = await inspectFile(file);
  const found = signatureOf(await readHead(readChunks(file), SIGNATURE_BYTES));
  if (found.kind === 'other') throw noSpreadsheet(file, found);
  const { format, part } =
    found.kind === 'gzip'
      ? { format: await formatInside(file, bytes) }
      : await formatOf(file, bytes, found.formats);
  const gzip = found.kind === 'gzip' || part !== undefined;
  const { words: formatName } = traitsOf(format);
  return { file, bytes, gzip, ...(part === undefined ? {} : { part }), format, formatName };
}

/** What a zip container, such as a workbook, unpacks to at most, in bytes; `Infinity` for what is none, or cannot be read. */
export async function unpackedBytes(file: string): Promise<number> {
  return (await import('./zip.js')).bytesInZip(file);
}

/** Of formats that begin alike, the one whose parts the container holds; of a zip file that is none, that of its list. */
async function formatOf(
  file: string,
  bytes: number,
  formats: readonly InputFormat[],
): Promise<{ format: InputFormat; part?: string | undefined }> {
  const [first = DEFAULT_FORMAT] = formats;
  if (formats.length < 2) return { format: first };
  const { namesInContainer } = await import('./zip.js');
  const names = await namesInContainer(file);
  const holding = formats.find((each) => traitsOf(each).holds?.some((name) => names.has(name)));
  if (holding) return { format: holding };
  const part = formats.includes('ods') ? listInZip(file, names) : undefined;
  if (part === undefined)
    return { format: formats.find((each) => traitsOf(each).holds === undefined) ?? first };
  return { format: await formatInside(file, bytes, part), part };
}

/** The format of what is packed with gzip, or as a part of a zip file. */
async function formatInside(file: string, bytes: number, part?: string): Promise<InputFormat> {
  const found = { file, bytes, format: 'csv', formatName: '', gzip: true };
  const packed = part === undefined ? found : { ...found, part };
  const head = await readHead(unpackedChunks(packed), SIGNATURE_BYTES);
  if (head.length === 0) throw emptyFile(file);
  const inner = signatureOf(head);
  if (inner.kind === 'other') throw noSpreadsheet(file, inner);
  const [format] = inner.kind === 'input' ? inner.formats : [];
  if (format !== undefined && traitsOf(format).canBeGzipped) return format;
  const packing = part === undefined ? 'gzip' : 'zip';
  const reason = `the ${packing} file holds another packed file or a workbook. Unpack it first and give what is inside.`;
  throw new InputError(`${packing}_holds_archive`, reason, { file });
}

function noSpreadsheet(file: string, { name, packed }: Extract<Kind, { kind: 'other' }>) {
  const advice = packed
    ? 'Unpack it first and give the file inside.'
    : 'Save it as .xlsx or CSV in a spreadsheet program.';
  const reason = `this is no spreadsheet but a ${name}. ${advice}`;
  return new InputError('not_a_spreadsheet', reason, { file });
}

/**
 * Size of a file that is there, is a regular file, may be read and holds something.
 * @throws InputError otherwise
 */
export async function inspectFile(file: string): Promise<number> {
  const found = await withInputErrors(file, stat(file));
  const other = otherKind(found);
  if (other !== undefined) throw notRegular(file, other);
  await withInputErrors(file, access(file, constants.R_OK));
  if (found.size === 0) throw emptyFile(file);
  return found.size;
}

/**
 * Refuses at once what is no regular file, such as a pipe, which would be waited for. What is missing or may not be read
 * is refused when it is opened. `name`: by which the person knows the file.
 * @throws InputError
 */
export async function refuseOtherThanFile(file: string, name = file): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  const other = found && otherKind(found);
  if (other !== undefined) throw notRegular(name, other);
}

/**
 * Copies a stream, such as standard input, to a file, so that it can be read twice. What was written is removed when
 * the stream fails.
 * @param folder an existing folder
 * @param signal aborted by whoever does not want to wait for the end of the stream
 * @returns path of the new file, which its owner alone may read; the caller deletes it
 */
export async function spoolStandardInput(
  stream: AsyncIterable<Uint8Array>,
  folder: string,
  signal?: AbortSignal,
): Promise<string> {
  const file = join(folder, `standard-input-${randomUUID()}`);
  try {
    const copy = createWriteStream(file, { mode: 0o600, flags: 'wx' });
    await (signal ? pipeline(stream, copy, { signal }) : pipeline(stream, copy));
    return file;
  } catch (error) {
    await rm(file, { force: true });
    throw signal?.aborted ? interruption(signal, { cause: error }) : error;
  }
}

/** What a file is by its first bytes. */
type Kind =
  /** Input files; of several formats that begin alike, what the container holds decides. */
  | { readonly kind: 'input'; readonly formats: readonly InputFormat[] }
  | { readonly kind: 'gzip' }
  /** Something known that is no spreadsheet; `name` says what. */
  | { readonly kind: 'other'; readonly name: string; readonly packed: boolean };

/** Bytes that are enough to know it. */
export const SIGNATURE_BYTES = 64;

const GZIP = '1f8b';
/** What a file may be that is no input, by its first bytes in hexadecimal. `packed`: it holds other files. */
const OTHERS: readonly (readonly [magic: string, name: string, packed?: true])[] = [
  ['526172211a07', 'RAR archive', true],
  ['377abcaf271c', '7-Zip archive', true],
  ['425a68', 'bzip2 archive', true],
  ['28b52ffd', 'zstd archive', true],
  ['fd377a585a00', 'xz archive', true],
  ['504b0506', 'empty ZIP archive', true],
  ['255044462d', 'PDF document'],
  ['89504e470d0a', 'PNG image'],
  ['ffd8ff', 'JPEG image'],
  ['47494638', 'GIF image'],
  ['7b5c727466', 'RTF document'],
  ['7f454c46', 'program'],
  ['4d5a90', 'program'],
  ['53514c69746520666f726d61742033', 'SQLite database'],
];
const MARKUP = /^(?:\ufeff|ï»¿)?\s*<(?:!doctype html|html|table|\?xml)[\s>]/i;

/** The kind of a file by its first `SIGNATURE_BYTES` bytes. */
export function signatureOf(head: Buffer): Kind {
  const hex = head.subarray(0, SIGNATURE_BYTES).toString('hex');
  const text = head.subarray(0, SIGNATURE_BYTES).toString('latin1');
  const formats = INPUT_FORMATS.filter((each) => {
    const { signatures, begins } = traitsOf(each);
    return signatures.some((magic) => hex.startsWith(magic)) || begins?.test(text) === true;
  });
  if (formats.length > 0) return { kind: 'input', formats };
  if (hex.startsWith(GZIP)) return { kind: 'gzip' };
  const [, name, packed = false] = OTHERS.find(([magic]) => hex.startsWith(magic)) ?? [];
  if (name !== undefined) return { kind: 'other', name, packed };
  if (MARKUP.test(text)) return { kind: 'other', name: 'page of HTML or XML', packed: false };
  return { kind: 'input', formats: [DEFAULT_FORMAT] };
}

const WORKBOOK = {
  canBeGzipped: false,
  isPacked: true,
  hasLines: false,
  storesEmptyCells: false,
  namesColumns: false,
  maxColumns: 16_384,
  rejects: 'xlsx',
} as const;

const RECORDS = {
  canBeGzipped: true,
  isPacked: false,
  isReadWhole: false,
  // A row has the number of its line already, or of its record.
  hasLines: false,
  storesEmptyCells: true,
  namesColumns: true,
  maxColumns: Infinity,
  rejects: 'csv',
} as const;

const COMPOUND_FILE = 'd0cf11e0a1b11ae1';

const ZIP = '504b0304';

/** The formats of input files: all that is to be known of one stands here and in the folder of its reader. */
const FORMATS = {
  csv: {
    words: 'CSV',
    open: async (found, options) => (await import('./csv/open.js')).openCsv(found, options),
    signatures: [],
    canBeGzipped: true,
    isPacked: false,
    isReadWhole: false,
    hasLines: true,
    storesEmptyCells: true,
    namesColumns: false,
    maxColumns: Infinity,
    rejects: 'csv',
  },
  xlsx: {
    words: 'workbook',
    open: async (found, options) => (await import('./xlsx/open.js')).openXlsx(found, options),
    // The second one is of encrypted workbooks and other documents, for which its reader has better errors.
    signatures: [ZIP, COMPOUND_FILE],
    isReadWhole: false,
    ...WORKBOOK,
  },
  xls: {
    words: 'workbook (.xls)',
    open: async (found, options) => (await import('./xls/open.js')).openXls(found, options),
    // The others are of files that hold nothing but one sheet, as programs before 1993 and some exports write them.
    signatures: [COMPOUND_FILE, '09081000', '09080800', '09040600', '09020600', '09000400'],
    holds: ['Workbook', 'Book'],
    isReadWhole: true,
    ...WORKBOOK,
  },
  xlsb: {
    words: 'workbook (.xlsb)',
    open: async (found, options) => (await import('./sheetjs/open.js')).openXlsb(found, options),
    signatures: [ZIP],
    holds: ['xl/workbook.bin'],
    isReadWhole: true,
    ...WORKBOOK,
  },
  ods: {
    words: 'workbook (.ods)',
    open: async (found, options) => (await import('./ods/open.js')).openOds(found, options),
    signatures: [ZIP],
    holds: ['content.xml'],
    isReadWhole: false,
    ...WORKBOOK,
  },
  jsonl: {
    words: 'JSON Lines',
    open: async (found) => (await import('./jsonl/open.js')).openJsonl(found),
    signatures: [],
    begins: /^(?:ï»¿)?\s*\{\s*(?:"|\})/,
    ...RECORDS,
  },
  json: {
    words: 'JSON array',
    open: async (found) => (await import('./jsonl/open.js')).openJsonArray(found),
    signatures: [],
    // An array of arrays or of nothing is none that can be read, and its reader says so.
    begins: /^(?:ï»¿)?\s*\[\s*(?:\{\s*(?:"|\}|$)|\[\s*["\d]|\]\s*$|$)/,
    ...RECORDS,
  },
  parquet: {
    words: 'Parquet',
    open: async (found) => (await import('./parquet/open.js')).openParquet(found),
    signatures: ['50415231'],
    ...RECORDS,
    canBeGzipped: false,
    isPacked: true,
    isReadWhole: true,
  },
} as const satisfies Readonly<Record<string, FormatTraits>>;

const WORDS = new Set(Object.values(FORMATS).map(({ words }) => words.replace(/ \(.*\)$/, '')));

/** What input files may be, for a person: kinds of workbooks count as one. */
export const INPUT_FORMAT_WORDS = [...WORDS].join(', ').replace(/, (?!.*, )/, ' or ');

/** What can be done with an input format, and what its files are like. */
interface FormatTraits {
  readonly words: string;
  /** Opens a file of the format. Errors: as `openSource`. Loads the code of its reader when it is called. */
  readonly open: (found: FoundFile, options: ReopenOptions) => Promise<Source>;
  /** First bytes of such files, in hexadecimal. Without any of its own, see `begins` and `DEFAULT_FORMAT`. */
  readonly signatures: readonly string[];
  /** How such files begin, where they are text. */
  readonly begins?: RegExp;
  /**
   * Parts or streams of a container, one of which such files have and others do not. Of the formats with one signature,
   * the one without this property takes what no other recognizes, and says what is wrong with it.
   */
  readonly holds?: readonly string[];
  /** Whether its files are also read when they are packed with gzip. */
  readonly canBeGzipped: boolean;
  /** Whether its files are packed themselves, so that a small one may hold a lot. */
  readonly isPacked: boolean;
  /**
   * Whether a library reads its files, or large parts of them, into memory at once. Outside of a reading thread they are
   * read in one of their own, which has limits.
   */
  readonly isReadWhole: boolean;
  /** Whether its rows stand on lines of text, which errors name beside the row. */
  readonly hasLines: boolean;
  /**
   * Whether a row stores all of its cells, empty ones at its end included. Then the number of cells means something: a
   * row with fewer or more than the header is not trusted.
   */
  readonly storesEmptyCells: boolean;
  /** Whether the file itself names its columns. Its reader gives the names as row 0, and `headerRow` does not count. */
  readonly namesColumns: boolean;
  readonly maxColumns: number;
  /** What the rejects of such an input are written as: a format that the same mapping reads again. */
  readonly rejects: RejectsFormat;
}

export type InputFormat = keyof typeof FORMATS;

/** What a file is taken for that begins with no known signature. */
const DEFAULT_FORMAT: InputFormat = 'csv';

/** The formats in the order in which a file is compared with them. */
export const INPUT_FORMATS = Object.keys(FORMATS).filter(isInputFormat);

/** What the format of that name is like. */
export function traitsOf(format: string): FormatTraits {
  if (!isInputFormat(format)) throw new Error(`no input format is called "${format}"`);
  return FORMATS[format];
}

function isInputFormat(name: string): name is InputFormat {
  return Object.hasOwn(FORMATS, name);
}
