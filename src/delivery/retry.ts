import {
  type ContactCenterError,
  NotSentError,
  RefusedError,
  TryLaterError,
  isServerError,
} from '../core/errors.js';
import { type PermittedHours, permittedTime } from '../core/hours.js';
import { type Patience, isHopeless, retryDelay } from '../core/time.js';

/** How often a lookup without an answer is made again, while others are answered, before it is given up. */
const MAX_READ_TRIES = 8;

/** A request that failed. */
interface FailedRequest {
  readonly error: ContactCenterError;
  /** Whether it changes nothing, so that it can be sent again whatever became of it. */
  readonly readsOnly: boolean;
  /** How often it was sent. */
  readonly tries: number;
  /** When it was to be sent first, in milliseconds since the epoch. */
  readonly began: number;
}

/** What decides about all requests of a run. Times are in milliseconds since the epoch. */
interface RetryTerms {
  readonly now: number;
  /** When the run began. */
  readonly started: number;
  /** When the contact center answered last; `null`: it has not yet. */
  readonly lastSuccess: number | null;
  /** How long the run has been paused since then, in milliseconds. */
  readonly pausedMs: number;
  /** How long the retry budget makes the next retry wait, in milliseconds. */
  readonly budgetMs: number;
  readonly patience: Patience;
  readonly hours: PermittedHours | undefined;
  /** In [0, 1). */
  readonly random: () => number;
}

/**
 * - `give_up`: the error is the end of this request, and its caller decides what follows;
 * - `stop_run`: the contact center has not answered for longer than the run's patience;
 * - `send_again`: after so many milliseconds.
 */
export type RetryDecision =
  | { readonly action: 'give_up' }
  | { readonly action: 'stop_run' }
  | { readonly action: 'send_again'; readonly afterMs: number };

/** Decides what follows a failed request. Only what had no effect, or only reads, is sent again. */
export function decideRetry(request: FailedRequest, terms: RetryTerms): RetryDecision {
  const { error, readsOnly, tries } = request;
  const { now, started, lastSuccess, pausedMs, patience, hours } = terms;
  if (isAnswer(error)) return { action: 'give_up' };
  if (!hadNoEffect(error) && (!readsOnly || isGivenUp(request, lastSuccess)))
    return { action: 'give_up' };
  const retryAfter = error instanceof TryLaterError ? error.retryAfterMs : undefined;
  const afterMs = Math.max(retryDelay(tries, retryAfter, terms.random()), terms.budgetMs);
  // Waiting only to give up then would keep the person waiting for nothing.
  const since = lastSuccess ?? started;
  const tried = permittedTime(hours, since, now + afterMs) - pausedMs;
  return isHopeless(since + tried, started, lastSuccess, patience)
    ? { action: 'stop_run' }
    : { action: 'send_again', afterMs };
}

/** Whether the contact center was there and decided. A server error says neither that it did nothing nor that it can. */
export function isAnswer(error: ContactCenterError): boolean {
  return error instanceof RefusedError && !isServerError(error.status);
}

/** Whether the request never left, or was turned away untouched. */
export function hadNoEffect(error: ContactCenterError): boolean {
  return error instanceof NotSentError || error instanceof TryLaterError;
}

/** Where no request is answered the mistake is not this request's own, and patience decides. */
function isGivenUp({ tries, began }: FailedRequest, lastSuccess: number | null): boolean {
  return tries >= MAX_READ_TRIES && lastSuccess !== null && lastSuccess >= began;
}

/** Retries that are allowed from the start, and the share of the requests that may be added to them. */
const RETRIES = 50;
const SHARE = 0.1;
/** Retries a second that are allowed even when the budget is used up: few enough not to multiply an outage. */
const SLOW_PER_SECOND = 10;

/** A retry budget for a whole run. Pure: the time is given to it. */
interface RetryBudget {
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

/** Failures in a row, without one answer between, after which the contact center is taken for dead. */
const FAILURES = 10;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 20_000;

/**
 * A circuit breaker: after many failures in a row nothing is sent for a while, then one request tries, and its fate
 * decides for all. Pure: it is reported the time.
 */
interface Breaker {
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
