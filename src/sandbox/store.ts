import type { ValidatedClient, Contact } from './card.js';
import { isRecord } from '../core/text.js';
import { chmodSync, closeSync, existsSync, readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { dirname } from 'node:path';
import { codeOf, UsageError } from '../core/errors.js';
import {
  makeFolder,
  openToAppend,
  refuseOtherPlace,
  NotRegularError,
} from '../files/regular-file.js';
import { placeProblem } from '../files/place.js';

/** A client card as it is kept. */
export interface StoredClient {
  readonly id: number;
  readonly type: string;
  readonly timeZone: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly deleted: boolean;
}

interface ClientRow extends Omit<StoredClient, 'fields' | 'deleted'> {
  readonly fields: string;
  readonly deleted: 0 | 1;
}

type HeldContact = Omit<Contact, 'active' | 'disabled'> & {
  readonly active: 0 | 1;
  readonly disabled: 0 | 1;
};

type Value = string | number | null;

const INSERT_CLIENT = `
  INSERT INTO clients (identity, role_id, type, time_zone, fields) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (identity) DO NOTHING`;

const INSERT_CONTACT = `
  INSERT INTO contacts (client_id, kind, position, value, key, type, active, disabled)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

/** What the sandbox keeps, by statements that are prepared once, and the clients in it. */
export class Store {
  readonly #statements = new Map<string, Database.Statement<Value[]>>();

  constructor(private readonly db: Db) {}

  /** Does something whole or, when it throws, not at all. */
  atomically<T>(work: () => T): T {
    return this.db.transaction(work)();
  }

  /** Resolves with the number of rows that changed, and the id of the last one that was added. */
  run(sql: string, ...values: Value[]): Database.RunResult {
    return this.#prepared(sql).run(...values);
  }

  /** Like `run`, for a statement that hardly comes a second time. */
  runOnce(sql: string, ...values: Value[]): void {
    this.db.prepare(sql).run(...values);
  }

  /** The rows that a statement gives; `Row` is what it selects. */
  all<Row>(sql: string, ...values: Value[]): Row[] {
    return this.#prepared(sql).all(...values) as Row[];
  }

  has(sql: string, ...values: Value[]): boolean {
    return this.#prepared(sql).get(...values) !== undefined;
  }

  client(by: 'id' | 'identity', value: number | string): StoredClient | undefined {
    const [row] = this.all<ClientRow>(
      `SELECT id, type, time_zone AS timeZone, fields, deleted FROM clients WHERE ${by} = ?`,
      value,
    );
    return row && { ...row, fields: parsed(row.fields), deleted: row.deleted === 1 };
  }

  liveId(identity: string): number | undefined {
    const sql = 'SELECT id FROM clients WHERE identity = ? AND deleted = 0';
    return this.all<{ id: number }>(sql, identity)[0]?.id;
  }

  /** The id of the new client; `undefined`: another one has its identifiers. */
  addClient(client: ValidatedClient): number | undefined {
    const { identity, clientRoleId, type, timeZone, fields, contacts } = client;
    const text = JSON.stringify(fields);
    const done = this.run(INSERT_CLIENT, identity, clientRoleId, type, timeZone, text);
    if (done.changes === 0) return undefined;
    const id = Number(done.lastInsertRowid);
    contacts.forEach((contact, position) => this.addContact(id, position, contact));
    return id;
  }

  /**
   * Brings a deleted client back under its old id; what is given now goes over what the card held, and contacts before
   * those that it had.
   */
  restoreClient({ id, fields: held }: StoredClient, client: ValidatedClient): void {
    const { clientRoleId, type, timeZone, contacts } = client;
    const fields = JSON.stringify({ ...held, ...client.fields });
    this.run(
      'UPDATE clients SET role_id = ?, type = ?, time_zone = ?, fields = ?, deleted = 0 WHERE id = ?',
      ...[clientRoleId, type, timeZone, fields, id],
    );
    const given = new Set(contacts.map(({ kind, key }) => `${kind} ${key}`));
    const others = this.all<HeldContact>(
      `SELECT kind, value, key, type, active, disabled FROM contacts WHERE client_id = ?
       ORDER BY position`,
      id,
    ).filter(({ kind, key }) => !given.has(`${kind} ${key}`));
    this.run('DELETE FROM contacts WHERE client_id = ?', id);
    const all = others.map((row) => ({
      ...row,
      ...{ active: row.active === 1, disabled: row.disabled === 1 },
    }));
    [...contacts, ...all].forEach((contact, position) => this.addContact(id, position, contact));
  }

  addContact(clientId: number, position: number, contact: Contact): void {
    const { kind, value, key, type, active, disabled } = contact;
    const flags = [active ? 1 : 0, disabled ? 1 : 0];
    this.run(INSERT_CONTACT, clientId, kind, position, value, key, type, ...flags);
  }

  #prepared(sql: string): Database.Statement<Value[]> {
    let known = this.#statements.get(sql);
    if (!known) this.#statements.set(sql, (known = this.db.prepare<Value[]>(sql)));
    return known;
  }
}

/** Fields of a client or a campaign, as they are kept. */
export function parsed(text: string): Record<string, unknown> {
  const fields: unknown = JSON.parse(text);
  return isRecord(fields) ? fields : {};
}

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

type Db = Database.Database;

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
    const why = placeProblem(file, 'sandbox') ?? `cannot be used: ${error.message}`;
    throw new UsageError(`The sandbox's database ${file} ${why}`, { cause: error });
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
    db.exec(readFileSync(new URL('./data/sandbox.sql', import.meta.url), 'utf8'));
    db.prepare("INSERT INTO meta (name, value) VALUES ('identifiers', ?)").run(identifiers);
    db.pragma(`user_version = ${SCHEMA_VERSION}`);
  }).immediate();
}

/** Writes the journal back into the file and closes it. */
export function closeDatabase(db: Db): void {
  try {
    db.pragma('wal_checkpoint(TRUNCATE)');
  } catch (error) {
    // Where the disk is full, the journal stays beside the file and is read with it the next time.
    if (codeOf(error) !== 'SQLITE_FULL') throw error;
  } finally {
    db.close();
  }
}

/** Raised when the tables change; a database of another version is refused. */
const SCHEMA_VERSION = 1;
