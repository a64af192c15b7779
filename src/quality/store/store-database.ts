import { closeSync, existsSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';
import { codeOf, UsageError } from '../../core/errors.js';
import { isWritable } from '../compiled/compiled-form.js';

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
export function openStoreDatabase(file: string, access: 'read' | 'write'): Database.Database {
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
export function asUsageError(error: unknown, file: string): Error {
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
