/** Failures in a row, without one answer between, after which the contact center is taken for dead. */
const FAILURES = 10;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 20_000;

/**
 * A circuit breaker: after many failures in a row nothing is sent for a while, then one request tries, and its fate
 * decides for all. Pure: it is reported the time.
 */
export interface Breaker {
  /** Whether it keeps requests back, all but the one that tries. */
  readonly isOpen: boolean;
  /** How long to wait before asking again, in milliseconds; 0: go ahead. The first to be let through tries for all. */
  wait(now: number): number;
  succeeded(): void;
  failed(now: number): void;
}

export function createBreaker(): Breaker {
  let failures = 0;
  let pause = 0;
  let openUntil: number | null = null;
  let trying = false;
  return {
    get isOpen() {
      return openUntil !== null;
    },
    wait: (now) => {
      if (openUntil === null) return 0;
      if (trying) return FIRST_PAUSE_MS / 4;
      if (now < openUntil) return openUntil - now;
      trying = true;
      return 0;
    },
    succeeded: () => {
      failures = 0;
      pause = 0;
      openUntil = null;
      trying = false;
    },
    failed: (now) => {
      failures++;
      if (!trying && (failures < FAILURES || openUntil !== null)) return;
      trying = false;
      pause = pause === 0 ? FIRST_PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS);
      openUntil = now + pause;
    },
  };
}
