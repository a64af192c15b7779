import type { Installation } from '../../installation/installation.js';
import { type Permits, createPermits } from '../../pipeline/sending/permits.js';
import type { RunOptions } from '../requests.js';

/** By the contact center's address and what is permitted there. */
const all = new Map<string, Permits>();

/** The permits of a contact center, which all runs of this process share. */
export function sharedPermits(
  { baseUrl }: Pick<RunOptions, 'baseUrl'>,
  installation: Pick<Installation, 'baseUrl' | 'limits'>,
): Permits {
  const { requestsPerSecond, clientsPerSecond, concurrency } = installation.limits;
  const limits = { requestsPerSecond, clientsPerSecond, concurrency };
  const key = JSON.stringify([baseUrl ?? installation.baseUrl, limits]);
  const known = all.get(key);
  if (known) return known;
  const permits = createPermits(limits);
  all.set(key, permits);
  return permits;
}
