import {
  type ContactCenterError,
  NotSentError,
  RefusedError,
  TryLaterError,
} from '../../core/errors.js';
import { isServerError } from '../../core/errors.js';
import { type PermittedHours, permittedTime } from '../../core/hours.js';
import { type Patience, isHopeless, retryDelay } from '../../core/time.js';

/** How often a lookup without an answer is made again, while others are answered, before it is given up. */
const MAX_READ_TRIES = 8;

/** A request that failed. */
export interface FailedRequest {
  readonly error: ContactCenterError;
  /** Whether it changes nothing, so that it can be sent again whatever became of it. */
  readonly readsOnly: boolean;
  /** How often it was sent. */
  readonly tries: number;
  /** When it was to be sent first, in milliseconds since the epoch. */
  readonly began: number;
}

/** What decides about all requests of a run. Times are in milliseconds since the epoch. */
export interface RetryTerms {
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
