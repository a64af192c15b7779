import Database from 'better-sqlite3';

/** A client as the sandbox's own file has it, without ids, which depend on who came first. */
export interface BookedClient {
  readonly id: number;
  readonly offerId: number;
  readonly deleted: boolean;
  /** Everything else, to be compared. */
  readonly card: string;
  readonly contacts: readonly string[];
  /** Campaign and most calls of each call application. */
  readonly applications: readonly string[];
  readonly callbacks: readonly string[];
}

/** Clients by `offerId`. */
export type Books = Map<number, BookedClient>;

interface ClientRow {
  readonly id: number;
  readonly role_id: number;
  readonly type: string;
  readonly time_zone: string;
  readonly fields: string;
  readonly deleted: 0 | 1;
}

/** Reads the sandbox's own file: neither the product's client nor the sandbox's server stands between. */
export function readBooks(file: string): Books {
  const database = new Database(file, { readonly: true });
  try {
    const grouped = (sql: string): Map<number, string[]> => {
      const groups = new Map<number, string[]>();
      for (const { client_id: id, text } of database
        .prepare<[], { client_id: number; text: string }>(sql)
        .iterate()) {
        const group = groups.get(id);
        if (group) group.push(text);
        else groups.set(id, [text]);
      }
      return groups;
    };
    const contacts = grouped(
      `SELECT client_id, kind || ' ' || key || ' ' || coalesce(type, '') || ' ' || active || disabled AS text
       FROM contacts ORDER BY client_id, kind, position`,
    );
    const applications = grouped(
      `SELECT client_id, campaign_id || ' ' || max_call_count || ' ' || status AS text
       FROM applications ORDER BY client_id, campaign_id`,
    );
    const callbacks = grouped(
      `SELECT client_id, campaign_id || ' ' || fields || ' ' || status AS text
       FROM callbacks ORDER BY client_id, text`,
    );
    const books: Books = new Map();
    for (const row of database.prepare<[], ClientRow>('SELECT * FROM clients').iterate()) {
      const { id, role_id: role, type, time_zone: zone, deleted } = row;
      const { offerId, ...fields } = JSON.parse(row.fields) as Record<string, unknown>;
      books.set(Number(offerId), {
        id,
        offerId: Number(offerId),
        deleted: deleted === 1,
        card: JSON.stringify([role, type, zone, sorted(fields)]),
        contacts: contacts.get(id) ?? [],
        applications: applications.get(id) ?? [],
        callbacks: callbacks.get(id) ?? [],
      });
    }
    return books;
  } finally {
    database.close();
  }
}

/** A field that is null is unset. */
function sorted(fields: Record<string, unknown>): [string, unknown][] {
  return Object.entries(fields)
    .filter(([, value]) => value !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** A copy of a sandbox's database, whose server has been stopped. */
export function copyBooks(from: string, to: string): void {
  const database = new Database(from);
  database.prepare('VACUUM INTO ?').run(to);
  database.close();
}

/** How clients differ between two books: one line for each, in order. `live`: deleted clients count as absent. */
export function differences(
  one: Books,
  other: Books,
  { from = 0, to = Infinity, live = false } = {},
): Map<number, string> {
  const found = new Map<number, string>();
  for (const offerId of [...new Set([...one.keys(), ...other.keys()])].sort((a, b) => a - b)) {
    if (offerId < from || offerId >= to) continue;
    const [a, b] = [one.get(offerId), other.get(offerId)].map((client) => shown(client, live));
    if (a !== b) found.set(offerId, `${a ?? ''} | ${b ?? ''}`);
  }
  return found;
}

function shown(client: BookedClient | undefined, live: boolean): string {
  if (!client || (live && client.deleted)) return 'absent';
  const { id: _, ...rest } = client;
  return JSON.stringify(rest);
}
