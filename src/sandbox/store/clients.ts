import { isRecord } from '../validate-value.js';
import type { ValidatedClient } from '../validate-client.js';
import type { ContactStore } from './contacts.js';
import type { Db } from './database.js';

/** A client card as it is kept. */
export interface StoredClient {
  readonly id: number;
  readonly type: string;
  readonly timeZone: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly deleted: boolean;
}

/** What `add` came to: the id of the new client, or who holds its identifiers already. */
export type Added = { readonly id: number } | { readonly holder: StoredClient };

interface ClientRow {
  id: number;
  type: string;
  time_zone: string;
  fields: string;
  deleted: 0 | 1;
}

export type ClientStore = ReturnType<typeof clientStore>;

export function clientStore(db: Db, contacts: ContactStore) {
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
