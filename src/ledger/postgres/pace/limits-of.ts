import type { SharedLimits } from '../../../core/ledger.js';
import type { Limit, Limits } from './pace-state.js';

const SECOND_MS = 1000;

/** The limits of all: where installation files differ, the lowest. `share`: how much of them is used. */
export function limitsOf(all: readonly SharedLimits[], share: number): Limits {
  const lowest = (key: keyof SharedLimits): number =>
    Math.min(...all.map((one) => one[key] ?? Infinity));
  const [requests, clients, places] = [
    lowest('requestsPerSecond'),
    lowest('clientsPerSecond'),
    lowest('concurrency'),
  ];
  return {
    ...(requests < Infinity ? { requests: rate(requests * share) } : {}),
    ...(clients < Infinity ? { clients: rate(clients * share) } : {}),
    ...(places < Infinity
      ? { places: { units: Math.max(1, Math.floor(places * share)), cycleMs: 0 } }
      : {}),
  };
}

/** Whole permits, each of which may be used again after a second, or a little later where the rate is none. */
function rate(perSecond: number): Limit {
  const units = Math.ceil(perSecond);
  return { units, cycleMs: (units / perSecond) * SECOND_MS };
}
