import type { Dialect } from '../../core/table.js';
import { closingQuote, findQuotes, isCellEnd } from './dialect.js';
import { FAST_RECORD } from '../rows.js';

/**
 * What a quote at the beginning of a cell is:
 * - `cell`: it opens a quoted cell, maybe of several lines;
 * - `stray`: it opens nothing, and the record ends with its line;
 * - `doubtful`: it opens a cell, and neither reading gives the cells that a row has;
 * - `more`: this cannot be said without the text to come.
 */
export type QuoteVerdict = 'cell' | 'stray' | 'doubtful' | 'more';

interface OpeningQuote {
  /** Text from the record on, maybe with others before it. */
  readonly text: string;
  readonly last: boolean;
  readonly open: number;
  /** Place of the quote that would close it; -1: none in the text. */
  readonly close: number;
  readonly before: number;
}

/** Lines behind the quote that are looked at: so many rows one after the other are no text of a cell. */
const LINES = 32;
/** Share of the lines that are rows where the quote is not closed before a delimiter or line end. */
const MIN_ROWS_SHARE = 0.5;
/** Share of the lines that are none at most, where it is; among the first ones there must be none. */
const MAX_OTHERS = 0.1;
/** Rows that are enough where the row of the quote itself has too few cells or too many. */
const OWN_CELLS_MISSING = 3;
/** Rows that are enough where no column holds numbers, dates, codes or addresses of e-mail to know them by. */
const WORDS_ALONE = { rows: 2, rowsOfTwoCells: 4 } as const;

/**
 * Tells quotes that swallow rows from those of cells with line breaks, by what the rows of the table look like: how many
 * cells they have, and of what kind.
 */
export class StrayQuotes {
  #shape: TableShape | undefined;

  /** @param whole whether the sample, the beginning of the text, is all of it */
  constructor(
    private readonly sample: string,
    private readonly whole: boolean,
    private readonly dialect: Dialect,
  ) {}

  /**
   * To be asked only where a quote is closed on another line, before other text, or not at all. The answer depends on
   * the text alone, however much of it is there.
   */
  verdict(quote: OpeningQuote): QuoteVerdict {
    // Made here: hardly any file has such a quote.
    const shape = (this.#shape ??= new TableShape(this.sample, this.whole, this.dialect));
    const { text, last, open, close } = quote;
    if (close >= 0 && close + 1 >= text.length && !last) return 'more';
    const lines = new Lines(text, open + 1, last);
    const first = lines.at(0);
    if (!first) return lines.isComplete ? 'cell' : 'more';
    if (close >= 0 && close < first.end) return this.#onOneLine(shape, quote, first);
    const own = quote.before + this.#cellsFrom(first.text).length;
    const isClosed = close >= 0 && isCellEnd(text, close + 1, this.dialect);
    const seen: Likeness[] = [];
    let isFar: boolean;
    for (let at = 1; ;) {
      const line = lines.at(at);
      if (!line && !lines.isComplete) return 'more';
      isFar = at > LINES;
      if (!line || isFar || (close >= 0 && close < line.start)) break;
      const record = this.#record(shape, lines, at, isClosed ? close : -1);
      if (record === undefined) return 'more';
      at += record.lines;
      if (line.text.trim() === '') continue;
      seen.push(shape.likeness(record.cells));
      if (isClosed && hasOthers(seen)) return 'cell';
    }
    if (isFar) return shape.areRows(seen) ? 'stray' : 'cell';
    if (!isClosed) {
      const rows = seen.filter((one) => one !== 'none').length;
      const areRows = rows >= MIN_ROWS_SHARE * seen.length;
      return (seen.length === 0 ? shape.has(own) : areRows) ? 'stray' : 'cell';
    }
    // In a single column, a few phones in a cell look like rows.
    if (shape.has(1)) return 'cell';
    const behind = text.slice(close + 1, lines.endOf(close));
    const asCell = quote.before + this.#cellsFrom(behind).length;
    const isCertain = shape.has(own) && seen.length > 0 && !shape.has(asCell);
    const isLikely = shape.has(own) || seen.length >= OWN_CELLS_MISSING;
    return isCertain || (isLikely && shape.areRows(seen)) ? 'stray' : 'cell';
  }

  /** Text follows the closing quote on its line, and a delimiter stands within: it may part cells of the row. */
  #onOneLine(shape: TableShape, { text, close, before }: OpeningQuote, line: Line): QuoteVerdict {
    if (shape.has(before + this.#cellsFrom(text.slice(close + 1, line.end)).length)) return 'cell';
    return shape.has(before + this.#cellsFrom(line.text).length) ? 'stray' : 'doubtful';
  }

  /** Cells of the rest of a line, the first of which has begun before it. */
  #cellsFrom(rest: string): readonly string[] {
    return lineCells(`x${rest}`, this.dialect).cells;
  }

  /**
   * The row that begins with a line, with the lines of a quoted cell in it; `undefined` without the text to come.
   * @param closing a quote that closes a cell, and opens none
   */
  #record(
    shape: TableShape,
    lines: Lines,
    at: number,
    closing: number,
  ): { readonly cells: readonly string[]; readonly lines: number } | undefined {
    const line = lines.at(at);
    const { cells, open } = lineCells(line?.text ?? '', this.dialect);
    const alone = { cells, lines: 1 };
    if (!line || open === undefined || line.start + open.at === closing) return alone;
    const next = lines.at(at + 1);
    if (!next) return lines.isComplete ? alone : undefined;
    if (shape.has(cells.length) && shape.has(lineCells(next.text, this.dialect).cells.length))
      return alone;
    const { text } = lines;
    const { quote, hasEscapes } = this.dialect;
    const close = closingQuote(text, line.start + open.at, quote, hasEscapes);
    if (close >= 0 && close + 1 >= text.length && !lines.isComplete) return undefined;
    const taken = lines.until(close);
    if (taken === undefined) return undefined;
    if (close < 0 || taken < 0 || !isCellEnd(text, close + 1, this.dialect)) return alone;
    const behind = this.#cellsFrom(text.slice(close + 1, lines.endOf(close)));
    const whole = [...cells.slice(0, open.cell), '', ...behind.slice(1)];
    return shape.has(whole.length) ? { cells: whole, lines: taken - at + 1 } : alone;
  }
}

/** How a line is like the rows: `row` in its kinds, `width` in its number of cells, `prose` in that alone, or not. */
type Likeness = 'row' | 'width' | 'prose' | 'none';

function hasOthers(seen: readonly Likeness[]): boolean {
  const others = seen.filter((one) => one === 'none').length;
  return others > MAX_OTHERS * seen.length;
}

interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The lines of a text from a place on, the rest of its own one first, found as they are asked for. */
class Lines {
  readonly #found: Line[] = [];
  readonly #lineEnd = /\r\n?|\n/g;
  #next: number;
  /** Whether no line follows those that were found, or none that is looked at. */
  isComplete = false;

  constructor(
    readonly text: string,
    private readonly from: number,
    private readonly last: boolean,
  ) {
    this.#next = from;
  }

  /** `undefined` where it is not whole in the text. */
  at(index: number): Line | undefined {
    while (this.#found.length <= index && !this.isComplete) if (!this.#find()) break;
    return this.#found[index];
  }

  /** The line that a place lies in; -1: none that is looked at, `undefined`: this cannot be said yet. */
  until(place: number): number | undefined {
    for (let index = 0; index <= 2 * LINES; index++) {
      const line = this.at(index);
      if (!line) return this.isComplete ? -1 : undefined;
      if (place >= 0 && place <= line.end) return index;
    }
    return -1;
  }

  endOf(place: number): number {
    return this.#found.find(({ end }) => place <= end)?.end ?? this.text.length;
  }

  /** False where the next line is not whole. */
  #find(): boolean {
    const start = this.#next;
    this.#lineEnd.lastIndex = start;
    const ended = this.#lineEnd.exec(this.text);
    const end = ended?.index ?? this.text.length;
    if (end - this.from > FAST_RECORD) this.isComplete = true;
    else if (!ended && !this.last) return false;
    else {
      if (ended || end > start || start === this.from)
        this.#found.push({ text: this.text.slice(start, end), start, end });
      this.isComplete = !ended;
      this.#next = this.#lineEnd.lastIndex;
    }
    return true;
  }
}

interface LineCells {
  readonly cells: readonly string[];
  /** The first quote that is not closed on the line, and the index of its cell. */
  readonly open?: { readonly at: number; readonly cell: number };
}

/** The cells of a line by itself: a quote that is not closed on it before a delimiter or its end is text. */
function lineCells(line: string, dialect: Dialect): LineCells {
  const { delimiter, quote, hasEscapes, hasPaddedQuotes } = dialect;
  if (!line.includes(quote)) return { cells: line.split(delimiter) };
  const cells: string[] = [];
  let unclosed: LineCells['open'];
  for (let at = 0; ;) {
    let open = at;
    if (hasPaddedQuotes) while (line.charAt(open) === ' ') open++;
    const isOpen = line.startsWith(quote, open);
    const close = isOpen ? closingQuote(line, open, quote, hasEscapes) : -1;
    if (isOpen && close < 0) unclosed ??= { at: open, cell: cells.length };
    const isQuoted = close >= 0 && isCellEnd(line, close + 1, dialect);
    const next = line.indexOf(delimiter, isQuoted ? close + 1 : at);
    const end = next < 0 ? line.length : next;
    cells.push(isQuoted ? line.slice(open + 1, close) : line.slice(at, end));
    if (next < 0) return unclosed ? { cells, open: unclosed } : { cells };
    at = next + delimiter.length;
  }
}

const NUMERIC = /^[\d\s()+.,:/€$£%x-]*\d[\d\s()+.,:/€$£%x-]*$/;
/** Kinds of cells by which a row is known; the first that fits. Codes may be numbers. */
const KINDS: readonly (readonly RegExp[])[] = [
  [NUMERIC],
  [/^[^\s@]+@[^\s@]+$/],
  [NUMERIC, /^(?=.*\d)[^\s,;|]+$/],
];
/** Words: not enough to know a row by, but what is none is no cell of such a column. */
const WORDS = /^[\p{L}\p{M}\d'’ .&/()-]*$/u;
const LONGEST_OF_KIND = 256;
/** Share of the cells of a column that are of its kind. */
const OF_KIND = 0.8;
/** Share of the rows that have a number of cells, for it to be usual. */
const USUAL = 0.1;
/** Rows that are counted. */
const ROWS = 500;

/** What the rows of a table have in common. */
class TableShape {
  readonly #widths: ReadonlySet<number>;
  /** Kind of each column; -1: words, `undefined`: anything. */
  readonly #kinds: readonly (number | undefined)[];
  /** Whether a column has one that is more than words. */
  readonly #hasKinds: boolean;
  /** Whether blanks follow delimiters, as they do in sentences. */
  readonly #hasBlanks: boolean;

  constructor(sample: string, whole: boolean, dialect: Dialect) {
    const records = recordsOf(sample, whole, dialect);
    const counts = new Map<number, number>();
    for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
    const highest = Math.max(0, ...counts.values());
    const usual = [...counts].filter(
      ([width, count]) =>
        (count === highest && (count > 1 || width === records[0]?.length)) ||
        (count > 1 && count >= USUAL * records.length),
    );
    const widest = Math.max(0, ...usual.map(([width]) => width));
    // A line without a delimiter is no sign of a row, unless all rows are like that.
    this.#widths = new Set(
      usual.map(([width]) => width).filter((width) => width > 1 || widest === 1),
    );
    const rows = records.slice(1).filter(({ length }) => this.#widths.has(length));
    this.#kinds = Array.from({ length: widest }, (_, at) => kindOfColumn(rows, at));
    this.#hasKinds = this.#kinds.some((kind) => kind !== undefined && kind >= 0);
    const blanks = rows.filter((cells) => cells.slice(1).some((cell) => cell.startsWith(' ')));
    this.#hasBlanks = blanks.length > USUAL * rows.length;
  }

  has(cells: number): boolean {
    return this.#widths.has(cells);
  }

  likeness(cells: readonly string[]): Likeness {
    if (!this.has(cells.length)) return 'none';
    const isOnly = cells.length === 1;
    let seen: Likeness = isOnly ? 'none' : 'width';
    for (const [at, cell] of cells.entries()) {
      const kind = this.#kinds[at];
      const text = cell.replaceAll('"', '').trim();
      if (!this.#hasBlanks && at > 0 && cell.startsWith(' ')) return 'prose';
      if (kind === undefined || text === '' || (kind < 0 && this.#hasKinds)) continue;
      if (!isOfKind(text, kind)) return isOnly ? 'none' : 'prose';
      if (kind >= 0) seen = 'row';
    }
    return seen;
  }

  /** Whether lines that have the cells of rows are rows, though they may be text of a cell as well. */
  areRows(seen: readonly Likeness[]): boolean {
    if (hasOthers(seen)) return false;
    const rows = seen.filter((one) => one === 'row').length;
    const prose = seen.filter((one) => one === 'prose').length;
    if (this.#hasKinds) return rows > 0 && prose <= MAX_OTHERS * (rows + prose);
    const enough = this.#widths.has(2) ? WORDS_ALONE.rowsOfTwoCells : WORDS_ALONE.rows;
    return this.#kinds.length > 1 && seen.length >= enough && prose === 0;
  }
}

function recordsOf(sample: string, whole: boolean, dialect: Dialect): (readonly string[])[] {
  const { masked, misfits } = findQuotes(sample, whole, dialect.delimiter === ' ');
  const linesOf = (text: string): string[] => {
    const lines = text.split(/\r\n?|\n/);
    if (!whole && lines.length > 1) lines.pop();
    return lines.filter((line) => line.trim() !== '').slice(0, ROWS);
  };
  const cellsOf = (lines: readonly string[]) => lines.map((line) => lineCells(line, dialect).cells);
  const records = cellsOf(linesOf(masked));
  if (records.length > 2) return records;
  // So few records may be rows that a quote swallowed, unless quotes fit and the lines alone make no table.
  const lines = cellsOf(linesOf(sample));
  const isTable = lines.every(({ length }) => length === lines[0]?.length);
  return misfits === 0 && !isTable ? records : lines;
}

function kindOfColumn(rows: readonly (readonly string[])[], at: number): number | undefined {
  const cells = rows.map((row) => row[at]?.trim() ?? '').filter((cell) => cell !== '');
  const isUsual = (test: (cell: string) => boolean): boolean =>
    cells.length > 0 && cells.filter(test).length >= OF_KIND * cells.length;
  const kind = KINDS.findIndex((_, index) => isUsual((cell) => isOfKind(cell, index)));
  if (kind >= 0) return kind;
  return isUsual((cell) => WORDS.test(cell)) ? -1 : undefined;
}

function isOfKind(cell: string, kind: number): boolean {
  // No row is known by a long text, in which the patterns would be looked for from each place on.
  if (cell.length > LONGEST_OF_KIND) return false;
  if (kind < 0) return WORDS.test(cell);
  return KINDS[kind]?.some((pattern) => pattern.test(cell)) === true;
}
