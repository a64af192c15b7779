import type { Delivery } from '../core/delivery.js';
import type { ContactCenter } from './contact-center.js';

/** The import's way to a contact center: bodies that are JSON already, and only what it needs of the answers. */
export function createDelivery(center: Pick<ContactCenter, 'sendPrepared'>): Delivery {
  return {
    addClients: async (body, signal) =>
      (await center.sendPrepared('addClients', {}, body, { signal })).createResult,
    addApplications: async (campaignId, body, signal) => {
      const params = { campaigId: campaignId };
      return (
        (await center.sendPrepared('addApplications', { params }, body, { signal })).errors ?? []
      );
    },
  };
}
