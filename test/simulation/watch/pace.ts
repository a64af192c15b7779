import { type Sight, type Watcher, isReading } from './watcher.js';

const SECOND_MS = 1000;
/** What adding up fractions of milliseconds may cost. */
const ROUNDING_MS = 1e-6;

/** No second holds more requests or clients than the contact center's owners permit. */
export function watchPace({ scenario, timeline, violated }: Sight): Watcher {
  const { requestsPerSecond = Infinity, clientsPerSecond = Infinity } = scenario.pace;
  let second: { readonly at: number; readonly clients: number }[] = [];
  return {
    // A new process knows nothing of the last second of the one before.
    began: () => {
      second = [];
    },
    left: (request) => {
      const now = timeline.now();
      second = second.filter(({ at }) => at > now - SECOND_MS + ROUNDING_MS);
      second.push({ at: now, clients: isReading(request) ? 1 : request.offerIds.length });
      const clients = second.reduce((sum, one) => sum + one.clients, 0);
      if (second.length > requestsPerSecond)
        violated(`${second.length} requests in a second that permits ${requestsPerSecond}`);
      if (clients > clientsPerSecond)
        violated(`${clients} clients in a second that permits ${clientsPerSecond}`);
    },
  };
}
