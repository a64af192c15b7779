import type { XmlScanner } from '../xml/scanner.js';

const SPACE = 0x20;
const QUOTE = 0x22;
const EQUALS = 0x3d;
const ZERO = 0x30;
const NINE = 0x39;
const R = 0x72;
/** ` r="`, which the tags of nearly all rows begin with. */
const START = [SPACE, R, EQUALS, QUOTE];
/** Numbers of rows have up to seven digits; anything longer is refused where attributes are read. */
const MAX_DIGITS = 7;

/**
 * Reads the numbers of rows. What comes behind the number in a row's tag is mostly the same as in the row before, byte
 * by byte: then it need not be read again.
 */
export class RowNumbers {
  /** What came behind the number of the last row whose attributes were read; `null`: nothing is known. */
  private rest: Buffer | null = null;
  private marks = 0;
  /** Whether the row that was read last is hidden, by hand or by a filter. */
  isHidden = false;

  /** The number of the row that the scanner has just opened; `null` when it has none. @throws TextError */
  read(scanner: XmlScanner): number | null {
    const { buffer, from, to } = scanner;
    const end = endOfNumber(buffer, from, to);
    if (end > 0 && this.rest !== null && this.isRest(buffer, end, to)) {
      scanner.marks += this.marks;
      return numberAt(buffer, from + START.length, end - 1);
    }
    const before = scanner.marks;
    const attributes = scanner.attributes();
    const number = attributes.get('r');
    this.isHidden = /^(?:1|true|on)$/.test(attributes.get('hidden') ?? '');
    this.rest = end > 0 ? Buffer.from(buffer.subarray(end, to)) : null;
    this.marks = scanner.marks - before;
    return number === undefined ? null : Number(number);
  }

  private isRest(buffer: Buffer, from: number, to: number): boolean {
    const { rest } = this;
    if (rest?.length !== to - from) return false;
    for (let at = 0; at < rest.length; at++) if (rest[at] !== buffer[from + at]) return false;
    return true;
  }
}

/** Behind the closing quote of the number that the attributes begin with; 0 when they do not. */
function endOfNumber(buffer: Buffer, from: number, to: number): number {
  for (let at = 0; at < START.length; at++) if (buffer[from + at] !== START[at]) return 0;
  const first = from + START.length;
  let at = first;
  while (at < to && isDigit(buffer[at])) at++;
  const digits = at - first;
  return digits > 0 && digits <= MAX_DIGITS && at < to && buffer[at] === QUOTE ? at + 1 : 0;
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}

function numberAt(buffer: Buffer, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) number = number * 10 + (buffer[at] ?? 0) - ZERO;
  return number;
}
