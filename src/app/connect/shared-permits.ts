import type { SharedPermits } from '../../core/ledger.js';
import type { Installation } from '../../installation/installation.js';
import { createPace, type Permits, createPermits } from '../../pipeline/queue.js';
import type { RunOptions } from '../requests.js';
import { ratesOf } from './pace-limits.js';

/** By the contact center's address and what is permitted there; those used last come last. */
const all = new Map<string, Permits>();
/** Far more contact centers than a program sends to at a time. */
const MAX_KEPT = 100;

type Asked = Pick<RunOptions, 'baseUrl' | 'requestsPerSecond' | 'clientsPerSecond'>;
type Permitting = Pick<Installation, 'baseUrl' | 'limits'>;

/**
 * The permits of a contact center, at the pace that the run asks for. All runs of this process share them; with a ledger
 * in a database, all machines do (`machines`).
 */
export function sharedPermits(
  request: Asked,
  installation: Permitting,
  machines?: SharedPermits,
): Permits {
  if (machines) return { ...createPermits(askedRates(request)), shared: machines };
  const shared = permitsOf(request, installation);
  const { requestsPerSecond, clientsPerSecond } = request;
  if (requestsPerSecond === undefined && clientsPerSecond === undefined) return shared;
  const own = createPace(ratesOf(request, installation.limits));
  const { pace } = shared;
  return {
    pace: {
      reserve: (now, clients) => Math.max(pace.reserve(now, clients), own.reserve(now, clients)),
    },
    place: (work) => shared.place(work),
  };
}

const askedRates = ({ requestsPerSecond, clientsPerSecond }: Asked) => ({
  requestsPerSecond,
  clientsPerSecond,
});

function permitsOf({ baseUrl }: Pick<Asked, 'baseUrl'>, installation: Permitting): Permits {
  const { requestsPerSecond, clientsPerSecond, concurrency } = installation.limits;
  const limits = { requestsPerSecond, clientsPerSecond, concurrency };
  const key = JSON.stringify([baseUrl ?? installation.baseUrl, limits]);
  const permits = all.get(key) ?? createPermits(limits);
  all.delete(key);
  all.set(key, permits);
  const [oldest = key] = all.keys();
  if (all.size > MAX_KEPT) all.delete(oldest);
  return permits;
}
