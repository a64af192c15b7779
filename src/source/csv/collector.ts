import {
  type Cell,
  type Dialect,
  type Passing,
  type Row,
  type RowDefect,
  STRAY_QUOTE,
  cleanCells,
  looksOf,
} from '../../core/table.js';
import { InputError } from '../../core/errors.js';
import { Batch, ROW_CELLS } from '../rows.js';

type Passed = NonNullable<Row['passed']>;

/**
 * Recognises a file of next to nothing but delimiters and line ends. An empty cell is one byte of the file and takes a
 * hundred times as long to account for as to read: a few hundred megabytes of commas would keep a computer busy for
 * minutes.
 */
class Emptiness {
  #emptyCells = 0;
  #filledCells = 0;
  #emptyRows = 0;
  #filledRows = 0;

  /**
   * Counts a row; false when the file is too empty now.
   * @param cells a single empty one is a blank line
   * @param characters length of the row in the file, or of its cells
   */
  add(cells: readonly Cell[], characters: number): boolean {
    const filled = characters > DENSE * cells.length ? cells.length : filledOf(cells);
    if (filled > 0) this.#filledRows++;
    else this.#emptyRows += cells.length > 1 ? 1 : BLANK_LINE;
    this.#filledCells += filled;
    this.#emptyCells += cells.length - filled;
    return (
      isAllowed(CELLS, this.#emptyCells, this.#filledCells) &&
      isAllowed(ROWS, this.#emptyRows, this.#filledRows)
    );
  }

  pass({ rows, cells }: Passed): void {
    this.#filledRows += rows;
    this.#filledCells += cells;
  }
}

/** Characters for each cell beyond which a row surely holds more than delimiters and quotes. */
const DENSE = 4;

/** What a line without even a delimiter counts, as a row: it goes no further than the reader. */
const BLANK_LINE = 1 / 8;

/**
 * Rows of nothing but delimiters, likewise for each row that holds something. A sheet that was formatted to its last
 * row is saved with a million of them.
 */
const ROWS = { free: 2 ** 18, ratio: 5000 } as const;

/** Empty cells that a file may have, and beyond that how many for each cell that holds something. */
const CELLS = { free: 2 ** 24, ratio: 1000 } as const;

/** The rows of a CSV text on their way out: numbers its records and gathers those that hold something. */
export class RowCollector {
  readonly #batch = new Batch();
  readonly #emptiness = new Emptiness();
  /** Number of the next record, blank lines counted. */
  #row: number;
  #line = 1;
  /** What is to be said of the next record. */
  #remarks: RowDefect[] | undefined;
  #looks = looksOf('');
  #hasNoErrors = false;

  /** @param first number of the first record; number 0 is no row */
  constructor(
    readonly file: string,
    first = 1,
  ) {
    this.#row = first;
  }

  /** The error for what is wrong with the next record. @param breaks lines of the record before that place */
  failure(code: keyof typeof REASONS, breaks = 0): InputError {
    return new InputError(code, REASONS[code], { file: this.file, line: this.#line + breaks });
  }

  /** The error for a quote in the next record that is open at the end of the file. */
  unclosedQuote(breaks: number, quote = '"'): InputError {
    const reason = `a cell begins with a quote (${quote}) that is never closed. Close it, or double it if it belongs to the text.`;
    return new InputError('unclosed_quote', reason, { file: this.file, line: this.#line + breaks });
  }

  /**
   * The records that come next are of this text. Their cells are looked at for marks, invisible signs and errors of formulas
   * only where it has any: one search through all of it is faster than one in each cell.
   */
  follow(text: string): void {
    this.#looks = looksOf(text);
    this.#hasNoErrors = !mayHoldErrorWord(text);
  }

  get isFull(): boolean {
    return this.#batch.isFull;
  }

  get isEmpty(): boolean {
    return this.#batch.isEmpty;
  }

  /**
   * Notes what is wrong with a quote in the next record. A record that is read again is noted anew.
   * @param column index of its cell
   * @param breaks lines of the record before it
   */
  remark(quote: 'stray' | 'doubtful', column: number, breaks: number): void {
    const line = this.#line + breaks;
    const message =
      quote === 'stray'
        ? `The cell begins with a quote that is not closed, on line ${line}. The quote was left out, and the lines below are rows of their own.`
        : `A quote on line ${line} is closed within its cell. Is the cell whole?`;
    const others = this.#remarks?.filter((one) => one.column !== column) ?? [];
    this.#remarks = [...others, { column, code: STRAY_QUOTE, message }];
  }

  /** Takes back what was noted of the next record, which another reader reads. */
  forgetRemarks(): void {
    this.#remarks = undefined;
  }

  take(): Row[] {
    return this.#batch.take();
  }

  /**
   * Adds the next record.
   * @param characters its length in the file
   * @param lines how many physical lines it takes
   * @throws InputError when the file is next to empty up to here
   */
  add(cells: Cell[], characters: number, lines: number): void {
    if (!this.#emptiness.add(cells, characters)) throw this.failure('too_many_empty_cells');
    const cleaned = cleanCells(cells, this.#looks);
    // A record of one empty cell is a blank line.
    if (this.#row > 0 && (cells.length > 1 || cells[0] !== null)) {
      const place = { sheet: null, row: this.#row, cells };
      const row = this.#remarks === undefined ? place : { ...place, remarks: this.#remarks };
      this.#batch.add(cleaned ? { ...row, cleaned } : row, characters, this.#hasNoErrors);
    }
    this.#remarks = undefined;
    this.#row++;
    this.#line += lines;
  }

  /** The row that stands for the next records, which were counted: each a line. */
  pass(passed: Passed): Row {
    this.#emptiness.pass(passed);
    this.#row += passed.rows;
    this.#line += passed.rows;
    return { sheet: null, row: this.#row - 1, cells: [], passed };
  }
}

/** The product comes last: it soon leaves the range of small whole numbers, for which the code was compiled. */
function isAllowed(limit: typeof CELLS | typeof ROWS, empty: number, filled: number): boolean {
  return empty <= limit.free || empty <= limit.ratio * filled;
}

function filledOf(cells: readonly Cell[]): number {
  let filled = 0;
  for (const cell of cells) if (cell !== null) filled++;
  return filled;
}

/** What is wrong with a record. No error holds content of the file, which is personal data. */
const REASONS = {
  cell_too_long:
    'a cell is longer than 1 MiB. Is there a quote (") before it that was never closed?',
  row_too_long:
    'a row is longer than 4 MiB. Is this the right delimiter, and is every quote (") closed?',
  too_many_cells: `a row has more than ${ROW_CELLS} cells, the most that a spreadsheet can have. Is this the right delimiter?`,
  too_many_empty_cells:
    'nearly all rows or cells up to here are empty, and they are too many. Delete the empty rows and columns.',
  broken_csv: 'the text cannot be read as CSV here.',
} as const;

/** Whether there may be such an error in a text of many cells. */
const mayHoldErrorWord = (text: string): boolean =>
  text.includes('#') || text.includes(':5') || text.includes(': 5');

/** What a byte of UTF-8 is to a line that is only counted. `other`: the line is to be read. */
const Kind = {
  other: 0,
  character: 1,
  /** A character that may begin a mark of text. */
  mark: 2,
  /** The first byte of characters that only some may be counted of. */
  lead: 3,
  /** A further byte of a character. */
  within: 4,
  delimiter: 5,
  quote: 6,
  cr: 7,
  lf: 8,
};

const [LF, CR, TAB, QUOTE, APOSTROPHE] = [0x0a, 0x0d, 0x09, 0x22, 0x27];
const MARKS: ReadonlySet<number> = new Set(Buffer.from("'= "));

/** Control characters may make the text another one, and so may signs that are seen by nobody, or composed. */
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === LF) return Kind.lf;
  if (byte === CR) return Kind.cr;
  if (byte === QUOTE) return Kind.quote;
  if (MARKS.has(byte)) return Kind.mark;
  if (byte < 0x80) return byte >= 0x20 || byte === TAB ? Kind.character : Kind.other;
  if (byte < 0xc0) return Kind.within;
  if (byte === 0xc2 || byte === 0xd2) return Kind.lead;
  const isLetter = (byte > 0xc2 && byte < 0xcc) || (byte >= 0xd0 && byte < 0xd6);
  return isLetter ? Kind.character : Kind.other;
});

/** Whether the two bytes are a soft hyphen, or a sign that is put on the letter before it. */
const isOdd = (lead: number, next = 0): boolean =>
  lead === 0xc2 ? next === 0xad : next >= 0x82 && next < 0x90;

const isCellStart = (kinds: Uint8Array, bytes: Buffer, at: number): boolean => {
  const before = at === 0 ? Kind.lf : kinds[bytes[at - 1] ?? 0];
  return before === Kind.delimiter || before === Kind.lf;
};

/**
 * Counts lines whose cells nobody asks for, without decoding them: of two threads that map a file, each would cut all of
 * its rows otherwise. A line that may be read as anything but what is counted ends the count, and is read.
 */
export class PassingLines {
  /** Whether what comes next is the beginning of a record, and all before it has been given. */
  isBetween = false;
  readonly #kinds = KINDS.slice();
  #passed: Row['passed'];

  constructor(
    private readonly passing: Passing,
    { delimiter }: Dialect,
  ) {
    this.#kinds[delimiter.charCodeAt(0)] = Kind.delimiter;
  }

  get isWanted(): boolean {
    return this.passing.rows > 0;
  }

  take(): Row['passed'] {
    const passed = this.#passed;
    this.#passed = undefined;
    return passed;
  }

  /** Counts the lines at the beginning of these bytes, which begin with one. Returns how long they are. */
  pass(bytes: Buffer): number {
    const kinds = this.#kinds;
    const { rows: maxRows, text: maxText, cellText } = this.passing;
    let [start, rows, cells, text] = [0, 0, 0, 0];
    // Of a line: further bytes of characters, delimiters, and what is no part of the text of a cell otherwise.
    let [within, delimiters, signs, isQuoted] = [0, 0, 0, false];
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      const kind = kinds[byte] ?? Kind.other;
      if (kind === Kind.character) continue;
      if (kind === Kind.within) within++;
      else if (kind === Kind.delimiter) delimiters += isQuoted ? 0 : 1;
      else if (kind === Kind.quote) {
        const next = kinds[bytes[at + 1] ?? 0] ?? Kind.other;
        signs++;
        if (!isQuoted) {
          // One within a cell belongs to its text, and behind one there may be a mark.
          if (next === Kind.mark || !isCellStart(kinds, bytes, at)) break;
          isQuoted = true;
        } else if (next === Kind.quote) at++;
        else if (next === Kind.delimiter || next >= Kind.cr) isQuoted = false;
        else break;
      } else if (kind === Kind.lf) {
        const width = delimiters + 1;
        const length = at + 1 - start - within;
        if (isQuoted || width > ROW_CELLS || length <= DENSE * width) break;
        text += length - 1 - delimiters - signs;
        [start, rows, cells] = [at + 1, rows + 1, cells + width];
        if (rows === maxRows || text + cellText * cells >= maxText) break;
        [within, delimiters, signs] = [0, 0, 0];
      } else if (kind === Kind.mark) {
        if (byte === APOSTROPHE && isCellStart(kinds, bytes, at)) break;
      } else if (kind === Kind.lead) {
        if (isOdd(byte, bytes[at + 1])) break;
      } else if (kind === Kind.cr) {
        if (isQuoted || bytes[at + 1] !== LF) break;
        signs++;
      } else break;
    }
    if (rows > 0) this.#passed = { rows, cells, text };
    return start;
  }
}
