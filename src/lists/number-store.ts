import Database from 'better-sqlite3';
import { closeSync, existsSync, openSync } from 'node:fs';
import { codeOf, UsageError } from '../core/errors.js';
import { isWritable } from './compiled.js';
import { type ListSource, NumberTally, readNumbers } from './list-source.js';

/** A number in a store, with why it must not be called, and until when. Times are milliseconds since 1970. */
export interface StoredNumber {
  readonly added: number;
  /** When it may be called again; `null`: never. */
  readonly endsAt: number | null;
  readonly reason: string | null;
}

/** What is said of numbers that are added. */
export interface Entry {
  /** When they may be called again. @default by the `ttl` of the list */
  readonly until?: number | undefined;
  readonly reason?: string | undefined;
}

/** What became of numbers that were added. */
export interface Added {
  /** They were not in the store. */
  readonly added: number;
  /** They were, and their time begins anew. */
  readonly renewed: number;
  /** They were, for longer than is asked for now, and stay so. */
  readonly kept: number;
}

/** The same of a file. */
export interface AddedFile extends Added {
  /** Lines that hold something and no number. */
  readonly unread: number;
  /** The first of them; 0 where there is none. */
  readonly firstUnread: number;
}

const FAR = Number.MAX_SAFE_INTEGER;
const BATCH = 8192;
const ENDS_AT = 'coalesce(until, added + :ttl, :far)';

/** What is to be added, before it is: in a file of this connection alone, so that nobody waits meanwhile. */
const COMING = 'CREATE TEMP TABLE IF NOT EXISTS coming (number INTEGER PRIMARY KEY)';
const COME = 'INSERT OR IGNORE INTO coming SELECT value FROM json_each(?)';

/** A longer ban is never shortened by a shorter one. */
const ADD = `
  INSERT INTO number (number, added, until, reason)
  SELECT number, :now, :until, :reason FROM coming WHERE true
  ON CONFLICT (number) DO UPDATE SET
    added = excluded.added, until = excluded.until, reason = coalesce(excluded.reason, reason)
  WHERE coalesce(excluded.until, excluded.added + :ttl, :far) >= ${ENDS_AT}
`;

/** A count would be the same in a store that was made anew, or brought back from a copy, and changed otherwise. */
const NEW_STATE = `UPDATE store SET value = abs(random() % ${FAR}) WHERE name = 'changes'`;

/** Numbers that must not be called: a list that grows and shrinks number by number. E.164 without the plus. */
export class NumberStore {
  readonly #database: Database.Database;
  readonly #terms: { readonly ttl: number | null; readonly far: number };

  /**
   * @param ttl how long a number stays, in milliseconds. @default for ever
   * @throws UsageError when it cannot be opened
   */
  constructor(
    private readonly file: string,
    ttl: number | undefined,
    access: 'read' | 'write',
  ) {
    this.#database = openStoreDatabase(file, access);
    this.#terms = { ttl: ttl ?? null, far: FAR };
  }

  /** Adds a number. */
  add(number: number, entry: Entry, now: number): Added {
    this.#come([number]);
    return this.#addComing(entry, now);
  }

  /**
   * Adds all numbers of a file, or none of them.
   * @throws UsageError where it holds none, and what reading the file throws
   */
  async addAll(source: ListSource, entry: Entry, now: number): Promise<AddedFile> {
    let numbers: number[] = [];
    const tally = new NumberTally(source.reader, (number) => {
      numbers.push(number);
    });
    const come = (): Promise<void> => {
      this.#come(numbers);
      numbers = [];
      return Promise.resolve();
    };
    await readNumbers(source, tally, come);
    await come();
    const { unread, firstUnread } = tally;
    if (this.#count('coming') === 0)
      throw new UsageError(
        `${source.file} holds no phone number. Check --format, --column, --country.`,
      );
    return { ...this.#addComing(entry, now), unread, firstUnread };
  }

  /** Returns whether the number was there. */
  remove(number: number, now: number): boolean {
    return this.#change(now, () => {
      const { changes } = this.#database.prepare('DELETE FROM number WHERE number = ?').run(number);
      return changes > 0;
    });
  }

  /** What is known of a number that must not be called now; `null` where it may be. */
  find(number: number, now: number): StoredNumber | null {
    const found = this.#database
      .prepare<object, StoredNumber>(
        `SELECT added, ${ENDS_AT} AS endsAt, reason FROM number WHERE number = :number`,
      )
      .get({ number, ...this.#terms });
    if (!found || (found.endsAt ?? FAR) <= now) return null;
    return { ...found, endsAt: found.endsAt === FAR ? null : found.endsAt };
  }

  /** Another one after each change, in whichever copy of the store: as long as it is the same, so are the numbers. */
  get state(): number {
    return this.#number("SELECT value FROM store WHERE name = 'changes'") ?? 0;
  }

  /** When the first of the numbers may be called again; `null`: never. */
  firstEnd(now: number): number | null {
    const text = `SELECT min(${ENDS_AT}) FROM number WHERE ${ENDS_AT} > :now`;
    const end = this.#number(text, now);
    return end === FAR ? null : end;
  }

  /** How many numbers must not be called now. */
  count(now: number): number {
    return this.#number(`SELECT count(*) FROM number WHERE ${ENDS_AT} > :now`, now) ?? 0;
  }

  /** All numbers that must not be called now, in ascending order. */
  *numbers(now: number): Generator<Float64Array, void, undefined> {
    const found = this.#database
      .prepare<object, number>(`SELECT number FROM number WHERE ${ENDS_AT} > :now ORDER BY number`)
      .pluck()
      .iterate({ now, ...this.#terms });
    const batch = new Float64Array(BATCH);
    let count = 0;
    for (const number of found) {
      batch[count++] = number;
      if (count < BATCH) continue;
      yield batch;
      count = 0;
    }
    if (count > 0) yield batch.subarray(0, count);
  }

  /** Looks at the store as it is at one moment, whatever others change meanwhile. */
  async atOnce<T>(look: () => Promise<T>): Promise<T> {
    this.#database.exec('BEGIN');
    try {
      return await look();
    } finally {
      this.#database.exec('COMMIT');
    }
  }

  close(): void {
    this.#database.close();
  }

  #count(table: 'number' | 'coming'): number {
    return this.#number(`SELECT count(*) FROM ${table}`) ?? 0;
  }

  #number(text: string, now = 0): number | null {
    const found = this.#database.prepare<object, number | null>(text).pluck();
    return found.get({ now, ...this.#terms }) ?? null;
  }

  #come(numbers: readonly number[]): void {
    this.#database.exec(COMING);
    this.#database.prepare(COME).run(JSON.stringify(numbers));
  }

  #addComing({ until, reason }: Entry, now: number): Added {
    const all = this.#count('coming');
    const values = { now, until: until ?? null, reason: reason ?? null, ...this.#terms };
    return this.#change(now, () => {
      const before = this.#count('number');
      const { changes } = this.#database.prepare(ADD).run(values);
      const added = this.#count('number') - before;
      this.#database.exec('DELETE FROM coming');
      return { added, renewed: changes - added, kept: all - changes };
    });
  }

  /** A change, and the end of what has ended: nothing is kept of a person longer than it has to be. */
  #change<T>(now: number, change: () => T): T {
    const forget = `DELETE FROM number WHERE ${ENDS_AT} <= :now`;
    try {
      return this.#database
        .transaction(() => {
          this.#database.prepare(forget).run({ now, ...this.#terms });
          const result = change();
          this.#database.exec(NEW_STATE);
          return result;
        })
        .immediate();
    } catch (error) {
      throw asUsageError(error, this.file);
    }
  }
}

/** "csup" in ASCII: distinguishes a store from any other SQLite database (`PRAGMA application_id`). */
const APPLICATION_ID = 0x63737570;
/** Raised when the tables change; a store of a later version is refused. */
const VERSION = 1;
/** How long another process may have the store for itself, in milliseconds. */
const BUSY_MS = 10_000;

/** An entry is renewed when its number is added again, and deleted once it has ended. */
const SCHEMA = `
  CREATE TABLE number (
    number INTEGER PRIMARY KEY,
    added  INTEGER NOT NULL,
    until  INTEGER,
    reason TEXT
  ) STRICT;
  CREATE TABLE store (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
  INSERT INTO store VALUES ('changes', 0);
`;

/**
 * Opens a store, for its owner alone, since it holds phone numbers.
 * @param access `read`: there must be one; `write`: it is made where there is none
 * @throws UsageError when it cannot be opened, or is something else
 */
function openStoreDatabase(file: string, access: 'read' | 'write'): Database.Database {
  if (!existsSync(file)) {
    if (access === 'read')
      throw new UsageError(
        `There is no store ${file} yet: "cardline suppress add", "import" and "build" make it.`,
      );
    makeFile(file);
  }
  try {
    return openOnce(file, access);
  } catch (error) {
    throw asUsageError(error, file);
  }
}

function openOnce(file: string, access: 'read' | 'write'): Database.Database {
  // What a process that was killed left behind is taken back by whoever may write.
  const readonly = access === 'read' && !isWritable(file);
  const database = new Database(file, { timeout: BUSY_MS, readonly });
  try {
    // A number that was removed, and why it was there, is not left in free pages.
    database.pragma('secure_delete = ON');
    const id = database.pragma('application_id', { simple: true });
    const version = Number(database.pragma('user_version', { simple: true }));
    const isEmpty = id === 0 && version === 0 && countTables(database) === 0;
    if (isEmpty && access === 'write') makeTables(database);
    else if (id !== APPLICATION_ID)
      throw new UsageError(
        `${file} is no store of numbers: it is a database of another program. Name another file.`,
      );
    else if (version > VERSION)
      throw new UsageError(`${file} was written by a later version of cardline; use that version.`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function countTables(database: Database.Database): number {
  return Number(database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get());
}

function makeTables(database: Database.Database): void {
  database
    .transaction(() => {
      // Another process may have made them at the same moment.
      if (countTables(database) > 0) return;
      database.exec(SCHEMA);
      database.pragma(`user_version = ${VERSION}`);
      database.pragma(`application_id = ${APPLICATION_ID}`);
    })
    .immediate();
}

function makeFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw asUsageError(error, file);
  }
}

/** What SQLite or the file system say, in words that say what to do. */
function asUsageError(error: unknown, file: string): Error {
  if (error instanceof UsageError) return error;
  const code = codeOf(error);
  const [, why] = REASONS.find(([pattern]) => pattern.test(code)) ?? [];
  if (why === undefined)
    return error instanceof Error ? error : new Error('The store cannot be used.');
  return new UsageError(`The store ${file}: ${why} (${code}).`, { cause: error });
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/SQLITE_FULL|ENOSPC/, 'the disk is full; free some space'],
  [/SQLITE_NOTADB/, 'the file is no store of numbers; name another one'],
  [/SQLITE_CORRUPT/, 'the file is damaged; bring a copy back'],
  [/SQLITE_BUSY|SQLITE_LOCKED/, 'another process is changing it; wait for it'],
  [/SQLITE_READONLY|EACCES|EPERM|EROFS/, 'it may not be written; check its permissions'],
  [/SQLITE_CANTOPEN|ENOENT|EISDIR|ENOTDIR|ELOOP/, 'it cannot be opened; check the path'],
  [/SQLITE_IOERR|EIO/, 'the disk reports an error'],
];
