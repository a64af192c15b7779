import type { Installation } from '../../installation/installation.js';
import { MAX_CONCURRENCY } from '../defaults.js';
import type { RunOptions } from '../requests.js';

/** A request, and the installation that limits it. */
export interface Limited {
  readonly request: Pick<RunOptions, 'concurrency' | 'batchSize'>;
  readonly installation: Installation;
}

/** The maximum of requests in flight: what is asked for, within what the installation permits. */
export function maxConcurrency({ request, installation }: Limited): number {
  const { concurrency = 'auto' } = request;
  const permitted = installation.limits.concurrency;
  if (concurrency === 'auto') return permitted ?? MAX_CONCURRENCY;
  return Math.min(concurrency, permitted ?? Infinity);
}
