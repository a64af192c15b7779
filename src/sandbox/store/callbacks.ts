import type { Db } from './database.js';

export type CallbackStore = ReturnType<typeof callbackStore>;

/** Callbacks of clients in campaigns (interface.md 2.5). */
export function callbackStore(db: Db) {
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
