import { MESSAGES } from '../../contract/shapes.js';
import { needCampaign, needClient, type Context } from '../context.js';
import { conditionOf } from '../filters.js';
import type { Handlers } from '../handler.js';
import { invalid, notFound } from '../refusal.js';

/** 4.10 to 4.12: call applications that exist. */
export function applicationHandlers(
  context: Context,
): Pick<Handlers, 'removeApplication' | 'removeApplications' | 'listApplications'> {
  const { card, store } = context;
  return {
    removeApplication: ({ params: { campaignId }, body }) => {
      needCampaign(context, campaignId);
      const { id } = needClient(context, body.clientIdentifiers);
      if (!store.applications.remove(campaignId, id)) {
        throw notFound(MESSAGES.callbackClientAbsent);
      }
      if (body.cancelCallbacks) store.callbacks.cancel(campaignId, id);
      return undefined;
    },

    removeApplications: ({ params: { campaignId }, body }) => {
      needCampaign(context, campaignId);
      // Without a criterion every application would go: more likely by mistake than on purpose.
      if (body.criteria.length === 0) throw invalid(MESSAGES.fieldRequired('criteria'));
      const conditions = body.criteria.map((criterion) => conditionOf(criterion, card));
      store.applications.removeWhere(campaignId, conditions);
      return undefined;
    },

    listApplications: ({ query }) => store.applications.ofClient(needClient(context, query).id),
  };
}
