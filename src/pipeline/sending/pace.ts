import type { PermittedHours } from '../../core/hours.js';

/** What the contact center's owners permit; absent: anything. */
export interface PaceLimits {
  readonly requestsPerSecond?: number | undefined;
  readonly clientsPerSecond?: number | undefined;
  readonly hours?: PermittedHours | undefined;
  /** Whether a run ends outside of the hours, in place of waiting. @default false */
  readonly endsOutside?: boolean | undefined;
}

/** Spreads requests evenly, so that no second holds more than is permitted. */
export interface Pace {
  /** Takes the next place; returns how long to wait for it, in milliseconds. */
  reserve(now: number, clients: number): number;
}

const SECOND_MS = 1000;

/** Each request moves the next place by its own cost: there are no bursts to be refused. */
export function createPace(limits: PaceLimits): Pace {
  if (limits.requestsPerSecond === undefined && limits.clientsPerSecond === undefined)
    return { reserve: () => 0 };
  const perRequest = limits.requestsPerSecond ? SECOND_MS / limits.requestsPerSecond : 0;
  const perClient = limits.clientsPerSecond ? SECOND_MS / limits.clientsPerSecond : 0;
  const second = createSecond(limits.clientsPerSecond ?? Infinity);
  let free = 0;
  return {
    reserve: (now, clients) => {
      const at = second.take(Math.max(now, free), clients);
      free = at + Math.max(perRequest, perClient * clients);
      return at - now;
    },
  };
}

/** The places of the last second. Requests differ in size: an even spread alone lets a large one follow too soon. */
function createSecond(permitted: number) {
  const places: { readonly at: number; readonly clients: number }[] = [];
  let taken = 0;
  return {
    /** The first place from `earliest` on at which the second up to it has room. */
    take: (earliest: number, clients: number): number => {
      let at = earliest;
      for (let first = places[0]; first; first = places[0]) {
        if (at < first.at + SECOND_MS && taken + clients <= permitted) break;
        at = Math.max(at, first.at + SECOND_MS);
        taken -= first.clients;
        places.shift();
      }
      places.push({ at, clients });
      taken += clients;
      return at;
    },
  };
}

/**
 * How many clients to send in a request, at most `clients`: no more than a second permits, and so many that whole
 * requests fill a second.
 */
export function clientsAtOnce(
  { clientsPerSecond, requestsPerSecond = Infinity }: PaceLimits,
  clients: number,
): number {
  if (clientsPerSecond === undefined) return clients;
  const permitted = Math.max(1, Math.floor(clientsPerSecond));
  const requests = Math.ceil(permitted / clients);
  // Where requests are what is scarce, they are to be large.
  return requests > requestsPerSecond ? clients : Math.floor(permitted / requests);
}
