import { chmodSync } from 'node:fs';
import Database from 'better-sqlite3';
import {
  CardlineError,
  LedgerError,
  LedgerInUseError,
  NewerLedgerError,
  NoLedgerError,
  codeOf,
} from '../core/errors.js';
import { APPLICATION_ID, UNMARKED_VERSIONS } from './ledger-file.js';
import { SCHEMA, SCHEMA_VERSION, UPGRADES } from './schema.js';

/** Pages kept in memory, in KiB: facts are added at the end and read in order. The driver's default is eight times as much. */
const CACHE_KB = 2048;

/** A ledger that ends with the process, for tests. */
export const IN_MEMORY = ':memory:';

/** How long another process may have the ledger for itself, as while it makes the tables, in milliseconds. */
const BUSY_MS = 5_000;
const RETRY_MS = 20;

/**
 * Opens or makes the ledger's database in a file that has been looked at (`ledger-file.ts`), for its owner alone, since
 * it names clients. `synchronous=FULL`: what a transaction wrote survives a power cut.
 * @throws LedgerError when the file cannot be opened or is not a ledger.
 */
export function openDatabase(path: string, busyMs = BUSY_MS): Database.Database {
  for (const until = Date.now() + busyMs; ;) {
    try {
      return openOnce(path, busyMs);
    } catch (error) {
      // SQLite does not wait by itself while another process changes the kind of journal.
      if (!isBusy(error) || Date.now() > until) throw asLedgerError(error, path);
      pause(RETRY_MS);
    }
  }
}

function openOnce(path: string, busyMs: number): Database.Database {
  // By its path: whoever opens and closes the file takes the locks from this process's other connections.
  if (path !== IN_MEMORY) chmodSync(path, 0o600);
  const database = new Database(path, { timeout: busyMs });
  try {
    refuseOtherTables(database, path);
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma(`cache_size = -${CACHE_KB}`);
    prepareTables(database, path);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A second look, at what a log beside the file adds to it. */
function refuseOtherTables(database: Database.Database, path: string): void {
  const id = database.pragma('application_id', { simple: true });
  if (id === APPLICATION_ID) return;
  const names = database
    .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => name);
  const isEarlier =
    UNMARKED_VERSIONS.has(versionOf(database)) && names.includes('run') && names.includes('fact');
  if (id !== 0 || (names.length > 0 && !isEarlier))
    throw new NoLedgerError(
      `The ledger ${path}: this is a database of another program; give another file with --ledger.`,
    );
}

/** Loads what opens ledgers, for whoever has the time now and will not have it later. */
export function warmDatabases(): void {
  try {
    new Database(IN_MEMORY).close();
  } catch {
    // Whoever opens a ledger meets the same error, and shows it.
  }
}

const versionOf = (database: Database.Database): number =>
  Number(database.pragma('user_version', { simple: true }));

function prepareTables(database: Database.Database, path: string): void {
  if (versionOf(database) === SCHEMA_VERSION) return;
  // Looked at again inside: another process may make the tables at the same moment.
  database
    .transaction(() => {
      const version = versionOf(database);
      if (version > SCHEMA_VERSION)
        throw new NewerLedgerError(
          `${path} was written by a later version of cardline; use that version, or another --ledger.`,
        );
      if (version === SCHEMA_VERSION) return;
      if (version === 0) database.exec(SCHEMA);
      for (let from = version; from > 0 && from < SCHEMA_VERSION; from++)
        database.exec(UPGRADES[from] ?? '');
      database.pragma(`user_version = ${SCHEMA_VERSION}`);
      database.pragma(`application_id = ${APPLICATION_ID}`);
    })
    .immediate();
  flush(database);
}

/**
 * Brings everything from the log into the file itself, as far as no reader stands in the way. Gives whether all of it is
 * there, on the disk.
 */
export function flush(database: Database.Database): boolean {
  const [result] = database.pragma('wal_checkpoint(TRUNCATE)') as { readonly busy: number }[];
  return result?.busy === 0;
}

/** Whether another connection holds what is asked for. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Database.SqliteError && /^SQLITE_(BUSY|LOCKED)/.test(error.code);

/** Blocks the thread for so many milliseconds. */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** A SQLite or file error in words that say what to do. */
export function asLedgerError(error: unknown, file: string): CardlineError {
  if (error instanceof CardlineError) return error;
  const code = codeOf(error);
  const found = REASONS.find(([pattern]) => pattern.test(code)) ?? OTHERWISE;
  const [, why, Kind, saysHowToContinue = false] = found;
  const message = `The ledger ${file}: ${why}${code && ` (${code})`}.`;
  return new Kind(message, { cause: error, saysHowToContinue });
}

type Reason = readonly [
  pattern: RegExp,
  why: string,
  kind: typeof LedgerError,
  saysHowToContinue?: true,
];

const OTHERWISE: Reason = [/^/, 'it cannot be used', LedgerError];

const REASONS: readonly Reason[] = [
  [
    /SQLITE_FULL|ENOSPC/,
    'the disk is full; free some space and run the same command again',
    LedgerError,
    true,
  ],
  // SQLite does not tell which of the two it was.
  [
    /SQLITE_IOERR_SHMSIZE/,
    'the disk is full or reports an error; free some space and run the same command again',
    LedgerError,
    true,
  ],
  [/SQLITE_NOTADB/, 'the file is not a ledger; give another file with --ledger', NoLedgerError],
  [
    /SQLITE_CORRUPT/,
    'the file is damaged; bring a copy back, or give another file with --ledger',
    LedgerError,
  ],
  [
    /SQLITE_BUSY|SQLITE_LOCKED/,
    'another process is using it; wait for it, or give another --ledger',
    LedgerInUseError,
  ],
  [
    /SQLITE_READONLY|EACCES|EPERM|EROFS/,
    'it may not be written; check its permissions',
    LedgerError,
  ],
  [
    /SQLITE_CANTOPEN|ENOENT|EISDIR|ENOTDIR|ELOOP/,
    'the file cannot be opened; check the path',
    NoLedgerError,
  ],
  [/SQLITE_IOERR|EIO/, 'the disk reports an error; what was recorded before holds', LedgerError],
];
