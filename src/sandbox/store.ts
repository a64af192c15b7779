import {
  isRecord,
  type ValidatedClient,
  contactKey,
  type ContactKind,
  type Contact,
} from './card.js';
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

/** Everything that the sandbox keeps. Statements are prepared once. */
export interface Store {
  readonly clients: ClientStore;
  readonly contacts: ContactStore;
  readonly campaigns: CampaignStore;
  readonly applications: ApplicationStore;
  readonly callbacks: CallbackStore;
  /** Does something whole or, when it throws, not at all. */
  readonly atomically: <T>(work: () => T) => T;
}

export function openStore(db: Db): Store {
  const contacts = contactStore(db);
  return {
    contacts,
    clients: clientStore(db, contacts),
    campaigns: campaignStore(db),
    applications: applicationStore(db),
    callbacks: callbackStore(db),
    atomically: (work) => db.transaction(work)(),
  };
}

type CallbackStore = ReturnType<typeof callbackStore>;

/** Callbacks of clients in campaigns (interface.md 2.5). */
function callbackStore(db: Db) {
  const insert = db.prepare<[number, number, string, 0 | 1]>(
    `INSERT INTO callbacks (campaign_id, client_id, fields, automatic, status)
     VALUES (?, ?, ?, ?, 'NONE')`,
  );
  const removeManual = db.prepare<[number, number]>(
    'DELETE FROM callbacks WHERE campaign_id = ? AND client_id = ? AND automatic = 0',
  );
  const cancelAutomatic = db.prepare<[number, number]>(
    "UPDATE callbacks SET status = 'CANCEL' WHERE campaign_id = ? AND client_id = ?",
  );

  return {
    /** @param fields the callback as it was given, as JSON text */
    add(campaignId: number, clientId: number, fields: string, automatic: boolean): void {
      insert.run(campaignId, clientId, fields, automatic ? 1 : 0);
    },

    /** Deletes the manual callbacks and lets the automatic ones go to CANCEL (interface.md 3). */
    cancel(campaignId: number, clientId: number): void {
      removeManual.run(campaignId, clientId);
      cancelAutomatic.run(campaignId, clientId);
    },
  };
}

/** A client card as it is kept. */
export interface StoredClient {
  readonly id: number;
  readonly type: string;
  readonly timeZone: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly deleted: boolean;
}

/** What `add` came to: the id of the new client, or who holds its identifiers already. */
type Added = { readonly id: number } | { readonly holder: StoredClient };

interface ClientRow {
  id: number;
  type: string;
  time_zone: string;
  fields: string;
  deleted: 0 | 1;
}

type ClientStore = ReturnType<typeof clientStore>;

function clientStore(db: Db, contacts: ContactStore) {
  const columns = 'id, type, time_zone, fields, deleted';
  const byIdentity = db.prepare<[string], ClientRow>(
    `SELECT ${columns} FROM clients WHERE identity = ?`,
  );
  const byId = db.prepare<[number], ClientRow>(`SELECT ${columns} FROM clients WHERE id = ?`);
  const liveId = db
    .prepare<[string], number>('SELECT id FROM clients WHERE identity = ? AND deleted = 0')
    .pluck();
  const insert = db.prepare<[string, number, string, string, string]>(
    `INSERT INTO clients (identity, role_id, type, time_zone, fields) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (identity) DO NOTHING`,
  );
  const replace = db.prepare<[number, string, string, string, number]>(
    'UPDATE clients SET role_id = ?, type = ?, time_zone = ?, fields = ?, deleted = 0 WHERE id = ?',
  );
  const update = db.prepare<[string, string, number]>(
    'UPDATE clients SET identity = ?, fields = ? WHERE id = ?',
  );
  const markDeleted = db.prepare<[number]>('UPDATE clients SET deleted = 1 WHERE id = ?');

  const findByIdentity = (identity: string): StoredClient | undefined =>
    stored(byIdentity.get(identity));

  return {
    findByIdentity,
    findById: (id: number): StoredClient | undefined => stored(byId.get(id)),
    /** Id of a client that is not deleted. */
    findLiveId: (identity: string): number | undefined => liveId.get(identity),

    add(client: ValidatedClient): Added {
      const { identity, clientRoleId, type, timeZone, fields, contacts: all } = client;
      const done = insert.run(identity, clientRoleId, type, timeZone, JSON.stringify(fields));
      if (done.changes === 0) {
        const holder = findByIdentity(identity);
        if (!holder) throw new Error('a client was neither added nor found');
        return { holder };
      }
      const id = Number(done.lastInsertRowid);
      contacts.insertAll(id, all);
      return { id };
    },

    /** Brings a deleted client back under its old id; what is given now goes over what the card held. */
    restore({ id, fields: held }: StoredClient, client: ValidatedClient): void {
      const fields = JSON.stringify({ ...held, ...client.fields });
      replace.run(client.clientRoleId, client.type, client.timeZone, fields, id);
      contacts.putFirst(id, client.contacts);
    },

    setFields(id: number, identity: string, fields: Readonly<Record<string, unknown>>): void {
      update.run(identity, JSON.stringify(fields), id);
    },

    markDeleted(id: number): void {
      markDeleted.run(id);
    },
  };
}

function stored(row: ClientRow | undefined): StoredClient | undefined {
  if (!row) return undefined;
  const fields: unknown = JSON.parse(row.fields);
  return {
    id: row.id,
    type: row.type,
    timeZone: row.time_zone,
    fields: isRecord(fields) ? fields : {},
    deleted: row.deleted === 1,
  };
}

type Flag = 0 | 1;
type ContactRow = [number, string, number, string, string, string | null, Flag, Flag];

type HeldContact = Omit<Contact, 'active' | 'disabled'> & {
  readonly active: Flag;
  readonly disabled: Flag;
};

type ContactStore = ReturnType<typeof contactStore>;

/** Phones, e-mails and addresses of clients, each in the order in which they were given. */
function contactStore(db: Db) {
  const insert = db.prepare<ContactRow>(
    `INSERT INTO contacts (client_id, kind, position, value, key, type, active, disabled)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const all = db.prepare<[number], HeldContact>(
    `SELECT kind, value, key, type, active, disabled FROM contacts WHERE client_id = ?
     ORDER BY position`,
  );
  const remove = db.prepare<[number]>('DELETE FROM contacts WHERE client_id = ?');
  const nextPosition = db
    .prepare<[number, string], number>(
      'SELECT coalesce(max(position) + 1, 0) FROM contacts WHERE client_id = ? AND kind = ?',
    )
    .pluck();
  const find = db
    .prepare<[number, string, string], number>(
      'SELECT 1 FROM contacts WHERE client_id = ? AND kind = ? AND key = ?',
    )
    .pluck();
  const setActive = db.prepare<[Flag, number, string, string]>(
    'UPDATE contacts SET active = ? WHERE client_id = ? AND kind = ? AND key = ?',
  );
  const phoneKeys = db
    .prepare<[number], string>("SELECT key FROM contacts WHERE client_id = ? AND kind = 'phone'")
    .pluck();

  const insertOne = (clientId: number, position: number, contact: Contact): void => {
    const { kind, value, key, type, active, disabled } = contact;
    insert.run(clientId, kind, position, value, key, type, active ? 1 : 0, disabled ? 1 : 0);
  };

  return {
    insertAll(clientId: number, contacts: readonly Contact[]): void {
      contacts.forEach((contact, position) => insertOne(clientId, position, contact));
    },

    /** Gives the client these, before those that it has already and that are not among them. */
    putFirst(clientId: number, contacts: readonly Contact[]): void {
      const given = new Set(contacts.map(({ kind, key }) => `${kind} ${key}`));
      const others = all.all(clientId).filter(({ kind, key }) => !given.has(`${kind} ${key}`));
      remove.run(clientId);
      contacts.forEach((contact, position) => insertOne(clientId, position, contact));
      others.forEach((row, i) => {
        const flags = { active: row.active === 1, disabled: row.disabled === 1 };
        insertOne(clientId, contacts.length + i, { ...row, ...flags });
      });
    },

    /** Whether it was added; `false` when the client has it already. */
    add(clientId: number, kind: ContactKind, value: string, type: string | null): boolean {
      const key = contactKey(kind, value);
      if (find.get(clientId, kind, key) !== undefined) return false;
      const position = nextPosition.get(clientId, kind) ?? 0;
      insertOne(clientId, position, { kind, value, key, type, active: true, disabled: false });
      return true;
    },

    /** Whether the client has it. */
    setActive(clientId: number, kind: ContactKind, value: string, active: boolean): boolean {
      return setActive.run(active ? 1 : 0, clientId, kind, contactKey(kind, value)).changes > 0;
    },

    phoneKeys: (clientId: number): string[] => phoneKeys.all(clientId),
  };
}

/** Campaign states are not shown by the interface; these show what was last asked for. */
export type CampaignState = 'CREATED' | 'STARTED' | 'STOPPED';

export interface StoredCampaign {
  readonly id: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Assignment of a campaign's task to an agent group (interface.md 4.18). */
interface GroupTask {
  readonly groupId: number;
  readonly campaignId: number;
  readonly taskPriority: number;
  readonly userSelectionMode: string;
  readonly previewTimeout: number;
}

type CampaignStore = ReturnType<typeof campaignStore>;

function campaignStore(db: Db) {
  const insert = db.prepare<[string]>(
    "INSERT INTO campaigns (fields, state) VALUES (?, 'CREATED')",
  );
  const find = db.prepare<[number], number>('SELECT 1 FROM campaigns WHERE id = ?').pluck();
  const page = db.prepare<[number, number], { id: number; fields: string }>(
    'SELECT id, fields FROM campaigns ORDER BY id LIMIT ? OFFSET ?',
  );
  const setState = db.prepare<[string, number]>('UPDATE campaigns SET state = ? WHERE id = ?');
  const remove = db.prepare<[number]>('DELETE FROM campaigns WHERE id = ?');
  const assign = db.prepare<[number, number, number, string, number]>(
    'INSERT OR REPLACE INTO group_tasks VALUES (?, ?, ?, ?, ?)',
  );

  return {
    add(fields: Readonly<Record<string, unknown>>): void {
      insert.run(JSON.stringify(fields));
    },

    has: (id: number): boolean => find.get(id) !== undefined,

    page: (limit: number, offset: number): StoredCampaign[] =>
      page.all(limit, offset).map((row) => ({ id: row.id, fields: parsed(row.fields) })),

    /** Whether there is such a campaign. */
    setState: (id: number, state: CampaignState): boolean => setState.run(state, id).changes > 0,

    /** Removes a campaign with its applications, callbacks and assignments. Whether there was one. */
    remove: (id: number): boolean => remove.run(id).changes > 0,

    assign(task: GroupTask): void {
      const { groupId, campaignId, taskPriority, userSelectionMode, previewTimeout } = task;
      assign.run(groupId, campaignId, taskPriority, userSelectionMode, previewTimeout);
    },
  };
}

function parsed(text: string): Record<string, unknown> {
  const fields: unknown = JSON.parse(text);
  return isRecord(fields) ? fields : {};
}

/** A condition on an application `a` of a client `c`, in SQL. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** A call application with the fields of interface.md 2.3; a type, since the contract lets it hold more. */
type StoredApplication = {
  readonly id: number;
  readonly telemarketCampaignId: number;
  readonly maxCallCount: number;
  readonly calledCount: number;
  readonly status: string;
  readonly lastCall: number;
  readonly nextCall: number;
  readonly nextPhoneNumber: string;
  readonly hasRecall: boolean;
};

type ApplicationRow = Omit<StoredApplication, 'hasRecall'> & { readonly hasRecall: 0 | 1 };

/** A callback that still stands makes an application's `hasRecall`; `a` is the application. */
export const HAS_RECALL = `EXISTS (
  SELECT 1 FROM callbacks r
  WHERE r.client_id = a.client_id AND r.campaign_id = a.campaign_id AND r.status <> 'CANCEL')`;

const LIST = `
  SELECT a.id, a.campaign_id AS telemarketCampaignId, a.max_call_count AS maxCallCount,
    a.called_count AS calledCount, a.status, a.last_call AS lastCall, a.next_call AS nextCall,
    (SELECT p.value FROM contacts p WHERE p.client_id = a.client_id AND p.kind = 'phone'
      ORDER BY p.active DESC, p.position LIMIT 1) AS nextPhoneNumber,
    ${HAS_RECALL} AS hasRecall
  FROM applications a WHERE a.client_id = ? ORDER BY a.id`;

// CROSS JOIN keeps the order of the tables: from the few phones of the client, never from the whole campaign.
const SHARED_PHONE = `
  SELECT 1 FROM contacts mine
  CROSS JOIN contacts other
    ON other.kind = 'phone' AND other.key = mine.key AND other.client_id <> mine.client_id
  CROSS JOIN applications a ON a.campaign_id = ? AND a.client_id = other.client_id
  CROSS JOIN clients c ON c.id = other.client_id AND c.deleted = 0
  WHERE mine.client_id = ? AND mine.kind = 'phone' LIMIT 1`;

type ApplicationStore = ReturnType<typeof applicationStore>;

function applicationStore(db: Db) {
  const insert = db.prepare<[number, number, number, number]>(
    `INSERT INTO applications (campaign_id, client_id, max_call_count, next_call) VALUES (?, ?, ?, ?)`,
  );
  const find = db
    .prepare<[number, number], number>(
      'SELECT 1 FROM applications WHERE campaign_id = ? AND client_id = ?',
    )
    .pluck();
  const sharedPhone = db.prepare<[number, number], number>(SHARED_PHONE).pluck();
  const list = db.prepare<[number], ApplicationRow>(LIST);
  const remove = db.prepare<[number, number]>(
    'DELETE FROM applications WHERE campaign_id = ? AND client_id = ?',
  );

  return {
    /** @param due when the client may be called, in milliseconds since the epoch */
    add(campaignId: number, clientId: number, maxCallCount: number, due: number): void {
      insert.run(campaignId, clientId, maxCallCount, due);
    },

    has: (campaignId: number, clientId: number): boolean =>
      find.get(campaignId, clientId) !== undefined,

    /** Whether another client of the campaign has one of the client's phones. */
    sharesPhone: (campaignId: number, clientId: number): boolean =>
      sharedPhone.get(campaignId, clientId) !== undefined,

    ofClient: (clientId: number): StoredApplication[] =>
      list.all(clientId).map((row) => ({ ...row, hasRecall: row.hasRecall === 1 })),

    /** Whether there was one. */
    remove: (campaignId: number, clientId: number): boolean =>
      remove.run(campaignId, clientId).changes > 0,

    /** Removes the applications of a campaign that meet every condition. */
    removeWhere(campaignId: number, conditions: readonly Condition[]): void {
      const where = conditions.map(({ sql }) => `(${sql})`).join(' AND ');
      db.prepare(
        `DELETE FROM applications WHERE campaign_id = ? AND id IN (
           SELECT a.id FROM applications a JOIN clients c ON c.id = a.client_id
           WHERE a.campaign_id = ? AND ${where})`,
      ).run(campaignId, campaignId, ...conditions.flatMap(({ values }) => values));
    },
  };
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
