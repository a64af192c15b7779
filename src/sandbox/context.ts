import { MESSAGES } from '../contract/shapes.js';
import type { SyncIdentifiers } from '../core/client.js';
import type { Card } from './card.js';
import { conflict, notFound, type Refusal } from './refusal.js';
import type { StoredClient } from './store/clients.js';
import type { Store } from './store/store.js';

/** What every handler works with. */
export interface Context {
  readonly card: Card;
  readonly store: Store;
  readonly clientRoles: readonly number[] | undefined;
  /** Maximum clients in one request of 4.1 and 4.9. */
  readonly clientsPerRequest: number | undefined;
  /** Phone keys that may not be called. */
  readonly blacklist: ReadonlySet<string>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * The client with these identifiers.
 * @throws Refusal when an identifier is missing or blank, or there is no such client that is not deleted
 */
export function needClient(context: Context, identifiers: SyncIdentifiers): StoredClient {
  const { card, store } = context;
  card.needIdentifiers(identifiers);
  const found = store.clients.findByIdentity(card.identity(identifiers));
  if (!found || found.deleted) throw notFound(MESSAGES.noClient(card.describe(identifiers)));
  return found;
}

/** @throws Refusal when there is no such campaign */
export function needCampaign({ store }: Context, campaignId: number): void {
  if (!store.campaigns.has(campaignId)) throw notFound(MESSAGES.noCampaign(campaignId));
}

/** Why identifiers cannot be used: another client has them. */
export function taken(
  { card }: Context,
  deleted: boolean,
  identifiers: Readonly<Record<string, unknown>>,
): Refusal {
  const who = `Client with identifiers: [${card.describe(identifiers)}]`;
  return conflict(deleted ? `${who} is deleted; recovery restores it` : `${who} already exists`);
}
