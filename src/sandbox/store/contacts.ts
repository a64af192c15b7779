import { contactKey, type ContactKind } from '../contact-key.js';
import type { Contact } from '../validate-client.js';
import type { Db } from './database.js';

type Flag = 0 | 1;
type ContactRow = [number, string, number, string, string, string | null, Flag, Flag];

type HeldContact = Omit<Contact, 'active' | 'disabled'> & {
  readonly active: Flag;
  readonly disabled: Flag;
};

export type ContactStore = ReturnType<typeof contactStore>;

/** Phones, e-mails and addresses of clients, each in the order in which they were given. */
export function contactStore(db: Db) {
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
