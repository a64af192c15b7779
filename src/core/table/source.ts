import type { Dialect } from './dialect.js';
import type { Row } from './row.js';

/** The formats that rejected rows can be written in. */
export const REJECTS_FORMATS = ['csv', 'xlsx'] as const;
export type RejectsFormat = (typeof REJECTS_FORMATS)[number];

/** What is wanted of a file: the mapping's `source:` section. Every field is optional. */
export interface SourceOptions {
  /**
   * Sheet by name, or by number from 1; a name wins over a number. Where no sheet has the name: several of them with commas
   * or semicolons between, and `all` for every visible one. Default: the first visible sheet that is not empty.
   */
  readonly sheet?: string | number | undefined;
  /** Every sheet, hidden ones included, in the workbook's order. Default false. */
  readonly allSheets?: boolean | undefined;
  /** Encoding label (`utf-8`, `windows-1251`, …) or `auto`. @default 'auto' */
  readonly encoding?: string | undefined;
  /** Up to eight characters, `tab`, or `auto`. @default 'auto' */
  readonly delimiter?: string | undefined;
}

/** What is known of a file when it is opened once more. */
export interface ReopenOptions extends SourceOptions {
  /** The dialect of a text as it was found: it wins over `delimiter`. @default found */
  readonly dialect?: Dialect | undefined;
}

/** An encoding that would be nearly as likely as the chosen one, and a word that shows the difference. */
export interface EncodingDoubt {
  /** Label of the runner-up. */
  readonly runnerUp: string;
  /** A word of the file in the chosen encoding. Personal data: for the terminal alone. */
  readonly word: string;
  /** The same word in the other one. */
  readonly otherWord: string;
}

/** What was found out about a file; shown to the person. */
export interface SourceInfo {
  /** Name of the format, such as `csv`. The formats stand in `source/formats.ts`. */
  readonly format: string;
  /** What a person calls a file of this format. */
  readonly formatName: string;
  /** Set for text alone. */
  readonly encoding?: string;
  /** Whether an encoding that is none of Unicode's was guessed from the text: nobody has named it. */
  readonly encodingGuessed?: boolean;
  /** Set when the encoding was found and is not sure. */
  readonly encodingDoubt?: EncodingDoubt;
  /** Set for text alone: the delimiter itself. */
  readonly delimiter?: string;
  /** Set for text alone: how it is read. */
  readonly dialect?: Dialect;
  /** Whether the file was compressed: with gzip, or as a part of a zip file. */
  readonly gzip: boolean;
  /** Name of the list in a zip file; absent where it was not in one. */
  readonly part?: string;
  /** Whether the file begins with a byte order mark. */
  readonly bom: boolean;
  /** Names of the sheets that are read; empty where a format has none. */
  readonly sheets: readonly string[];
  /** Names of the other sheets with rows; absent where a format has none. */
  readonly otherSheets?: readonly string[];
  /** Those of them that are hidden; absent where none is. */
  readonly hiddenSheets?: readonly string[];
  /** Size of the file in bytes as it lies on the disk. */
  readonly bytes: number;
}

/** An opened spreadsheet file. It gives the same rows in the same order each time `batches` is called. */
export interface Source {
  readonly info: SourceInfo;
  /**
   * The rows in batches, header included, in the order of the file. Rows without any cell (blank lines) are left out
   * but counted in the row numbers. Each call reads the file anew.
   * @throws InputError when the file is broken; the rows before that place have been given by then.
   */
  batches(): AsyncIterable<readonly Row[]>;
  /**
   * Reads all that `batches` reads, to its end and without making rows of it, for damage that shows without: what is
   * packed is unpacked, UTF-8 is looked at for bytes that are none, and text whose encoding was found for rows in another.
   * @throws InputError when it is damaged, cut off, a bomb, or no text
   */
  verify(): Promise<void>;
  /**
   * Rows of some place of the file, from 0 for its beginning to 1 for its end, without reading what is before it. Their
   * numbers mean nothing, and rows may be left out. Absent where a file can only be read from its beginning.
   * @param width cells that rows have: by them the beginning of a row is told from a line break in a cell
   */
  readonly rowsNear?: ((share: number, width: number) => Promise<readonly Row[]>) | undefined;
  /** Bytes of the file that have been read so far, for progress. */
  bytesRead(): number;
}
