import type { Row, Dialect, Cell } from '../../core/table.js';
import { type PassingLines, RowCollector } from './collector.js';
import {
  FAST_RECORD,
  OPEN_RECORD_STEP,
  ROW_CELLS,
  lineBreaks,
  CELL_BYTES,
  ROW_BYTES,
} from '../rows.js';
import type { QuoteVerdict, StrayQuotes } from './stray-quotes.js';
import { closingQuote, isCellEnd } from './dialect.js';

/** Stands for a failure: it ends no record, but shows whether a line end before it is whole. */
const NO_LINE_END = 'x';

/**
 * Rows of a CSV text, in batches: by the fast scanner, and each record that it leaves by csv-parse, after which the
 * scanner goes on. Both give the same rows for what both can read.
 * @param pieces of the text; where they fail, the rows before that are given first
 * @param strays tells quotes that open no cell, so that they swallow no rows. @default every quote opens one
 * @param lines counts those before a piece that are no part of the text. @default all are
 * @throws InputError without the content, after the rows before the problem have been given
 */
export async function* readRows(
  pieces: AsyncIterable<string>,
  file: string,
  dialect: Dialect,
  strays?: StrayQuotes,
  lines?: PassingLines,
): AsyncGenerator<Row[], void, undefined> {
  const rows = new RowCollector(file, dialect.hasSeparatorLine ? 0 : 1);
  const Reader = isPlain(dialect) ? FastScanner : LenientScanner;
  let text = '';
  // How long the text must become before it is worth a look.
  let enough = 0;
  try {
    for await (const piece of toTheEnd(pieces)) {
      const passed = lines?.take();
      if (passed) yield [rows.pass(passed)];
      text += typeof piece === 'object' ? NO_LINE_END : (piece ?? '');
      if (typeof piece === 'string' && text.length < enough) continue;
      rows.follow(text);
      const isLast = piece === undefined;
      const scanner = new Reader(text, dialect, isLast, rows, strays);
      for (let stop = scanner.scan(); stop !== 'more'; stop = scanner.scan()) {
        if (stop === 'full') {
          yield rows.take();
          continue;
        }
        // Loaded here: hardly any file has such a record.
        const { readExactly } = await import('./exact.js');
        const length = readExactly(scanner.rest, isLast, dialect.delimiter, rows);
        if (length === undefined) break;
        scanner.skip(length);
      }
      text = scanner.rest;
      enough = text.length > FAST_RECORD ? text.length + OPEN_RECORD_STEP : 0;
      if (typeof piece === 'object') throw piece.failure;
      if (!lines) continue;
      lines.isBetween = text === '';
      // Given before others are counted, which are behind them.
      if (lines.isBetween && lines.isWanted && !rows.isEmpty) yield rows.take();
    }
  } catch (error) {
    if (!rows.isEmpty) yield rows.take();
    throw error;
  }
  if (!rows.isEmpty) yield rows.take();
}

/** The pieces, and how they ended: `undefined` at the end of the text, or what they failed with, behind those before it. */
async function* toTheEnd(
  pieces: AsyncIterable<string>,
): AsyncGenerator<string | { readonly failure: unknown } | undefined, void, undefined> {
  try {
    yield* pieces;
  } catch (failure) {
    yield { failure };
    return;
  }
  yield undefined;
}

/** Whether the fast scanner and csv-parse read it. */
export function isPlain(dialect: Dialect): boolean {
  const { delimiter, quote, hasEscapes, hasPaddedQuotes, hasBlankAfter } = dialect;
  return (
    delimiter.length === 1 && quote === '"' && !hasEscapes && !hasPaddedQuotes && !hasBlankAfter
  );
}

/**
 * Why a scan stopped:
 * - `full`: the batch is full, more may follow;
 * - `more`: the text is used up, or the record at `end` is not whole without the text to come;
 * - `irregular`: the record at `end` is for the exact reader.
 */
type Stop = 'full' | 'more' | 'irregular';

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;
const NUL = 0;
/** What is behind the end of the text. */
const NOTHING = -1;
/** Behind the end of any text, and small enough to be a whole number to the engine like every other place. */
const NOWHERE = 2 ** 30 - 1;

abstract class Scanner {
  /** Beginning of the first record that was not read. */
  protected end = 0;
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
    protected readonly rows: RowCollector,
    protected readonly strays?: StrayQuotes,
  ) {}

  /** The text from the first record on that was not read. */
  get rest(): string {
    return this.text.slice(this.end);
  }

  /** Goes on behind a record that another reader has read. @param length of the record with its line end */
  skip(length: number): void {
    this.end += length;
  }

  /** Reads the next records until the batch is full. @throws InputError when the file is next to empty */
  scan(): Stop {
    for (;;) {
      if (this.rows.isFull) return 'full';
      if (this.end >= this.text.length) return 'more';
      const stop = this.record();
      if (stop !== undefined) return stop;
    }
  }

  protected abstract record(): Stop | undefined;

  /** The character at a place; `NOTHING` behind the end. There, `charCodeAt` would make the engine compile the caller again. */
  protected codeAt(at: number): number {
    return at < this.text.length ? this.text.charCodeAt(at) : NOTHING;
  }

  protected lineEndFrom(at: number): number {
    if (this.#lf < at) this.#lf = this.find('\n', at);
    if (this.#cr < at) this.#cr = this.find('\r', at);
    return Math.min(this.#lf, this.#cr);
  }

  /** Behind the line end at `end`; -1 when the text to come may still belong to it. */
  protected afterLineEnd(end: number): number {
    const { text, last } = this;
    if (this.codeAt(end) === LF) return end + 1;
    // The end of the text, or a carriage return that may be half of a line end.
    if (end + 1 >= text.length) return last ? text.length : -1;
    return this.codeAt(end + 1) === LF ? end + 2 : end + 1;
  }

  protected find(what: string, at: number): number {
    const found = this.text.indexOf(what, at);
    return found < 0 ? NOWHERE : found;
  }

  /**
   * Tells a quote that opens no cell, and notes what is wrong with it.
   * @param close place of the quote that would close it; -1: none in the text
   * @param before cells of the record before it, and `breaks` line breaks in them
   */
  protected verdict(open: number, close: number, before: number, breaks: number): QuoteVerdict {
    const { text, last } = this;
    const verdict = this.strays?.verdict({ text, last, open, close, before }) ?? 'cell';
    if (verdict === 'stray' || verdict === 'doubtful') this.rows.remark(verdict, before, breaks);
    return verdict;
  }
}

/**
 * Reads records of CSV as csv-parse does with `relax_quotes`, several times as fast, since the engine finds delimiters,
 * quotes and line ends in native code: RFC 4180 with any line ends, quotes inside of unquoted cells, and text after a
 * closing quote. It stops at records that are very long or wide, and at a quote that is not closed. Unlike csv-parse it
 * ends a row with its line where a quote would swallow the rows below, as far as it is told what rows look like.
 */
export class FastScanner extends Scanner {
  // The first quote and delimiter at or after the place that was last asked for.
  #quote = -1;
  #delimiter = -1;
  readonly #delimiterText = this.dialect.delimiter;
  readonly #delimiterCode = this.#delimiterText.charCodeAt(0);

  protected record(): Stop | undefined {
    const lineEnd = this.lineEndFrom(this.end);
    if (this.#quote < this.end) this.#quote = this.find('"', this.end);
    return this.#quote < lineEnd ? this.#quotedRecord() : this.#plainRecord(lineEnd);
  }

  #plainRecord(lineEnd: number): Stop | undefined {
    if (lineEnd === NOWHERE && !this.last) return this.#wait();
    const end = Math.min(lineEnd, this.text.length);
    const next = this.afterLineEnd(end);
    if (next < 0) return this.#wait();
    const cells: Cell[] = [];
    let at = this.end;
    for (let found = this.#delimiterFrom(at); found < end; found = this.#delimiterFrom(at)) {
      cells.push(found === at ? null : this.text.slice(at, found));
      at = found + 1;
    }
    cells.push(at === end ? null : this.text.slice(at, end));
    return this.#finish(cells, next, 1);
  }

  #quotedRecord(): Stop | undefined {
    const cells: Cell[] = [];
    let lines = 1;
    for (let at = this.end; ;) {
      let quoted = this.codeAt(at) === QUOTE;
      let close = quoted ? this.#closingQuote(at) : at;
      if (quoted && this.strays && this.#isOdd(at, close)) {
        const closing = close === NOWHERE ? -1 : close;
        const verdict = this.verdict(at, closing, cells.length, lines - 1);
        if (verdict === 'more') return this.#wait();
        // The quote is left out, and its cell ends at the next delimiter or line end.
        if (verdict === 'stray') [quoted, at, close] = [false, at + 1, at + 1];
      }
      if (close === NOWHERE) return this.#wait();
      const end = quoted && this.#isCellEnd(close + 1) ? close + 1 : this.#plainCellEnd(close);
      if (end === NOWHERE) return this.#wait();
      const cell = quoted ? this.#quotedCell(at, close, end) : this.text.slice(at, end);
      cells.push(cell === '' ? null : cell);
      if (quoted) lines += lineBreaks(cell);
      if (this.codeAt(end) === this.#delimiterCode) {
        at = end + 1;
        continue;
      }
      const next = this.afterLineEnd(end);
      return next < 0 ? this.#wait() : this.#finish(cells, next, lines);
    }
  }

  #closingQuote(at: number): number {
    let quote = this.text.indexOf('"', at + 1);
    while (quote >= 0 && this.codeAt(quote + 1) === QUOTE)
      quote = this.text.indexOf('"', quote + 2);
    return quote < 0 ? NOWHERE : quote;
  }

  /** Whether a quoted cell has several lines, or a delimiter in it and text behind it. */
  #isOdd(open: number, close: number): boolean {
    if (close > this.lineEndFrom(open)) return true;
    return !this.#isCellEnd(close + 1) && this.#delimiterFrom(open) < close;
  }

  /** The text of a cell in quotes; where text follows the closing one, the quotes belong to the text. */
  #quotedCell(open: number, close: number, end: number): string {
    const inner = this.text.slice(open + 1, close);
    const text = inner.includes('"') ? inner.replaceAll('""', '"') : inner;
    if (end === close + 1) return text;
    // csv-parse takes a zero character behind a quote for the end of the text: the quotes are left out.
    if (this.codeAt(close + 1) === NUL) return text + this.text.slice(close + 1, end);
    return `"${text}${this.text.slice(close, end)}`;
  }

  #isCellEnd(at: number): boolean {
    const code = this.codeAt(at);
    return code === this.#delimiterCode || code === LF || code === CR || code === NOTHING;
  }

  #plainCellEnd(at: number): number {
    const end = Math.min(this.#delimiterFrom(at), this.lineEndFrom(at));
    return end === NOWHERE && this.last ? this.text.length : end;
  }

  #finish(cells: Cell[], next: number, lines: number): Stop | undefined {
    const characters = next - this.end;
    if (characters > FAST_RECORD || cells.length > ROW_CELLS) return 'irregular';
    this.rows.add(cells, characters, lines);
    this.end = next;
    return undefined;
  }

  /** The record is not whole: more text is needed, unless there is none or there has been too much already. */
  #wait(): Stop {
    return this.last || this.text.length - this.end > FAST_RECORD ? 'irregular' : 'more';
  }

  #delimiterFrom(at: number): number {
    if (this.#delimiter < at) this.#delimiter = this.find(this.#delimiterText, at);
    return this.#delimiter;
  }
}

/** Lines of a cell in apostrophes at most: to look farther at each of them would take minutes in a text of words. */
const APOSTROPHE_LINES = 100;

/** A cell, where it ends, and whether the text to come may still belong to it. */
interface FoundCell {
  readonly text: string;
  readonly end: number;
  readonly lines: number;
}

/** Reads records of any dialect, at a third of the speed of the fast scanner, which reads the usual ones. */
class LenientScanner extends Scanner {
  /** @throws InputError when the record is too long or too wide, or a quote is never closed */
  protected record(): Stop | undefined {
    const cells: Cell[] = [];
    let lines = 1;
    for (let at = this.end; ;) {
      const cell = this.#cell(this.#afterBlank(at, cells.length), cells.length, lines - 1);
      if (cell === undefined) return this.#wait();
      if (cell.text.length > CELL_BYTES / 4 && Buffer.byteLength(cell.text) > CELL_BYTES)
        throw this.rows.failure('cell_too_long', lines - 1);
      cells.push(cell.text === '' ? null : cell.text);
      lines += cell.lines;
      if (cells.length > ROW_CELLS) throw this.rows.failure('too_many_cells');
      if (this.text.startsWith(this.dialect.delimiter, cell.end)) {
        at = cell.end + this.dialect.delimiter.length;
        continue;
      }
      const next = this.afterLineEnd(cell.end);
      if (next < 0) return this.#wait();
      this.rows.add(cells, next - this.end, lines);
      this.end = next;
      return undefined;
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
      const verdict = this.verdict(open, close, before, breaks);
      if (verdict === 'more') return undefined;
      if (verdict === 'stray') return this.#plainCell(open + 1);
    }
    return this.#quotedCell(open, close);
  }

  #isOdd(open: number, close: number): boolean {
    if (close < 0 || close > this.lineEndFrom(open)) return true;
    const delimiter = this.text.indexOf(this.dialect.delimiter, open);
    return delimiter >= 0 && delimiter < close && !isCellEnd(this.text, close + 1, this.dialect);
  }

  #quotedCell(open: number, close: number): FoundCell | undefined {
    const { quote, hasEscapes, hasPaddedQuotes } = this.dialect;
    if (close < 0) {
      if (this.last)
        throw this.rows.unclosedQuote(lineBreaks(this.text.slice(this.end, open)), quote);
      return undefined;
    }
    const behind = hasPaddedQuotes ? this.#afterBlanks(close + 1) : close + 1;
    const inner = unquoted(this.text.slice(open + 1, close), quote, hasEscapes);
    if (isCellEnd(this.text, behind, this.dialect)) {
      // What follows may still be a second quote, or the rest of a delimiter.
      if (!this.last && behind + this.dialect.delimiter.length > this.text.length) return undefined;
      return { text: inner, end: behind, lines: lineBreaks(inner) };
    }
    const plain = this.#plainCell(close + 1);
    if (!plain) return undefined;
    const text = `${quote}${inner}${quote}${plain.text}`;
    return { text, end: plain.end, lines: lineBreaks(inner) };
  }

  #closing(open: number, limit = Infinity): number {
    const { quote, hasEscapes } = this.dialect;
    return closingQuote(this.text, open, quote, hasEscapes, limit);
  }

  /**
   * An apostrophe may also begin a word: then the next one closes nothing, and must not merge the rows between them. It
   * quotes a cell of several lines only if it is closed soon, at the end of a cell.
   */
  #closingApostrophe(open: number): number | 'stray' {
    const onLine = this.#closing(open, this.lineEndFrom(open));
    if (onLine >= 0) return onLine;
    const limit = this.#afterLines(open);
    const close = this.#closing(open, limit);
    if (close < 0) return limit === Infinity ? close : 'stray';
    return isCellEnd(this.text, close + 1, this.dialect) ? close : 'stray';
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
    const end = Math.min(this.find(this.dialect.delimiter, at), this.lineEndFrom(at));
    if (end === NOWHERE && !this.last) return undefined;
    const cellEnd = Math.min(end, text.length);
    return { text: text.slice(at, cellEnd), end: cellEnd, lines: 0 };
  }

  #afterBlanks(at: number): number {
    let end = at;
    while (this.text.charAt(end) === ' ') end++;
    return end;
  }

  /** The record is not whole: more text is needed, unless there has been too much already. */
  #wait(): Stop {
    if (this.text.length - this.end > 2 * ROW_BYTES) throw this.rows.failure('row_too_long');
    return 'more';
  }
}

function unquoted(inner: string, quote: string, hasEscapes: boolean): string {
  const single = inner.includes(quote) ? inner.replaceAll(quote + quote, quote) : inner;
  if (!hasEscapes || !single.includes('\\')) return single;
  return single.replaceAll(/\\(["'\\])/g, '$1');
}
