import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { basename } from 'node:path';
import { daysText } from '../core/time.js';
import { openRegularFile } from '../files/regular-file.js';

/** A file of numbers, and how it is read. */
export interface ListSource {
  readonly file: string;
  /** All that decides how the file is read, as text: another one compiles the file anew. */
  readonly settings: string;
  readonly reader: NumberReader;
  /** Whether a comma may stand between area code and number. */
  readonly areas: boolean;
  /** Cells of the column with the numbers, where the file is a table; else it has one number a line. */
  readonly cells?: (() => AsyncIterable<readonly string[]>) | undefined;
}

const PIECE_BYTES = 256 * 1024;
const GZIP = Buffer.from([0x1f, 0x8b]);

/** Whether the file is packed by gzip, whatever its name. */
export async function isGzip(file: string): Promise<boolean> {
  const handle = await openRegularFile(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(GZIP.length), 0, GZIP.length, 0);
    return bytesRead === GZIP.length && buffer.equals(GZIP);
  } finally {
    await handle.close();
  }
}

/** SHA-256 of a file as hexadecimal text. */
export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of piecesOf(file)) hash.update(piece);
  return hash.digest('hex');
}

/** Reads all numbers of a list, once; resolves with the digest of the file. `pause` is called after each piece of it. */
export async function readNumbers(
  { file, cells, areas }: ListSource,
  tally: NumberTally,
  pause: () => Promise<void>,
): Promise<string> {
  if (cells) {
    for await (const texts of cells()) {
      for (const text of texts) tally.text(text);
      await pause();
    }
    return await digestOf(file);
  }
  const lines = new LineNumbers(tally, areas);
  const hash = createHash('sha256');
  const hashed = async function* (): AsyncGenerator<Buffer, void, undefined> {
    for await (const piece of piecesOf(file)) {
      hash.update(piece);
      yield piece;
    }
  };
  const take = async (pieces: AsyncIterable<Buffer>): Promise<void> => {
    for await (const piece of pieces) {
      lines.add(piece);
      await pause();
    }
  };
  const copied = async function* (): AsyncGenerator<Buffer, void, undefined> {
    for await (const piece of hashed()) yield Buffer.from(piece);
  };
  if (await isGzip(file)) await pipeline(copied, createGunzip(), take);
  else await take(hashed());
  lines.finish();
  return hash.digest('hex');
}

/** Each piece holds until the next one is asked for: a new buffer for each would take far more memory than there is. */
async function* piecesOf(file: string): AsyncGenerator<Buffer, void, undefined> {
  const handle = await openRegularFile(file);
  try {
    const buffer = Buffer.alloc(PIECE_BYTES);
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, PIECE_BYTES, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

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
class LineNumbers {
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

/** How the lines of a list become numbers: E.164 without the plus, at most 15 digits. */
export interface NumberReader {
  /**
   * The number that plain digits surely are; 0 where they have to be parsed.
   * @param value the digits as a number, exact to 15 of them
   * @param hasPlus whether a plus stands before them
   */
  plain(value: number, digits: number, hasPlus: boolean): number;
  /** The number in any text that a phone transform takes; 0 where there is none. */
  parse(text: string): number;
}

interface ListDates {
  readonly file: string;
  /** Date in its first line, in milliseconds since 1970. */
  readonly dated: number | null;
  /** Time of its change. */
  readonly modified: number;
}

/** How old a list is, in milliseconds: by the date in its name, else in its first line, else by its time of change. */
export function listAge({ file, dated, modified }: ListDates, now: number): number {
  return Math.max(0, now - (dateIn(basename(file)) ?? dated ?? modified));
}

/** Why a list is too old; `null` where it is not. */
export function tooOld(dates: ListDates, maxAge: number | undefined, now: number): string | null {
  const age = listAge(dates, now);
  return maxAge === undefined || age <= maxAge
    ? null
    : `it is ${daysText(age)} old, and maxAge allows ${daysText(maxAge)}.`;
}

/** A day as 2026-11-03, 2026_11_03, 2026.11.03 or 20261103, with no digit beside it. */
const DAY = /(?<!\d)(20\d\d)([-_.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)/;

/** The first day that a text names, in milliseconds since 1970; `null` where it names none. */
function dateIn(text: string): number | null {
  const found = DAY.exec(text);
  if (!found) return null;
  const [, year, , month, day] = found;
  return Date.UTC(Number(year), Number(month) - 1, Number(day));
}
