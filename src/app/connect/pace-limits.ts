import type { Installation } from '../../installation/installation.js';
import type { PaceLimits } from '../../pipeline/sending/pace.js';
import type { RunOptions } from '../requests.js';

/** What is permitted to a run. The hours are those of the installation's own address: a sandbox has none. */
export function paceLimits(
  { baseUrl }: Pick<RunOptions, 'baseUrl'>,
  { limits: { hours, ...limits } }: Installation,
): PaceLimits {
  return baseUrl === undefined ? { ...limits, hours } : limits;
}
