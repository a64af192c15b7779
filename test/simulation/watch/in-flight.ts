import type { Request } from '../network.js';
import type { Sight, Watcher } from './watcher.js';

/** No more requests than allowed are in flight, and no client is in two of them. */
export function watchInFlight({ scenario, violated }: Sight): Watcher {
  let inFlight: Request[] = [];
  return {
    began: () => {
      inFlight = [];
    },
    left: (request) => {
      if (inFlight.length >= scenario.concurrency)
        violated('more requests are in flight than allowed');
      const busy = new Set(inFlight.flatMap(({ offerIds }) => offerIds));
      for (const offerId of request.offerIds)
        if (busy.has(offerId)) violated(`two requests for client ${offerId} are in flight`);
      inFlight.push(request);
    },
    ended: (request) => {
      inFlight = inFlight.filter((one) => one !== request);
    },
  };
}
