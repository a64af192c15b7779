import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { CardlineError, LedgerError } from '../core/errors.js';
import { SCHEMA, SCHEMA_VERSION, UPGRADES } from './schema.js';

/** Pages kept in memory, in KiB: facts are added at the end and read in order. The driver's default is eight times as much. */
const CACHE_KB = 2048;

/** A ledger that ends with the process, for tests. */
export const IN_MEMORY = ':memory:';

/**
 * Opens or makes the ledger's database. The file is readable by its owner alone, since it names clients.
 * `synchronous=FULL`: what a transaction wrote survives a power cut.
 * @throws LedgerError when the file cannot be opened or is not a ledger.
 */
export function openDatabase(file: string): Database.Database {
  try {
    if (file !== IN_MEMORY) makePrivate(file);
    const database = new Database(file);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma('busy_timeout = 5000');
    database.pragma(`cache_size = -${CACHE_KB}`);
    prepareTables(database, file);
    return database;
  } catch (error) {
    throw asLedgerError(error, file);
  }
}

/** Loads what opens ledgers, for whoever has the time now and will not have it later. */
export function warmDatabases(): void {
  try {
    new Database(IN_MEMORY).close();
  } catch {
    // Whoever opens a ledger meets the same error, and tells it.
  }
}

function makePrivate(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

function prepareTables(database: Database.Database, file: string): void {
  const version = Number(database.pragma('user_version', { simple: true }));
  if (version > SCHEMA_VERSION)
    throw new LedgerError(
      `${file} was written by a later version of cardline; use that version, or another --ledger.`,
    );
  if (version === SCHEMA_VERSION) return;
  database.transaction(() => {
    database.exec(UPGRADES[version] ?? SCHEMA);
    database.pragma(`user_version = ${SCHEMA_VERSION}`);
  })();
}

/** A SQLite or file error in words that say what to do. */
export function asLedgerError(error: unknown, file: string): CardlineError {
  if (error instanceof CardlineError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const why = REASONS.find(([pattern]) => pattern.test(code))?.[1] ?? 'it cannot be used';
  return new LedgerError(`The ledger ${file}: ${why}${code && ` (${code})`}.`, { cause: error });
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/SQLITE_FULL|ENOSPC/, 'the disk is full; free some space and run the same command again'],
  // SQLite does not tell which of the two it was.
  [
    /SQLITE_IOERR_SHMSIZE/,
    'the disk is full or reports an error; free some space and run the same command again',
  ],
  [/SQLITE_NOTADB|SQLITE_CORRUPT/, 'the file is not a ledger; give another file with --ledger'],
  [
    /SQLITE_BUSY|SQLITE_LOCKED/,
    'another process is using it; wait for it, or give another --ledger',
  ],
  [/SQLITE_READONLY|EACCES|EPERM|EROFS/, 'it may not be written; check its permissions'],
  [/SQLITE_CANTOPEN|ENOENT|EISDIR|ENOTDIR/, 'the file cannot be opened; check the path'],
  [/SQLITE_IOERR|EIO/, 'the disk reports an error; what was recorded before holds'],
];
