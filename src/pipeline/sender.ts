import type { Clock } from '../core/clock.js';
import { NotAuthorizedError, NotSentError, TryLaterError } from '../core/errors.js';
import type { Pace } from './pace.js';
import { type Patience, isHopeless, retryDelay } from './retry-timing.js';
import { INTERRUPTED, StopRun } from './stop.js';

/** Sends requests within pace and patience, and counts them. */
export interface Sender {
  /**
   * Sends until there is an answer. Only a request that had no effect, because it never left or was turned away
   * untouched, is sent again; `before` and `undone` record that around each attempt.
   * @throws StopRun when sending again is of no use or not wanted any more.
   * @throws ContactCenterError for every answer that is an end for this request.
   */
  send<T>(attempt: Attempt<T>): Promise<T>;
  readonly counts: { requests: number; retries: number };
}

export interface Attempt<T> {
  /** How many clients the request carries, for the pace. */
  readonly clients: number;
  /** Runs before each attempt; when it resolves, the intent is durable. */
  before(): Promise<void>;
  request(): Promise<T>;
  /** Runs when an attempt turned out to have had no effect. */
  undone(): Promise<void>;
}

export interface SenderPorts {
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly pace: Pace;
  readonly patience: Patience;
  /** Aborted when no new request may leave. */
  readonly signal: AbortSignal;
  /** Told once when the contact center cannot be reached, for the person. */
  readonly onTrouble?: ((message: string) => void) | undefined;
}

export function createSender(ports: SenderPorts): Sender {
  const { clock, pace, signal } = ports;
  const counts = { requests: 0, retries: 0 };
  const started = clock.now();
  let lastSuccess: number | null = null;
  let inTrouble = false;

  const takePlace = async (clients: number): Promise<void> => {
    const wait = pace.reserve(clock.now(), clients);
    if (wait > 0) await clock.sleep(wait, signal);
    signal.throwIfAborted();
  };

  const waitToRetry = async (attempt: number, error: NotSentError | TryLaterError) => {
    const after = error instanceof TryLaterError ? error.retryAfterMs : undefined;
    const delay = retryDelay(attempt, after, ports.random());
    // Waiting only to give up then would keep the person waiting for nothing.
    if (isHopeless(clock.now() + delay, started, lastSuccess, ports.patience))
      throw new StopRun(gaveUp(error), { cause: error });
    if (!inTrouble) ports.onTrouble?.(`${error.message}; trying again.`);
    inTrouble = true;
    await clock.sleep(delay, signal);
  };

  const tryOnce = async <T>(attempt: Attempt<T>): Promise<T> => {
    await takePlace(attempt.clients);
    await attempt.before();
    counts.requests++;
    return attempt.request();
  };

  const send = async <T>(attempt: Attempt<T>): Promise<T> => {
    for (let number = 1; ; number++) {
      try {
        const answer = await tryOnce(attempt);
        lastSuccess = clock.now();
        inTrouble = false;
        return answer;
      } catch (error) {
        if (error instanceof NotAuthorizedError) {
          await attempt.undone();
          throw new StopRun(
            `The contact center did not accept the credentials (HTTP ${error.status ?? '?'}); check the installation's headers. The same command continues the run.`,
            { cause: error },
          );
        }
        if (!(error instanceof NotSentError || error instanceof TryLaterError)) throw error;
        await attempt.undone();
        await waitToRetry(number, error);
        counts.retries++;
      }
    }
  };

  return {
    counts,
    send: async (attempt) => {
      try {
        return await send(attempt);
      } catch (error) {
        if (signal.aborted && error === signal.reason) throw new StopRun(INTERRUPTED);
        throw error;
      }
    },
  };
}

function gaveUp(error: NotSentError | TryLaterError): string {
  const what = error instanceof TryLaterError ? 'stayed busy' : 'could not be reached';
  return `The contact center ${what}: ${error.message}. The same command continues the run.`;
}
