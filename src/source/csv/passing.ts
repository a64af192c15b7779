import type { Dialect, Passing, Row } from '../../core/table.js';
import { ROW_CELLS } from '../rows.js';
import { DENSE } from './collector.js';

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

  /** What was counted since this was last called. */
  take(): Row['passed'] {
    const passed = this.#passed;
    this.#passed = undefined;
    return passed;
  }

  /** Counts the lines at the beginning of these bytes, which begin with one. Returns how long they are. */
  pass(bytes: Buffer): number {
    const kinds = this.#kinds;
    const { rows: maxRows, text: maxText, cellText } = this.passing;
    let [end, rows, cells, text] = [0, 0, 0, 0];
    let [characters, delimiters, quotes, isQuoted, before] = [0, 0, 0, false, Kind.lf];
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] ?? 0;
      const kind = kinds[byte] ?? Kind.other;
      if (kind === Kind.character) characters++;
      else if (kind === Kind.delimiter) {
        if (isQuoted) characters++;
        else delimiters++;
      } else if (kind === Kind.quote) {
        const next = kinds[bytes[at + 1] ?? 0] ?? Kind.other;
        quotes++;
        if (!isQuoted) {
          // One within a cell belongs to its text.
          if (before !== Kind.delimiter && before !== Kind.lf) break;
          if (next === Kind.mark) break;
          isQuoted = true;
        } else if (next === Kind.quote) {
          characters++;
          at++;
        } else if (next === Kind.delimiter || next >= Kind.cr) isQuoted = false;
        else break;
      } else if (kind === Kind.lf) {
        const width = delimiters + 1;
        const length = characters + delimiters + quotes + (before === Kind.cr ? 2 : 1);
        if (isQuoted || width > ROW_CELLS || length <= DENSE * width) break;
        [end, rows, cells, text] = [at + 1, rows + 1, cells + width, text + characters];
        if (rows === maxRows || text + cellText * cells >= maxText) break;
        [characters, delimiters, quotes] = [0, 0, 0];
      } else if (kind === Kind.mark) {
        if (byte === APOSTROPHE && (before === Kind.lf || before === Kind.delimiter)) break;
        characters++;
      } else if (kind === Kind.lead) {
        if (isOdd(byte, bytes[at + 1])) break;
        characters++;
      } else if (kind === Kind.cr) {
        if (isQuoted || bytes[at + 1] !== LF) break;
      } else if (kind === Kind.other) break;
      before = kind;
    }
    if (rows > 0) this.#passed = { rows, cells, text };
    return end;
  }
}
