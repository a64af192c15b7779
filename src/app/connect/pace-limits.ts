import type { Installation } from '../../installation/installation.js';
import type { PaceLimits } from '../../pipeline/queue.js';
import type { RunOptions } from '../requests.js';

type Asked = Pick<
  RunOptions,
  'baseUrl' | 'requestsPerSecond' | 'clientsPerSecond' | 'waitForHours'
>;

/** What is permitted to a run. The hours are those of the installation's own address: a sandbox has none. */
export function paceLimits(
  request: Asked,
  { limits: { hours, ...limits } }: Installation,
): PaceLimits {
  const rates = ratesOf(request, limits);
  if (request.baseUrl !== undefined) return rates;
  return { ...rates, hours, endsOutside: request.waitForHours === false };
}

/** What is asked for, within what the installation permits. */
export const ratesOf = (
  request: Pick<Asked, 'requestsPerSecond' | 'clientsPerSecond'>,
  limits: Pick<PaceLimits, 'requestsPerSecond' | 'clientsPerSecond'>,
): Pick<PaceLimits, 'requestsPerSecond' | 'clientsPerSecond'> => ({
  requestsPerSecond: lower(request.requestsPerSecond, limits.requestsPerSecond),
  clientsPerSecond: lower(request.clientsPerSecond, limits.clientsPerSecond),
});

const lower = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
