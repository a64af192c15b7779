import { applicationStore, type ApplicationStore } from './applications.js';
import { callbackStore, type CallbackStore } from './callbacks.js';
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
