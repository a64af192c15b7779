import pLimit from 'p-limit';
import type { SharedPermits } from '../../core/ledger.js';
import { type Pace, type PaceLimits, createPace } from './pace.js';

/** What the owners of a contact center permit: requests at a time, and in a second. */
export interface PermitLimits extends PaceLimits {
  readonly concurrency?: number | undefined;
}

/** Counts what is permitted, over all who send with it. */
export interface Permits {
  readonly pace: Pace;
  /** Runs `work`, which sends one request, when one more may be in flight. */
  place<T>(work: () => Promise<T>): Promise<T>;
  /** Permits that other machines have a part in; absent where this process alone counts. */
  readonly shared?: SharedPermits | undefined;
}

export function createPermits(limits: PermitLimits): Permits {
  const pace = createPace(limits);
  const { concurrency } = limits;
  if (concurrency === undefined) return { pace, place: (work) => work() };
  const limit = pLimit(concurrency);
  return { pace, place: (work) => limit(work) };
}
