import { MESSAGES } from '../../contract/shapes.js';
import type { Context } from '../context.js';
import type { Handlers } from '../handler.js';
import { invalid, notFound } from '../refusal.js';

/** 4.20: callbacks. One that stands sets `hasRecall` of its call application. */
export function callbackHandlers({ card, store, now }: Context): Pick<Handlers, 'createCallback'> {
  return {
    createCallback: ({ body }) => {
      const { campaignId, clientIdentifiers, callAt, callAutomatically } = body;
      card.needIdentifiers(clientIdentifiers);
      if (!store.campaigns.has(campaignId)) throw notFound(MESSAGES.callbackCampaignUnknown);
      const clientId = store.clients.findLiveId(card.identity(clientIdentifiers));
      if (clientId === undefined || !store.applications.has(campaignId, clientId)) {
        throw notFound(MESSAGES.callbackClientAbsent);
      }
      if (Date.parse(callAt) <= now()) throw invalid(MESSAGES.callAtNotInFuture);
      store.callbacks.add(campaignId, clientId, JSON.stringify(body), callAutomatically);
      return body;
    },
  };
}
