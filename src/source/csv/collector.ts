import {
  type Cell,
  type Row,
  type RowDefect,
  STRAY_QUOTE,
  cleanCells,
  isSuspicious,
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

  /** Counts rows that surely are not empty. */
  pass({ rows, cells }: Passed): void {
    this.#filledRows += rows;
    this.#filledCells += cells;
  }
}

/** Characters for each cell beyond which a row surely holds more than delimiters and quotes. */
export const DENSE = 4;

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
  #isPlain = true;
  #hasNoErrors = false;

  /**
   * @param file path, for errors
   * @param first number of the first record; number 0 is no row
   */
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
    return new InputError('unclosed_quote', reason, {
      file: this.file,
      line: this.#line + breaks,
    });
  }

  /**
   * The records that come next are of this text. Their cells are looked at for invisible signs and for errors of formulas
   * only where it has any: one search through all of it is faster than one in each cell.
   */
  follow(text: string): void {
    this.#isPlain = !isSuspicious(text);
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
    const cleaned = cleanCells(cells, this.#isPlain);
    // A record of one empty cell is a blank line.
    if (this.#row > 0 && (cells.length > 1 || cells[0] !== null)) {
      const row = this.#rowOf(cells);
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

  #rowOf(cells: readonly Cell[]): Row {
    const row = { sheet: null, row: this.#row, cells };
    return this.#remarks === undefined ? row : { ...row, remarks: this.#remarks };
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
