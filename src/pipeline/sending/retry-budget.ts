/** Retries that are allowed from the start, and the share of the requests that may be added to them. */
const RETRIES = 50;
const SHARE = 0.1;
/** Retries a second that are allowed even when the budget is used up: few enough not to multiply an outage. */
const SLOW_PER_SECOND = 10;

/** A retry budget for a whole run. Pure: it is told the time. */
export interface RetryBudget {
  /** A request that is no retry was sent. */
  sent(): void;
  /** Takes a retry; returns how long to wait before it is made, in milliseconds. */
  take(now: number): number;
}

export function createRetryBudget(): RetryBudget {
  let left = RETRIES;
  let free = 0;
  return {
    sent: () => {
      left = Math.min(left + SHARE, RETRIES);
    },
    take: (now) => {
      if (left >= 1) {
        left--;
        return 0;
      }
      const at = Math.max(now, free);
      free = at + 1000 / SLOW_PER_SECOND;
      return at - now;
    },
  };
}
