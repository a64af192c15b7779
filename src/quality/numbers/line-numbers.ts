import { dateIn } from '../lists/date-in.js';
import type { NumberReader } from './number-reader.js';

/** Takes the numbers of a list, and counts the lines that hold none. */
export class NumberTally {
  unread = 0;
  firstUnread = 0;
  dated: number | null = null;
  #line = 0;

  constructor(
    private readonly reader: NumberReader,
    private readonly take: (number: number) => void,
  ) {}

  /** A line of digits alone, maybe with a plus before them. */
  plain(value: number, digits: number, hasPlus: boolean): boolean {
    const number = this.reader.plain(value, digits, hasPlus);
    if (number === 0) return false;
    this.#line++;
    this.take(number);
    return true;
  }

  text(written: string): void {
    this.#line++;
    const text = written.trim();
    if (text === '' || text.startsWith(COMMENT)) {
      this.#lookForDate(text);
      return;
    }
    const number = this.reader.parse(text);
    if (number !== 0) this.take(number);
    else if (!this.#lookForDate(text)) this.#count();
  }

  /** The date of a list may stand in its first line. */
  #lookForDate(text: string): boolean {
    if (this.#line !== 1) return false;
    this.dated = dateIn(text);
    return this.dated !== null;
  }

  #count(): void {
    if (this.unread++ === 0) this.firstUnread = this.#line;
  }
}

const COMMENT = '#';

const [LINE_FEED, RETURN, BLANK, TAB, COMMA] = [0x0a, 0x0d, 0x20, 0x09, 0x2c];
const [PLUS, ZERO, NINE] = [0x2b, 0x30, 0x39];
/** Digits of which a double holds every number. */
const EXACT_DIGITS = 15;
/** No number is as long; a file without line ends is no list. */
const MAX_LINE = 1024;

/**
 * Cuts bytes into lines and reads those of plain digits as they go by: no text is made of them. `areas`: whether a comma
 * within the digits is left out, as between area code and number.
 */
export class LineNumbers {
  #value = 0;
  #digits = 0;
  #hasPlus = false;
  #isPlain = true;
  #isOver = false;
  /** The line so far, where it began in an earlier piece. */
  #rest: Buffer[] = [];
  #restBytes = 0;

  constructor(
    private readonly tally: NumberTally,
    private readonly areas: boolean,
  ) {}

  add(piece: Buffer): void {
    let begin = 0;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at] ?? 0;
      if (byte >= ZERO && byte <= NINE && !this.#isOver) {
        this.#value = this.#value * 10 + (byte - ZERO);
        this.#digits++;
      } else if (byte === LINE_FEED) {
        this.#end(piece, begin, at);
        begin = at + 1;
      } else this.#sign(byte);
    }
    if (begin < piece.length) this.#keep(piece.subarray(begin));
  }

  /** After the last piece. */
  finish(): void {
    if (this.#restBytes > 0) this.#end(Buffer.alloc(0), 0, 0);
  }

  #sign(byte: number): void {
    if (byte === PLUS && this.#digits === 0 && !this.#hasPlus) this.#hasPlus = true;
    else if (byte === RETURN || byte === BLANK || byte === TAB) this.#isOver = true;
    else if (byte !== COMMA || !this.areas || this.#isOver) this.#isPlain = false;
  }

  #end(piece: Buffer, begin: number, end: number): void {
    const isPlain = this.#isPlain && this.#digits > 0 && this.#digits <= EXACT_DIGITS;
    if (!isPlain || !this.tally.plain(this.#value, this.#digits, this.#hasPlus)) {
      const line = Buffer.concat([...this.#rest, piece.subarray(begin, end)]).toString();
      this.tally.text(this.areas ? line.replace(',', '') : line);
    }
    [this.#value, this.#digits] = [0, 0];
    [this.#hasPlus, this.#isPlain, this.#isOver] = [false, true, false];
    if (this.#restBytes > 0) [this.#rest, this.#restBytes] = [[], 0];
  }

  /** A copy, since the piece may be used again; of a line that is too long only its beginning. */
  #keep(part: Buffer): void {
    const left = MAX_LINE - this.#restBytes;
    if (left <= 0) return;
    this.#rest.push(Buffer.from(part.subarray(0, left)));
    this.#restBytes += Math.min(left, part.length);
  }
}
