const BASE_MS = 200;
const CAP_MS = 20_000;

/**
 * How long to wait before attempt `attempt` (from 1) is made again: what the contact center asked for, or full jitter
 * over a doubling span. `random` is in [0, 1).
 */
export function retryDelay(
  attempt: number,
  retryAfterMs: number | undefined,
  random: number,
): number {
  const span = Math.min(CAP_MS, BASE_MS * 2 ** (attempt - 1));
  const jitter = random * span;
  return retryAfterMs === undefined ? jitter : retryAfterMs + random * BASE_MS;
}

/** How long a run goes on without one success, in milliseconds. */
export interface Patience {
  /** Before the first success: a wrong address should be reported soon. */
  readonly atStart: number;
  readonly later: number;
}

export const DEFAULT_PATIENCE: Patience = { atStart: 10_000, later: 900_000 };

/** Whether to stop asking. `lastSuccess` is `null` before the first success. */
export function isHopeless(
  now: number,
  started: number,
  lastSuccess: number | null,
  patience: Patience,
): boolean {
  return lastSuccess === null
    ? now - started > patience.atStart
    : now - lastSuccess > patience.later;
}
