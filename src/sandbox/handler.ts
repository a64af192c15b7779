import { z } from 'zod';
import {
  type OperationInput,
  type OperationName,
  type OperationOutput,
  operations,
} from '../contract/operations.js';
import { type Refusal, type Card, conflict, notFound } from './card.js';
import { MESSAGES } from '../contract/shapes.js';
import type { SyncIdentifiers } from '../core/client.js';
import type { StoredClient, Store } from './store.js';

/** Bodies of the operations that validate each client by itself: only the frame is checked for the whole request. */
export const FRAMES = {
  addClients: z.object({
    clients: z.array(z.unknown()),
    recovery: operations.addClients.body.shape.recovery,
  }),
  addApplications: operations.addApplications.body.extend({ clients: z.array(z.unknown()) }),
} as const satisfies Partial<Record<OperationName, z.ZodType>>;

type Frames = typeof FRAMES;

/** What a handler is given: the checked parameters, query and body of its operation. */
export type HandlerInput<N extends OperationName> = N extends keyof Frames
  ? Omit<OperationInput<N>, 'body'> & { body: z.output<Frames[N]> }
  : OperationInput<N>;

/**
 * Carries out an operation. What it does is kept when it returns, a `Refusal` included, and undone when it throws.
 * `undefined` becomes the operation's acknowledgement.
 */
type Handler<N extends OperationName> = (input: HandlerInput<N>) => OperationOutput<N> | Refusal;

export type Handlers = { readonly [N in OperationName]: Handler<N> };

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
