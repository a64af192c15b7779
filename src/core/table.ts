/** A cell as text, as the person sees it; `null` when it is empty. Dates, times and booleans are text too. */
export type Cell = string | null;

/** One row of a spreadsheet, in the one shape that every source gives. */
export interface Row {
  /** Name of the sheet; `null` for CSV. */
  readonly sheet: string | null;
  /** Row number as the person sees it in a spreadsheet program: the header is usually row 1. */
  readonly row: number;
  /** The cells in column order. Trailing empty cells of a workbook are left out; a CSV keeps every field. */
  readonly cells: readonly Cell[];
  /** Set where the file itself leaves something out; a row that needs it is rejected. */
  readonly defects?: readonly RowDefect[];
  /**
   * Numbers, in plain digits, of cells whose format shows them as another text, which is what `cells` hold: zeros in
   * front, or words beside them; and those with decimals. Fields of numbers take these. Absent where there are none.
   */
  readonly numbers?: readonly (readonly [column: number, number: string])[];
  /** Set where the file is read otherwise than it is written, as at a stray quote: they are remarks on the row. */
  readonly remarks?: readonly RowDefect[];
  /** Set where the row is no data, such as a total below the table: why it is skipped. */
  readonly leftOut?: RowDefect;
  /** Set where the program does not show the row: hidden by hand or by a filter. It is data all the same. */
  readonly isHidden?: boolean;
  /** Indexes of the columns whose cells a person has corrected; absent where none was. */
  readonly corrected?: readonly number[];
  /** What was taken off its cells since it is no part of their values; absent where nothing was. */
  readonly cleaned?: readonly Cleaned[];
}

/** What was taken off a cell: the mark by which programs say that it is text, or invisible signs. */
export interface Cleaned {
  /** Index of the column. */
  readonly column: number;
  readonly what: 'mark' | 'invisible';
}

/** What a row lacks in its file, such as the value of a formula. */
export interface RowDefect {
  /** Index of the column; `null` when the whole row is meant. */
  readonly column: number | null;
  /** Names of values that have no column: where the mapping cannot use them, the row is sent with a remark. */
  readonly names?: readonly string[];
  /** Code and message of the problem that it becomes. */
  readonly code: string;
  readonly message: string;
}

/** Code of the remark on a row with a quote that opens or closes no cell. */
export const STRAY_QUOTE = 'stray_quote';

/** Code of the defect of a record with a name that is no column. */
export const UNKNOWN_NAME = 'unknown_name';

/** The defect of a number that may be a date: its format is not in the workbook. */
export function numberWithoutFormat(column: number): RowDefect {
  const message =
    'The format of this cell is missing from the workbook, so that a date could not be recognised. Open the file in a spreadsheet program, save it, and import it again.';
  return { column, code: 'number_without_format', message };
}

/** Code of the defect of a cell that holds the error of a formula. */
export const ERROR_VALUE = 'error_value';

/** The defect of a cell whose formula ended in an error. */
export function errorInCell(column: number): RowDefect {
  const message =
    'The cell holds the error of a formula, such as #N/A or #REF!, and no value. Mend the formula in a spreadsheet program, or clear the cell.';
  return { column, code: ERROR_VALUE, message };
}

/** The defect of a cell whose formula was never calculated by a spreadsheet program. */
export function formulaWithoutValue(column: number): RowDefect {
  const message =
    'The formula in this cell has no stored value. Open the file in a spreadsheet program, save it, and import it again.';
  return { column, code: 'formula_without_value', message };
}

/** One cell that a person has mended, in place of what the file holds. */
export interface Correction {
  /** Index of the input file in the run. */
  readonly input: number;
  /** Name of the sheet; `null` for CSV, and where an input has one sheet alone. */
  readonly sheet: string | null;
  /** Row number as the person sees it. */
  readonly row: number;
  /** Header of the column. */
  readonly column: string;
  /** What the file holds: a file that holds something else has changed since. Personal data. */
  readonly was: Cell;
  /** What counts in its place. Personal data. */
  readonly becomes: Cell;
  /** Line of the file of corrections, from 1. */
  readonly line: number;
}

/** All corrections of a run. Plain data: they are passed to the reading threads. */
export interface Corrections {
  /** Path of the file that they stand in, for messages. */
  readonly file: string;
  readonly cells: readonly Correction[];
}

/** Code of the remark on a row that a person has corrected. */
export const CORRECTED = 'corrected';

/** How the text of a CSV file is written. */
export interface Dialect {
  /** What stands between the cells: one character or several. */
  readonly delimiter: string;
  readonly quote: '"' | "'";
  /** Whether a backslash takes the meaning from a quote within quotes. */
  readonly hasEscapes: boolean;
  /** Whether blanks may stand between a quote and the delimiter beside it. */
  readonly hasPaddedQuotes: boolean;
  /** Whether a blank follows every delimiter, and belongs to it. */
  readonly hasBlankAfter: boolean;
  /** Whether the first line is `sep=;`, which names the delimiter to spreadsheet programs and is no row to them. */
  readonly hasSeparatorLine: boolean;
  /** Whether each line stands in quotes as a whole; all else is about what is within them. @default false */
  readonly wrapsLines?: boolean;
}

/** What the values of a column look like where the mapping expects numbers, dates or text, and what was taken off its cells. */
export interface ColumnEvidence {
  /** Header of the column, or of several with commas. */
  readonly column: string | null;
  readonly kind: 'number' | 'date' | 'text' | 'cells';
  /** Values that were looked at. */
  readonly values: number;
  /** How many of them have a certain look; which looks there are depends on the kind. */
  readonly looks: Readonly<Record<string, number>>;
}

/** Adds up what was seen of columns, chunk by chunk. */
export class EvidenceTally {
  readonly #columns = new Map<string, ColumnEvidence>();

  add(evidence: readonly ColumnEvidence[]): void {
    for (const seen of evidence) {
      const key = JSON.stringify([seen.kind, seen.column]);
      const earlier = this.#columns.get(key);
      this.#columns.set(key, earlier ? sumOf(earlier, seen) : seen);
    }
  }

  list(): ColumnEvidence[] {
    return [...this.#columns.values()];
  }
}

function sumOf(one: ColumnEvidence, other: ColumnEvidence): ColumnEvidence {
  const looks = { ...one.looks };
  for (const [look, count] of Object.entries(other.looks)) looks[look] = (looks[look] ?? 0) + count;
  return { ...one, values: one.values + other.values, looks };
}

/** A part of the data rows, for a trial. */
export interface RowPart {
  /** Numbers of the first and the last row, as a spreadsheet program shows them, in each input. @default all rows */
  readonly rows?: RowRange | undefined;
  /** Data rows that are read at most, over all inputs. @default all */
  readonly limit?: number | undefined;
}

export interface RowRange {
  readonly first: number;
  readonly last: number;
}

export const isPart = ({ rows, limit }: RowPart): boolean =>
  rows !== undefined || limit !== undefined;

/** Says of row after row whether it belongs to the part. */
export class PartFilter {
  taken = 0;

  constructor(private readonly part: RowPart) {}

  /** Counts the row when it belongs to the part. */
  takes(row: number): boolean {
    const { rows } = this.part;
    if (this.isFull || (rows && (row < rows.first || row > rows.last))) return false;
    this.taken++;
    return true;
  }

  /** Whether no row of any input is left for the part. */
  get isFull(): boolean {
    return this.part.limit !== undefined && this.taken >= this.part.limit;
  }

  /** How much of the part has been taken, 0 to 1; 0 where the part does not say how large it is. */
  share(inputs: number): number {
    const { rows, limit } = this.part;
    const inRange = rows ? (rows.last - rows.first + 1) * inputs : Infinity;
    return Math.min(1, this.taken / Math.min(limit ?? Infinity, inRange));
  }

  /** Whether no row of this input after this one belongs to the part. */
  isOver(row: number): boolean {
    return this.isFull || (this.part.rows !== undefined && row >= this.part.rows.last);
  }
}

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
  /** Whether an encoding that is none of Unicode's was guessed from the text, and not named. */
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
  /** Names of all its tabs, charts included, in their order; absent where all are read. */
  readonly tabs?: readonly string[];
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
