/** Retries that are allowed from the start, and the share of the requests that may be added to them. */
const RETRIES = 50;
const SHARE = 0.1;
/** Retries a second that are allowed even when the budget is used up: few enough not to multiply an outage. */
const SLOW_PER_SECOND = 10;

/** A retry budget for a whole run. Pure: the time is given to it. */
export interface RetryBudget {
  /** A request that is no retry was sent. */
  sent(): void;
  /** How long a retry that is wanted now would have to wait, in milliseconds. */
  delay(now: number): number;
  /** Takes a retry, which is made after that delay. */
  take(now: number): void;
}

export function createRetryBudget(): RetryBudget {
  let left = RETRIES;
  let free = 0;
  return {
    sent: () => {
      left = Math.min(left + SHARE, RETRIES);
    },
    delay: (now) => (left >= 1 ? 0 : Math.max(0, free - now)),
    take: (now) => {
      if (left >= 1) left--;
      else free = Math.max(now, free) + 1000 / SLOW_PER_SECOND;
    },
  };
}
