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
