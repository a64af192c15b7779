import type { Installation } from '../../installation/installation.js';
import { type Permits, createPermits } from '../../pipeline/sending/permits.js';
import type { RunOptions } from '../requests.js';

/** By the contact center's address and what is permitted there; those used last come last. */
const all = new Map<string, Permits>();
/** Far more contact centers than a program sends to at a time. */
const MAX_KEPT = 100;

/** The permits of a contact center, which all runs of this process share. */
export function sharedPermits(
  { baseUrl }: Pick<RunOptions, 'baseUrl'>,
  installation: Pick<Installation, 'baseUrl' | 'limits'>,
): Permits {
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
