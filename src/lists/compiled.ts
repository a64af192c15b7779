import Database from 'better-sqlite3';
import { createHash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { codeOf } from '../core/errors.js';
import { isWritable, makeFolder, openRegularFile } from '../files/regular-file.js';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { daysText } from '../core/time.js';

/** What is known of a compiled file beside its tables. */
export interface Head {
  /** All that decides what is taken of the file, as text: with other settings it is compiled anew. */
  readonly settings: string;
  readonly source: FileMark & {
    /** SHA-256 of all of it, as hexadecimal text; of a store, the number of its changes. */
    readonly digest: string;
  };
}

/** By what it is seen that a file has not changed since. */
interface FileMark {
  readonly bytes: number;
  /** Time of its change, in milliseconds since 1970. */
  readonly modified: number;
  /** Time of the last change of its directory entry, which no program can set. */
  readonly changed: number;
}

export function markOf(file: string): FileMark {
  const { size, mtimeMs, ctimeMs } = statSync(file);
  return { bytes: size, modified: mtimeMs, changed: ctimeMs };
}

/** What is made of a file once, and opened quickly afterwards. */
export interface CompiledForm<H extends Head> {
  readonly file: string;
  readonly settings: string;
  /** What the name of the compiled file ends with, behind that of the file. */
  readonly suffix: string;
  /** Statements that make its tables. */
  readonly tables: string;
  /** Whether it still says what it is asked for. @default as long as the file holds the same */
  readonly isCurrent?: ((head: H) => boolean) | undefined;
  /** Fills the tables, within one transaction. @param touch to be called often */
  fill(database: Database.Database, touch: () => void): Promise<H>;
}

interface Opened<H extends Head> {
  readonly database: Database.Database;
  readonly head: H;
}

/**
 * Opens the compiled form of a file, a database that is only read, and compiles it where it was not, or where the file has
 * changed since. It lies beside the file, or below the home folder where nothing can be written beside it.
 */
export async function compiledForm<H extends Head>(form: CompiledForm<H>) {
  for (;;) {
    const [beside, cached] = placesOf(form);
    for (const path of [beside, cached]) {
      const opened = openCompiled<H>(path);
      if (opened && (await isCurrent(form, opened.head, path))) return kept(opened, path, false);
      opened?.database.close();
    }
    const path = isWritable(dirname(beside)) ? beside : cached;
    if (path === cached) makeFolder(dirname(cached));
    const lock = await lockBuilding(`${path}.lock`);
    if (lock === null) continue;
    try {
      removeLeft(path);
      await build(form, path, lock.touch);
    } finally {
      lock.release();
    }
    const opened = openCompiled<H>(path);
    if (opened) return kept(opened, path, true);
  }
}

/** The file is replaced, and hardly ever written to: its lock need not be taken anew for each look-up. */
function kept<H extends Head>(opened: Opened<H>, path: string, isNew: boolean) {
  opened.database.pragma('locking_mode = EXCLUSIVE');
  return { ...opened, path, isNew };
}

/** "clst" in ASCII (`PRAGMA application_id`). */
const APPLICATION_ID = 0x636c7374;
/** Changes with the tables: a file of another version is compiled anew. */
const VERSION = 1;

/** `null` where there is none, or it is not whole, or was made by another version. */
function openCompiled<H extends Head>(path: string): Opened<H> | null {
  let database: Database.Database | undefined;
  try {
    database = new Database(path, { readonly: true, fileMustExist: true });
    const pragma = (name: string): number => Number(database?.pragma(name, { simple: true }));
    const isWhole = pragma('page_count') * pragma('page_size') === statSync(path).size;
    if (
      isWhole &&
      pragma('application_id') === APPLICATION_ID &&
      pragma('user_version') === VERSION
    ) {
      const head = database.prepare<[], string>('SELECT head FROM head').pluck().get();
      if (head !== undefined) return { database, head: JSON.parse(head) as H };
    }
  } catch {
    // Whoever asks compiles it, and is told then why that cannot be done.
  }
  database?.close();
  return null;
}

/**
 * Whether it is of the file as it is now. What was copied or touched has another time and the same digest: then its new
 * times are noted, where that can be.
 */
async function isCurrent<H extends Head>(
  form: CompiledForm<H>,
  head: H,
  path: string,
): Promise<boolean> {
  const { file, settings } = form;
  const { source: known } = head;
  if (head.settings !== settings) return false;
  if (form.isCurrent) return form.isCurrent(head);
  const mark = markOf(file);
  if (known.bytes !== mark.bytes) return false;
  if (known.modified === mark.modified && known.changed === mark.changed) return true;
  const digest = await digestOf(file);
  if (known.digest !== digest) return false;
  noteHead(path, { ...head, source: { ...mark, digest } });
  return true;
}

/** Writes the head anew, where that can be done: else the digest is asked for again next time. */
function noteHead(path: string, head: Head): void {
  if (!isWritable(path)) return;
  const database = new Database(path, { timeout: 0 });
  try {
    database.prepare('UPDATE head SET head = ?').run(JSON.stringify(head));
  } catch (error) {
    // Whoever has it open reads it.
    if (!/SQLITE_(BUSY|READONLY|CANTOPEN)/.test(codeOf(error))) throw error;
  } finally {
    database.close();
  }
}

/** Builds the database beside its place: what was there before is replaced when all of it is on the disk. */
async function build<H extends Head>(
  form: CompiledForm<H>,
  path: string,
  touch: () => void,
): Promise<void> {
  const beside = `${path}.${process.pid}.${performance.now().toString(36)}.new`;
  const descriptor = openSync(beside, 'wx', 0o600);
  try {
    const database = new Database(beside);
    try {
      // Whoever is killed meanwhile leaves a file that nobody opens.
      for (const setting of ['journal_mode = OFF', 'synchronous = OFF', 'cache_size = -16000'])
        database.pragma(setting);
      database.pragma(`application_id = ${APPLICATION_ID}`);
      database.pragma(`user_version = ${VERSION}`);
      database.exec(`CREATE TABLE head (head TEXT NOT NULL); ${form.tables}; BEGIN`);
      const head = await form.fill(database, touch);
      database.prepare('INSERT INTO head VALUES (?)').run(JSON.stringify(head));
      database.exec('COMMIT');
    } finally {
      database.close();
    }
    fsyncSync(descriptor);
    renameSync(beside, path);
  } finally {
    closeSync(descriptor);
    rmSync(beside, { force: true });
  }
}

function placesOf({
  file,
  suffix,
}: Pick<CompiledForm<Head>, 'file' | 'suffix'>): readonly [beside: string, cached: string] {
  const absolute = resolve(file);
  const name = createHash('sha256').update(absolute).digest('hex').slice(0, 32);
  return [`${absolute}${suffix}`, join(homedir(), '.cache', 'cardline', `${name}${suffix}`)];
}

/** What a builder has beside the file that it makes: its process, a time, and what it is. */
const LEFT = /^\d+\.[\da-z]+(\.[\da-z]+)?\.[a-z]+$/;

/**
 * Removes what builders that were killed have left beside a compiled file: numbers that nobody would ever remove. To be
 * called by whoever has the lock; what was written to a moment ago may be of one that only stood still.
 */
function removeLeft(path: string): void {
  const start = `${basename(path)}.`;
  for (const name of readdirSync(dirname(path))) {
    if (!name.startsWith(start) || !LEFT.test(name.slice(start.length))) continue;
    const file = join(dirname(path), name);
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found || Math.abs(Date.now() - found.mtimeMs) <= GONE_MS) continue;
    try {
      rmSync(file, { force: true });
    } catch (error) {
      // Another user's, in a folder that several share: nobody else may remove it, and the list is built all the same.
      if (!['EPERM', 'EACCES'].includes(codeOf(error))) throw error;
    }
  }
}

/** After how long without a sign a builder is taken to be gone, in milliseconds. */
const GONE_MS = 30_000;
/** How often it shows that it is at work, and how often others ask. */
const [TOUCH_MS, ASK_MS] = [1000, 100];

/**
 * Takes a lock, so that several threads and processes do not do the same work, or resolves with `null` once another builder
 * that had it is done: then its list may be used.
 */
async function lockBuilding(file: string) {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    for (;;) {
      await wait(ASK_MS);
      const found = statSync(file, { throwIfNoEntry: false });
      if (!found) return null;
      // A time to come is of a clock that was put back since: a builder at work would show itself again.
      if (Math.abs(Date.now() - found.mtimeMs) > GONE_MS) rmSync(file, { force: true });
    }
  }
  let touched = Date.now();
  return {
    /** To be called often while at work. */
    touch: (): void => {
      const now = Date.now();
      if (now - touched < TOUCH_MS) return;
      touched = now;
      utimesSync(file, new Date(now), new Date(now));
    },
    release: (): void => {
      rmSync(file, { force: true });
    },
  };
}

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
    else if (!this.#lookForDate(text) && this.unread++ === 0) this.firstUnread = this.#line;
  }

  /** The date of a list may stand in its first line. */
  #lookForDate(text: string): boolean {
    if (this.#line !== 1) return false;
    this.dated = dateIn(text);
    return this.dated !== null;
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
