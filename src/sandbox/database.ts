import { existsSync, chmodSync, closeSync } from 'node:fs';
import Database from 'better-sqlite3';
import { dirname } from 'node:path';
import { UsageError } from '../core/errors.js';
import {
  makeFolder,
  openToAppend,
  refuseOtherPlace,
  NotRegularError,
} from '../files/regular-file.js';

/** Whether a file is a database of the sandbox whose clients have other identifiers. What is none is for others to refuse. */
export function isOfOthers(file: string, identifiers: string): boolean {
  if (!existsSync(file)) return false;
  try {
    const db = new Database(file, { readonly: true });
    try {
      const kept = keptIdentifiers(db);
      return kept !== undefined && kept !== identifiers;
    } finally {
      db.close();
    }
  } catch (error) {
    if (error instanceof Database.SqliteError) return false;
    throw error;
  }
}

export type Db = Database.Database;

/**
 * Opens the sandbox's database, or makes it, with its folder; its owner alone may read it. In WAL mode with `synchronous=NORMAL` everything answered for survives
 * the end of the process, kill -9 included; only a power failure may lose the last moments, never tear the file.
 * @param identifiers what identifies a client; a database made for other identifiers is refused
 * @throws UsageError when the file cannot be used
 */
export function openDatabase(file: string, identifiers: string): Db {
  let db: Db | undefined;
  try {
    if (file !== ':memory:') makePrivateFile(file);
    db = new Database(file);
    refuseForeign(db, file, identifiers);
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = NORMAL');
    db.pragma('foreign_keys = ON');
    db.pragma('cache_size = -65536');
    // Ten times the usual: an import writes the same pages over and over between two checkpoints.
    db.pragma('wal_autocheckpoint = 10000');
    if (isNew(db)) createTables(db, identifiers);
    refuseForeign(db, file, identifiers);
    closeToOthers(file);
    return db;
  } catch (error) {
    db?.close();
    if (!isOfTheFile(error)) throw error;
    throw new UsageError(`The sandbox's database ${file} cannot be used: ${error.message}`, {
      cause: error,
    });
  }
}

/** What SQLite puts beside a database, with the mode of the database. */
const BESIDE = ['-wal', '-shm', '-journal'];

/** Makes the file unless it is there. What a link leads to, or whatever else is no file, is not touched. */
function makePrivateFile(file: string): void {
  makeFolder(dirname(file));
  for (const end of BESIDE) refuseOtherPlace(`${file}${end}`);
  closeSync(openToAppend(file));
}

/** A database that was made with another mode holds people's data, too. */
function closeToOthers(file: string): void {
  for (const each of [file, ...BESIDE.map((end) => `${file}${end}`)])
    if (existsSync(each)) chmodSync(each, 0o600);
}

/** Whether it is an error of SQLite or of the file system. */
function isOfTheFile(error: unknown): error is Error {
  if (error instanceof Database.SqliteError || error instanceof TypeError) return true;
  if (error instanceof NotRegularError) return true;
  return error instanceof Error && 'syscall' in error;
}

function isNew(db: Db): boolean {
  const tables = db.prepare<[], number>('SELECT count(*) FROM sqlite_schema').pluck().get();
  return db.pragma('user_version', { simple: true }) === 0 && tables === 0;
}

/** What identifies the clients of a database; `undefined` where it is none of this version of the sandbox. */
function keptIdentifiers(db: Db): string | undefined {
  if (db.pragma('user_version', { simple: true }) !== SCHEMA_VERSION) return undefined;
  return db.prepare<[], string>("SELECT value FROM meta WHERE name = 'identifiers'").pluck().get();
}

/** Only reads: a database that is not the sandbox's stays as it is. */
function refuseForeign(db: Db, file: string, identifiers: string): void {
  if (isNew(db)) return;
  if (db.pragma('user_version', { simple: true }) !== SCHEMA_VERSION) {
    throw new UsageError(
      `${file} is not a database of this version of the sandbox; choose another file.`,
    );
  }
  const kept = keptIdentifiers(db);
  if (kept !== identifiers) {
    throw new UsageError(
      `${file} was made with the synchronization identifiers ${kept ?? '(none)'}, the installation now has ` +
        `${identifiers}; choose another file, or give the installation its old identifiers back.`,
    );
  }
}

/** Makes the tables unless they are there: of two who begin at the same moment, one waits for the other. */
function createTables(db: Db, identifiers: string): void {
  db.transaction(() => {
    if (!isNew(db)) return;
    db.exec(SCHEMA);
    db.prepare("INSERT INTO meta (name, value) VALUES ('identifiers', ?)").run(identifiers);
    db.pragma(`user_version = ${SCHEMA_VERSION}`);
  }).immediate();
}

/** Writes the journal back into the file and closes it. */
export function closeDatabase(db: Db): void {
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

/** Raised when the tables change; a database of another version is refused. */
const SCHEMA_VERSION = 1;

/**
 * Clients are never removed, only marked, so their ids are never used twice; campaigns and applications are, hence
 * AUTOINCREMENT. A callback belongs to a client in a campaign, so that it can outlive its call application (4.10).
 */
const SCHEMA = `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

  CREATE TABLE clients (
    id INTEGER PRIMARY KEY,
    identity TEXT NOT NULL UNIQUE,
    role_id INTEGER NOT NULL,
    type TEXT NOT NULL,
    time_zone TEXT NOT NULL,
    fields TEXT NOT NULL,
    deleted INTEGER NOT NULL DEFAULT 0
  );

  CREATE TABLE contacts (
    client_id INTEGER NOT NULL REFERENCES clients (id),
    kind TEXT NOT NULL,
    position INTEGER NOT NULL,
    value TEXT NOT NULL,
    key TEXT NOT NULL,
    type TEXT,
    active INTEGER NOT NULL,
    disabled INTEGER NOT NULL,
    PRIMARY KEY (client_id, kind, position)
  ) WITHOUT ROWID;
  CREATE INDEX contacts_by_phone ON contacts (key) WHERE kind = 'phone';

  CREATE TABLE campaigns (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    fields TEXT NOT NULL,
    state TEXT NOT NULL
  );

  CREATE TABLE applications (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    campaign_id INTEGER NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    client_id INTEGER NOT NULL REFERENCES clients (id),
    max_call_count INTEGER NOT NULL,
    called_count INTEGER NOT NULL DEFAULT 0,
    status TEXT NOT NULL DEFAULT 'NONE',
    last_call INTEGER NOT NULL DEFAULT 0,
    next_call INTEGER NOT NULL,
    ccproject_call_status TEXT,
    client_call_status TEXT,
    UNIQUE (campaign_id, client_id)
  );
  CREATE INDEX applications_by_client ON applications (client_id);

  CREATE TABLE callbacks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    campaign_id INTEGER NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    client_id INTEGER NOT NULL REFERENCES clients (id),
    fields TEXT NOT NULL,
    automatic INTEGER NOT NULL,
    status TEXT NOT NULL
  );
  CREATE INDEX callbacks_by_client ON callbacks (client_id, campaign_id);
  CREATE INDEX callbacks_by_campaign ON callbacks (campaign_id);

  CREATE TABLE group_tasks (
    group_id INTEGER NOT NULL,
    campaign_id INTEGER NOT NULL REFERENCES campaigns (id) ON DELETE CASCADE,
    task_priority INTEGER NOT NULL,
    user_selection_mode TEXT NOT NULL,
    preview_timeout INTEGER NOT NULL,
    PRIMARY KEY (group_id, campaign_id)
  ) WITHOUT ROWID;
  CREATE INDEX group_tasks_by_campaign ON group_tasks (campaign_id);
`;
