import Database from 'better-sqlite3';
import { chmodSync, statSync } from 'node:fs';
import {
  CardlineError,
  codeOf,
  LedgerError,
  LedgerInUseError,
  NewerLedgerError,
  NoLedgerError,
} from '../core/errors.js';

/** The ledger's tables. A fact is written once and never changed. */
export const SCHEMA = `
  CREATE TABLE IF NOT EXISTS run (
    id           TEXT PRIMARY KEY,
    inputs       TEXT NOT NULL,
    content      TEXT NOT NULL,
    mapping      TEXT NOT NULL,
    installation TEXT NOT NULL,
    campaign     INTEGER,
    settings     TEXT NOT NULL,
    out          TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    opened_at    INTEGER NOT NULL DEFAULT 0,
    state        TEXT,
    ended_at     INTEGER,
    rows         INTEGER,
    outcomes     TEXT,
    fingerprint  TEXT,
    parts        TEXT,
    worker       TEXT,
    relies       TEXT,
    settles_all  INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX IF NOT EXISTS run_by_content ON run (content, created_at);
  CREATE TABLE IF NOT EXISTS fact (
    id    INTEGER PRIMARY KEY,
    run   TEXT NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    chunk INTEGER NOT NULL,
    kind  TEXT NOT NULL,
    data  TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS fact_by_chunk ON fact (run, chunk);
  CREATE TABLE IF NOT EXISTS ledger (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
  ) STRICT;
`;

/** What brings the tables of an earlier version to the next one, by that version. */
const UPGRADES: Readonly<Record<number, string>> = {
  1: 'ALTER TABLE run ADD COLUMN fingerprint TEXT',
  2: `
    ALTER TABLE run ADD COLUMN opened_at INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE run ADD COLUMN parts TEXT;
    ALTER TABLE run ADD COLUMN worker TEXT;
    ALTER TABLE run ADD COLUMN relies TEXT;
    ALTER TABLE run ADD COLUMN settles_all INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE ledger (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  `,
};

/** Raised when the tables change; a ledger of a later version is refused. */
export const SCHEMA_VERSION = 3;

/** Pages kept in memory, in KiB: facts are added at the end and read in order. The driver's default is eight times as much. */
const CACHE_KB = 2048;

/** A ledger that ends with the process, for tests. */
export const IN_MEMORY = ':memory:';

/** How long another process may have the ledger for itself, as while it makes the tables, in milliseconds. */
const BUSY_MS = 5_000;
const RETRY_MS = 20;

/**
 * Opens or makes the ledger's database in a file that has been looked at (`takeLedgerFile`), for its owner alone, since
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

/**
 * Opens a ledger's database, and sees to it that it is worked on by one name alone: SQLite keeps its log by the name, so
 * that by another one, as by a bind mount of the file, the latest facts would be missing and the locks would not hold.
 * A ledger that was moved or copied gets its new name, once it is sure that nobody has it open by another.
 * @throws LedgerError as `openDatabase` does, LedgerInUseError when the file is, or may be, in use by another name
 */
export function openAtHome(path: string, busyMs?: number): Database.Database {
  const database = openDatabase(path, busyMs);
  if (path === IN_MEMORY) return database;
  const home = homeOf(database);
  if (home === path) return database;
  if (home === null) return withHome(database, path);
  // A connection of this process would stand in the way of having the file alone.
  database.close();
  if (isSameFile(home, path))
    throw new LedgerInUseError(
      `The ledger ${path} is the file ${home} by another name; give that one with --ledger.`,
    );
  refuseOtherUsers(path, home);
  return withHome(openDatabase(path, busyMs), path);
}

function withHome(database: Database.Database, path: string): Database.Database {
  database.prepare("INSERT OR REPLACE INTO ledger (name, value) VALUES ('home', ?)").run(path);
  // Whoever opens the file by another name sees what is in the file itself, not what is in this name's log.
  flush(database);
  return database;
}

function homeOf(database: Database.Database): string | null {
  const row = database
    .prepare<[], { value: string }>("SELECT value FROM ledger WHERE name = 'home'")
    .get();
  return row?.value ?? null;
}

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

/** SQLite's locks go by the file itself: who can have it alone knows that nobody has it open, whatever its name. */
function refuseOtherUsers(path: string, home: string): void {
  const alone = new Database(path, { timeout: 0 });
  try {
    alone.pragma('locking_mode = EXCLUSIVE');
    alone.exec('BEGIN IMMEDIATE');
  } catch (error) {
    if (isBusy(error))
      throw new LedgerInUseError(
        `The ledger ${path} was ${home} before, and another process has it open; wait for it, or stop it and run the same command again.`,
        { cause: error, saysHowToContinue: true },
      );
    throw asLedgerError(error, path);
  } finally {
    alone.close();
  }
}

/** "card" in ASCII: distinguishes a ledger from any other SQLite database (`PRAGMA application_id`). */
export const APPLICATION_ID = 0x63617264;
/** Versions of the tables that were written without an application id. */
export const UNMARKED_VERSIONS: ReadonlySet<number> = new Set([1, 2]);
