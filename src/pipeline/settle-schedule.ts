/** How long it takes until it is known what became of a request whose answer was lost. */
export interface SettleTimes {
  /** How soon its clients are looked up first, in milliseconds. */
  readonly firstMs: number;
  /** After how long the contact center surely no longer works on it, in milliseconds. */
  readonly deadlineMs: number;
}

/** A request whose answer was lost. Times are in milliseconds since the epoch. */
export interface LostRequest {
  readonly at: number;
  /** From when on the contact center surely no longer works on it: what is absent then stays absent. */
  readonly until: number;
}

/** A request that was lost at this time. `ended`: the contact center has answered that its work on it is over. */
export function lostRequest(at: number, { deadlineMs }: SettleTimes, ended = false): LostRequest {
  return { at, until: ended ? at : at + deadlineMs };
}

/**
 * When to look what became of a lost request: soon, so that what was carried out is confirmed early, then at intervals
 * that double, and last at the deadline, when an absence is sure. `lookedAt`: the last lookup; `-Infinity` before the
 * first one.
 */
export function nextLookup(
  { at, until }: LostRequest,
  { firstMs }: SettleTimes,
  lookedAt: number,
): number {
  let [next, interval] = [at + firstMs, firstMs];
  while (next <= lookedAt && next < until) {
    interval = Math.max(1, interval * 2);
    next += interval;
  }
  return Math.min(next, until);
}

/** One request in place of several: it is settled when all of them are. */
export function latestOf(requests: readonly LostRequest[]): LostRequest {
  return {
    at: Math.max(...requests.map(({ at }) => at)),
    until: Math.max(...requests.map(({ until }) => until)),
  };
}

/** The same request where an absence need not be sure, since sending again does no harm: one lookup is enough. */
export function lookedUpOnce({ at, until }: LostRequest, { firstMs }: SettleTimes): LostRequest {
  return { at, until: Math.min(until, at + firstMs) };
}
