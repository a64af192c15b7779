import type { InputFormat, RejectsFormat, Source, SourceOptions } from '../core/source.js';
import type { FoundFile } from './file.js';

/** What can be done with an input format, and what its files are like. */
export interface FormatTraits {
  /** Opens a file of the format. Errors: as `openSource`. Loads the code of its reader when it is called. */
  readonly open: (found: FoundFile, options: SourceOptions) => Promise<Source>;
  /** First bytes of such files, in hexadecimal. Without any, see `DEFAULT_FORMAT`. */
  readonly signatures: readonly string[];
  /** Whether its files are also read when they are packed with gzip. */
  readonly canBeGzipped: boolean;
  /** Whether its files are packed themselves, so that a small one may hold a lot. */
  readonly isPacked: boolean;
  /** Whether its rows stand on lines of text, which errors name beside the row. */
  readonly hasLines: boolean;
  /**
   * Whether a row stores all of its cells, empty ones at its end included. Then the number of cells means something: a
   * row with fewer or more than the header is not trusted.
   */
  readonly storesEmptyCells: boolean;
  /** The most columns that a table can have. */
  readonly maxColumns: number;
  /** What the rejects of such an input are written as: a format that the same mapping reads again. */
  readonly rejects: RejectsFormat;
}

/** The formats of input files: all that is to be known of one stands here and in the folder of its reader. */
export const FORMATS: Readonly<Record<InputFormat, FormatTraits>> = {
  csv: {
    open: async (found, options) => (await import('./csv/open.js')).openCsv(found, options),
    signatures: [],
    canBeGzipped: true,
    isPacked: false,
    hasLines: true,
    storesEmptyCells: true,
    maxColumns: Infinity,
    rejects: 'csv',
  },
  xlsx: {
    open: async ({ file }, options) => (await import('./xlsx/open.js')).openXlsx(file, options),
    // The second one is of encrypted and older workbooks, for which its reader has better errors.
    signatures: ['504b0304', 'd0cf11e0a1b11ae1'],
    canBeGzipped: false,
    isPacked: true,
    hasLines: false,
    storesEmptyCells: false,
    maxColumns: 16_384,
    rejects: 'xlsx',
  },
};

/** What a file is taken for that begins with no known signature. */
export const DEFAULT_FORMAT: InputFormat = 'csv';
