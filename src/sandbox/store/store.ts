import { applicationStore, type ApplicationStore } from './applications.js';
import { campaignStore, type CampaignStore } from './campaigns.js';
import { clientStore, type ClientStore } from './clients.js';
import { contactStore, type ContactStore } from './contacts.js';
import type { Db } from './database.js';

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
