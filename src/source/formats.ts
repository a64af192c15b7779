import type { RejectsFormat, ReopenOptions, Source } from '../core/table.js';
import type { FoundFile } from './file.js';

/** What a file is by its first bytes. */
export type Kind =
  /** Input files; of several formats that begin alike, what the container holds decides. */
  | { readonly kind: 'input'; readonly formats: readonly InputFormat[] }
  | { readonly kind: 'gzip' }
  /** Something known that is no spreadsheet; `name` says what. */
  | { readonly kind: 'other'; readonly name: string; readonly packed: boolean };

/** Bytes that are enough to know it. */
export const SIGNATURE_BYTES = 64;

const GZIP = '1f8b';
const PACKED: readonly (readonly [magic: string, name: string])[] = [
  ['526172211a07', 'RAR archive'],
  ['377abcaf271c', '7-Zip archive'],
  ['425a68', 'bzip2 archive'],
  ['28b52ffd', 'zstd archive'],
  ['fd377a585a00', 'xz archive'],
  ['504b0506', 'empty ZIP archive'],
];
const OTHERS: readonly (readonly [magic: string, name: string])[] = [
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
  const isOf = ([magic]: readonly [string, string]): boolean => hex.startsWith(magic);
  const text = head.subarray(0, SIGNATURE_BYTES).toString('latin1');
  const formats = INPUT_FORMATS.filter((each) => {
    const { signatures, begins } = traitsOf(each);
    return signatures.some((magic) => hex.startsWith(magic)) || begins?.test(text) === true;
  });
  if (formats.length > 0) return { kind: 'input', formats };
  if (hex.startsWith(GZIP)) return { kind: 'gzip' };
  const packed = PACKED.find(isOf);
  if (packed) return { kind: 'other', name: packed[1], packed: true };
  const other = OTHERS.find(isOf);
  if (other) return { kind: 'other', name: other[1], packed: false };
  if (MARKUP.test(text)) return { kind: 'other', name: 'page of HTML or XML', packed: false };
  return { kind: 'input', formats: [DEFAULT_FORMAT] };
}

/** What all workbooks have in common. */
const WORKBOOK = {
  canBeGzipped: false,
  isPacked: true,
  hasLines: false,
  storesEmptyCells: false,
  namesColumns: false,
  maxColumns: 16_384,
  rejects: 'xlsx',
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
    canBeGzipped: true,
    isPacked: false,
    isReadWhole: false,
    // A row has the number of its line already.
    hasLines: false,
    storesEmptyCells: true,
    namesColumns: true,
    maxColumns: Infinity,
    rejects: 'csv',
  },
  json: {
    words: 'JSON array',
    open: async (found) => (await import('./jsonl/open.js')).openJsonArray(found),
    signatures: [],
    // An array of arrays or of nothing is none that can be read, and its reader says so.
    begins: /^(?:ï»¿)?\s*\[\s*(?:\{\s*(?:"|\}|$)|\[\s*["\d]|\]\s*$|$)/,
    canBeGzipped: true,
    isPacked: false,
    isReadWhole: false,
    hasLines: false,
    storesEmptyCells: true,
    namesColumns: true,
    maxColumns: Infinity,
    rejects: 'csv',
  },
  parquet: {
    words: 'Parquet',
    open: async (found) => (await import('./parquet/open.js')).openParquet(found),
    signatures: ['50415231'],
    canBeGzipped: false,
    isPacked: true,
    isReadWhole: true,
    hasLines: false,
    storesEmptyCells: true,
    namesColumns: true,
    maxColumns: Infinity,
    rejects: 'csv',
  },
} as const satisfies Readonly<Record<string, FormatTraits>>;

/** What input files may be, for a person: kinds of workbooks count as one. */
export const INPUT_FORMAT_WORDS: string = listed([
  ...new Set(Object.values(FORMATS).map(({ words }) => words.replace(/ \(.*\)$/, ''))),
]);

function listed(words: readonly string[]): string {
  return words.length < 2
    ? words.join('')
    : `${words.slice(0, -1).join(', ')} or ${words.at(-1) ?? ''}`;
}

/** What can be done with an input format, and what its files are like. */
interface FormatTraits {
  /** What a person calls such a file. */
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
  /** The most columns that a table can have. */
  readonly maxColumns: number;
  /** What the rejects of such an input are written as: a format that the same mapping reads again. */
  readonly rejects: RejectsFormat;
}

export type InputFormat = keyof typeof FORMATS;

/** What a file is taken for that begins with no known signature. */
export const DEFAULT_FORMAT: InputFormat = 'csv';

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
