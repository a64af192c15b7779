import { MESSAGES } from '../../contract/shapes.js';
import type { EnqueueError } from '../../core/center.js';
import { needCampaign, type Context } from '../context.js';
import type { HandlerInput, Handlers } from '../handler.js';
import { isRecord } from '../validate-value.js';
import { withinClientLimit } from '../limits.js';
import { Refusal } from '../refusal.js';

type Input = HandlerInput<'addApplications'>;

/** 4.9: each client is added or refused by itself; the answer names those that were refused. */
export function addApplicationsHandler(context: Context): Pick<Handlers, 'addApplications'> {
  return {
    addApplications: ({ params, body }) => {
      withinClientLimit(context, body.clients);
      needCampaign(context, params.campaigId);
      const errors = body.clients
        .map((client) => errorOf(context, identifiersOf(client), params.campaigId, body))
        .filter((error) => error !== undefined);
      if (errors.length === 0) return {};
      return new Refusal(400, 'Some clients were not added', { errors });
    },
  };
}

function errorOf(
  context: Context,
  clientIdentifiers: Record<string, unknown>,
  campaignId: number,
  body: Input['body'],
): EnqueueError | undefined {
  const errorMessage = addOne(context, clientIdentifiers, campaignId, body);
  return errorMessage === undefined ? undefined : { clientIdentifiers, errorMessage };
}

/** Why the client could not be added; `undefined` when it was. */
function addOne(
  { card, store, blacklist, now }: Context,
  identifiers: Record<string, unknown>,
  campaignId: number,
  { maxCallCount, disableDuplicatePhonesValidation }: Input['body'],
): string | undefined {
  const id = store.clients.findLiveId(card.identity(identifiers));
  if (id === undefined) return MESSAGES.noSuchClient;
  if (store.applications.has(campaignId, id)) return MESSAGES.alreadyInCampaign;
  if (blacklist.size > 0 && store.contacts.phoneKeys(id).some((key) => blacklist.has(key))) {
    return MESSAGES.blacklisted;
  }
  if (
    disableDuplicatePhonesValidation === false &&
    store.applications.sharesPhone(campaignId, id)
  ) {
    return MESSAGES.alreadyInCampaign;
  }
  store.applications.add(campaignId, id, maxCallCount, now());
  return undefined;
}

/** The identifiers as they were sent; an element without any stands for a client that does not exist. */
function identifiersOf(client: unknown): Record<string, unknown> {
  return isRecord(client) && isRecord(client.clientIdentifiers) ? client.clientIdentifiers : {};
}
