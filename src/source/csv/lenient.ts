import type { InputError } from '../../core/errors.js';
import type { Cell, Dialect } from '../../core/table.js';
import { CELL_BYTES, ROW_BYTES, ROW_CELLS, lineBreaks } from '../rows.js';
import {
  type RowCollector,
  cellTooLong,
  rowTooLong,
  tooManyCells,
  unclosedQuote,
} from './collector.js';
import { closingQuote } from './dialect.js';
import type { StrayQuotes } from './stray-quotes.js';

/** Lines of a cell in apostrophes at most: to look farther at each of them would take minutes in a text of words. */
const APOSTROPHE_LINES = 100;

/** A cell, where it ends, and whether the text to come may still belong to it. */
interface FoundCell {
  readonly text: string;
  readonly end: number;
  readonly lines: number;
}

/** Reads records of any dialect, at a third of the speed of the fast scanner, which reads the usual ones. */
export class LenientScanner {
  #end = 0;
  // The first line feed and carriage return at or after the place that was last asked for.
  #lf = -1;
  #cr = -1;

  /**
   * @param text begins with a record
   * @param last whether the file ends where the text ends
   * @param rows takes the records
   * @param strays tells quotes that open no cell. @default every quote opens one
   */
  constructor(
    readonly text: string,
    readonly dialect: Dialect,
    readonly last: boolean,
    readonly rows: RowCollector,
    readonly strays?: StrayQuotes,
  ) {}

  /** The text from the first record on that was not read. */
  get rest(): string {
    return this.text.slice(this.#end);
  }

  /**
   * Reads the next records until the batch is full, or the text is used up.
   * @throws InputError when a record is too long or too wide, or a quote is never closed
   */
  scan(): 'full' | 'more' {
    for (;;) {
      if (this.rows.isFull) return 'full';
      if (this.#end >= this.text.length) return 'more';
      if (!this.#record()) {
        this.#refuseTooLong();
        return 'more';
      }
    }
  }

  /** False when the record is not whole without the text to come. */
  #record(): boolean {
    const cells: Cell[] = [];
    let lines = 1;
    for (let at = this.#end; ;) {
      const cell = this.#cell(this.#afterBlank(at, cells.length), cells.length, lines - 1);
      if (cell === undefined) return false;
      if (cell.text.length > CELL_BYTES / 4 && Buffer.byteLength(cell.text) > CELL_BYTES)
        throw cellTooLong(this.rows.file, this.rows.line + lines - 1);
      cells.push(cell.text === '' ? null : cell.text);
      lines += cell.lines;
      if (cells.length > ROW_CELLS) throw tooManyCells(this.rows.file, this.rows.line);
      if (this.text.startsWith(this.dialect.delimiter, cell.end)) {
        at = cell.end + this.dialect.delimiter.length;
        continue;
      }
      const next = this.#afterLineEnd(cell.end);
      if (next < 0) return false;
      this.rows.add(cells, next - this.#end, lines);
      this.#end = next;
      return true;
    }
  }

  #afterBlank(at: number, column: number): number {
    const { hasBlankAfter } = this.dialect;
    return hasBlankAfter && column > 0 && this.text.charAt(at) === ' ' ? at + 1 : at;
  }

  /** @param before cells of the record before this one, and line breaks in them */
  #cell(at: number, before: number, breaks: number): FoundCell | undefined {
    const { quote, hasPaddedQuotes } = this.dialect;
    const open = hasPaddedQuotes ? this.#afterBlanks(at) : at;
    if (this.text.charAt(open) !== quote) return this.#plainCell(at);
    const close = quote === '"' ? this.#closing(open) : this.#closingApostrophe(open);
    if (close === 'stray') return this.#plainCell(open);
    if (this.strays && quote === '"' && this.#isOdd(open, close)) {
      const { text, last } = this;
      const verdict = this.strays.verdict({ text, last, open, close, before });
      if (verdict === 'more') return undefined;
      if (verdict !== 'cell') this.rows.remark(verdict, before, breaks);
      if (verdict === 'stray') return this.#plainCell(open + 1);
    }
    return this.#quotedCell(open, close);
  }

  /** Whether a quoted cell has several lines, or a delimiter in it and text behind it. */
  #isOdd(open: number, close: number): boolean {
    if (close < 0 || close > this.#lineEndFrom(open)) return true;
    const delimiter = this.text.indexOf(this.dialect.delimiter, open);
    const behind = this.dialect.hasPaddedQuotes ? this.#afterBlanks(close + 1) : close + 1;
    return delimiter >= 0 && delimiter < close && !this.#isCellEnd(behind);
  }

  #quotedCell(open: number, close: number): FoundCell | undefined {
    const { quote, hasEscapes, hasPaddedQuotes } = this.dialect;
    if (close < 0) {
      if (this.last) throw this.#unclosed(open);
      return undefined;
    }
    const behind = hasPaddedQuotes ? this.#afterBlanks(close + 1) : close + 1;
    const inner = unquoted(this.text.slice(open + 1, close), quote, hasEscapes);
    if (this.#isCellEnd(behind)) {
      // What follows may still be a second quote, or the rest of a delimiter.
      if (!this.last && behind + this.dialect.delimiter.length > this.text.length) return undefined;
      return { text: inner, end: behind, lines: lineBreaks(inner) };
    }
    const plain = this.#plainCell(close + 1);
    if (!plain) return undefined;
    const text = `${quote}${inner}${quote}${plain.text}`;
    return { text, end: plain.end, lines: lineBreaks(inner) };
  }

  /** Where the cell is closed; -1 when it is not up to `limit`. */
  #closing(open: number, limit = Infinity): number {
    const { quote, hasEscapes } = this.dialect;
    return closingQuote(this.text, open, quote, hasEscapes, limit);
  }

  /**
   * An apostrophe may also begin a word: then the next one closes nothing, and must not merge the rows between them. It
   * quotes a cell of several lines only if it is closed soon, at the end of a cell.
   */
  #closingApostrophe(open: number): number | 'stray' {
    const onLine = this.#closing(open, this.#lineEndFrom(open));
    if (onLine >= 0) return onLine;
    const limit = this.#afterLines(open);
    const close = this.#closing(open, limit);
    if (close < 0) return limit === Infinity ? close : 'stray';
    const behind = this.dialect.hasPaddedQuotes ? this.#afterBlanks(close + 1) : close + 1;
    return this.#isCellEnd(behind) ? close : 'stray';
  }

  /** The place so many lines on; behind the end of the text when it has fewer. */
  #afterLines(from: number): number {
    const lineEnd = /\r\n?|\n/g;
    lineEnd.lastIndex = from;
    for (let line = 0; line < APOSTROPHE_LINES; line++)
      if (!lineEnd.test(this.text)) return Infinity;
    return lineEnd.lastIndex;
  }

  /** To the delimiter or the end of the line. Where the text ends before, there may be more to come. */
  #plainCell(at: number): FoundCell | undefined {
    const { text } = this;
    const delimiter = text.indexOf(this.dialect.delimiter, at);
    const end = Math.min(orBehind(delimiter), this.#lineEndFrom(at));
    if (end === Infinity && !this.last) return undefined;
    const cellEnd = Math.min(end, text.length);
    return { text: text.slice(at, cellEnd), end: cellEnd, lines: 0 };
  }

  #lineEndFrom(at: number): number {
    if (this.#lf < at) this.#lf = orBehind(this.text.indexOf('\n', at));
    if (this.#cr < at) this.#cr = orBehind(this.text.indexOf('\r', at));
    return Math.min(this.#lf, this.#cr);
  }

  #isCellEnd(at: number): boolean {
    const char = this.text.charAt(at);
    return (
      char === '' ||
      char === '\n' ||
      char === '\r' ||
      this.text.startsWith(this.dialect.delimiter, at)
    );
  }

  #afterBlanks(at: number): number {
    let end = at;
    while (this.text.charAt(end) === ' ') end++;
    return end;
  }

  /** Behind the line end at `end`; -1 when the text to come may still belong to it. */
  #afterLineEnd(end: number): number {
    const { text, last } = this;
    if (text.charAt(end) === '\n') return end + 1;
    if (end + 1 >= text.length) return last ? text.length : -1;
    return text.charAt(end + 1) === '\n' ? end + 2 : end + 1;
  }

  #unclosed(open: number): InputError {
    const before = lineBreaks(this.text.slice(this.#end, open));
    return unclosedQuote(this.rows.file, this.rows.line + before, this.dialect.quote);
  }

  #refuseTooLong(): void {
    if (this.text.length - this.#end > 2 * ROW_BYTES)
      throw rowTooLong(this.rows.file, this.rows.line);
  }
}

function orBehind(found: number): number {
  return found < 0 ? Infinity : found;
}

function unquoted(inner: string, quote: string, hasEscapes: boolean): string {
  const single = inner.includes(quote) ? inner.replaceAll(quote + quote, quote) : inner;
  if (!hasEscapes || !single.includes('\\')) return single;
  return single.replaceAll(/\\(["'\\])/g, '$1');
}
