import type { Db } from './database.js';

/** A condition on an application `a` of a client `c`, in SQL. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

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

export type ApplicationStore = ReturnType<typeof applicationStore>;

export function applicationStore(db: Db) {
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
