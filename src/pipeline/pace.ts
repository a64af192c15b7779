/** What the contact center's owners permit; absent: anything. */
export interface PaceLimits {
  readonly requestsPerSecond?: number | undefined;
  readonly clientsPerSecond?: number | undefined;
}

/** Spreads requests evenly, so that no second holds more than is permitted. */
export interface Pace {
  /** Takes the next place; returns how long to wait for it, in milliseconds. */
  reserve(now: number, clients: number): number;
}

/** Each request moves the next place by its own cost: there are no bursts to be refused. */
export function createPace(limits: PaceLimits): Pace {
  const perRequest = limits.requestsPerSecond ? 1000 / limits.requestsPerSecond : 0;
  const perClient = limits.clientsPerSecond ? 1000 / limits.clientsPerSecond : 0;
  let free = 0;
  return {
    reserve: (now, clients) => {
      const at = Math.max(now, free);
      free = at + Math.max(perRequest, perClient * clients);
      return at - now;
    },
  };
}
