import type { z } from 'zod';
import { FILTER_VALUES, type criterion } from '../contract/operations.js';
import {
  type Card,
  type Contact,
  contactKey,
  exactNumber,
  invalid,
  type ValidatedClient,
} from './card.js';
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
  placeProblem,
} from '../files/regular-file.js';

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

/** A callback that still stands makes an application's `hasRecall`; `a` is the application. */
const HAS_RECALL = `EXISTS (
  SELECT 1 FROM callbacks r
  WHERE r.client_id = a.client_id AND r.campaign_id = a.campaign_id AND r.status <> 'CANCEL')`;

/** A call application with the fields of interface.md 2.3; a type, since the contract lets it hold more. */
export type StoredApplication = {
  readonly id: number;
  readonly telemarketCampaignId: number;
  readonly maxCallCount: number;
  readonly calledCount: number;
  readonly status: string;
  readonly lastCall: number;
  readonly nextCall: number;
  readonly nextPhoneNumber: string;
  readonly hasRecall: 0 | 1;
};

/** What handlers ask for and change, by what it is. */
export const SQL = {
  campaign: 'SELECT 1 FROM campaigns WHERE id = ?',
  campaigns: 'SELECT id, fields FROM campaigns ORDER BY id LIMIT ? OFFSET ?',
  addCampaign: "INSERT INTO campaigns (fields, state) VALUES (?, 'CREATED')",
  deleteCampaign: 'DELETE FROM campaigns WHERE id = ?',
  setState: 'UPDATE campaigns SET state = ? WHERE id = ?',
  assignTask: 'INSERT OR REPLACE INTO group_tasks VALUES (?, ?, ?, ?, ?)',
  changeClient: 'UPDATE clients SET identity = ?, fields = ? WHERE id = ?',
  deleteClient: 'UPDATE clients SET deleted = 1 WHERE id = ?',
  contacts: 'SELECT position, key FROM contacts WHERE client_id = ? AND kind = ? ORDER BY position',
  setActive: 'UPDATE contacts SET active = ? WHERE client_id = ? AND kind = ? AND key = ?',
  application: 'SELECT 1 FROM applications WHERE campaign_id = ? AND client_id = ?',
  applications: `
  SELECT a.id, a.campaign_id AS telemarketCampaignId, a.max_call_count AS maxCallCount,
    a.called_count AS calledCount, a.status, a.last_call AS lastCall, a.next_call AS nextCall,
    (SELECT p.value FROM contacts p WHERE p.client_id = a.client_id AND p.kind = 'phone'
      ORDER BY p.active DESC, p.position LIMIT 1) AS nextPhoneNumber,
    ${HAS_RECALL} AS hasRecall
  FROM applications a WHERE a.client_id = ? ORDER BY a.id`,
  addApplication:
    'INSERT INTO applications (campaign_id, client_id, max_call_count, next_call) VALUES (?, ?, ?, ?)',
  removeApplication: 'DELETE FROM applications WHERE campaign_id = ? AND client_id = ?',
  // CROSS JOIN keeps the order of the tables: from the few phones of the client, never from the whole campaign.
  sharedPhone: `
  SELECT 1 FROM contacts mine
  CROSS JOIN contacts other
    ON other.kind = 'phone' AND other.key = mine.key AND other.client_id <> mine.client_id
  CROSS JOIN applications a ON a.campaign_id = ? AND a.client_id = other.client_id
  CROSS JOIN clients c ON c.id = other.client_id AND c.deleted = 0
  WHERE mine.client_id = ? AND mine.kind = 'phone' LIMIT 1`,
  addCallback: `INSERT INTO callbacks (campaign_id, client_id, fields, automatic, status)
    VALUES (?, ?, ?, ?, 'NONE')`,
  deleteCallbacks:
    'DELETE FROM callbacks WHERE campaign_id = ? AND client_id = ? AND automatic = 0',
  cancelCallbacks: "UPDATE callbacks SET status = 'CANCEL' WHERE campaign_id = ? AND client_id = ?",
} as const;

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

  /** Removes the applications of a campaign that fit all criteria. @throws Refusal as `conditionOf` does */
  removeApplications(campaignId: number, criteria: readonly Criterion[], card: Card): void {
    const conditions = criteria.map((criterion) => conditionOf(criterion, card));
    const where = conditions.map(({ sql }) => `(${sql})`).join(' AND ');
    // Not kept: it hardly comes a second time.
    const statement = this.db.prepare<Value[]>(
      `DELETE FROM applications WHERE campaign_id = ? AND id IN (
         SELECT a.id FROM applications a JOIN clients c ON c.id = a.client_id
         WHERE a.campaign_id = ? AND ${where})`,
    );
    statement.run(campaignId, campaignId, ...conditions.flatMap(({ values }) => values));
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

// The filters of interface.md 4.11 as SQL conditions.

type Criterion = z.output<typeof criterion>;

/** A condition on an application `a` of a client `c`, in SQL. */
interface Condition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** Where the values of the keys with fixed values lie. */
const FIXED_COLUMNS = {
  'application.status': 'a.status',
  'application.ccprojectCallStatus': 'a.ccproject_call_status',
  'ts.clientCallStatus': 'a.client_call_status',
  'application.hasRecall': `CASE WHEN ${HAS_RECALL} THEN 'true' ELSE 'false' END`,
} as const satisfies Record<keyof typeof FILTER_VALUES, string>;

const CARD_VALUE = '(SELECT j.value FROM json_each(c.fields) j WHERE j.key = ?)';

/**
 * The condition that a criterion means. A card field wins over `id`, the internal client id.
 * @throws Refusal for a key that does not exist or a value that it cannot have
 */
function conditionOf(criterion: Criterion, card: Card): Condition {
  const { key } = criterion;
  const field = card.field(key);
  if (field) {
    const value = field.type === 'Number' ? numberFor(criterion) : String(criterion.value);
    return compare(CARD_VALUE, [key], criterion, value);
  }
  if (key === 'phones.phoneNumber') return onPhones(criterion);
  if (key === 'id') return compare('c.id', [], criterion, numberFor(criterion));
  if (isFixed(key)) return onFixed(criterion, key);
  throw invalid(`Filter key [${key}] is not known.`);
}

const isFixed = (key: string): key is keyof typeof FILTER_VALUES =>
  Object.hasOwn(FILTER_VALUES, key);

function onFixed(criterion: Criterion, key: keyof typeof FILTER_VALUES): Condition {
  const allowed: readonly string[] = FILTER_VALUES[key];
  const value = String(criterion.value);
  if (!allowed.includes(value)) {
    throw invalid(`Filter value of [${key}] must be one of ${allowed.join(', ')}.`);
  }
  return compare(FIXED_COLUMNS[key], [], criterion, value);
}

/** The value for a numeric key; a part of its digits will do for LIKE. */
function numberFor({ key, value, operator }: Criterion): string | number {
  if (operator !== '=') return String(value);
  const number = exactNumber(value);
  if (number === undefined) throw invalid(`Filter value of [${key}] must be a number.`);
  return number;
}

/** Any phone of the client counts: `NOT LIKE` holds when none of them is like the value. */
function onPhones({ value, operator }: Criterion): Condition {
  const text = String(value);
  const any = (sql: string): string =>
    `EXISTS (SELECT 1 FROM contacts p WHERE p.client_id = c.id AND p.kind = 'phone' AND ${sql})`;
  if (operator === '=') return { sql: any('p.key = ?'), values: [contactKey('phone', text)] };
  // As it was written, and by its digits alone: +7 (916) is like 7916.
  const sql = any('(p.value GLOB ? OR p.key GLOB ?)');
  return { sql: operator === 'LIKE' ? sql : `NOT ${sql}`, values: [globOf(text), globOf(text)] };
}

/** A value that is not there is like nothing. */
function compare(
  column: string,
  columnValues: readonly string[],
  { operator }: Criterion,
  value: string | number,
): Condition {
  if (operator === '=') return { sql: `${column} = ?`, values: [...columnValues, value] };
  const like = `coalesce(CAST(${column} AS TEXT), '') GLOB ?`;
  const sql = operator === 'LIKE' ? like : `NOT (${like})`;
  return { sql, values: [...columnValues, globOf(String(value))] };
}

/** `LIKE` means: contains; with `%` in the value: the pattern it is in SQL. GLOB minds case in every alphabet. */
function globOf(text: string): string {
  const escaped = text.replace(/[*?[]/g, '[$&]');
  return escaped.includes('%') ? escaped.replaceAll('%', '*') : `*${escaped}*`;
}
