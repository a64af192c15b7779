import type { Methods } from '../client/contact-center.js';
import type { RequestExtras } from '../client/request.js';
import type { OperationInput, OperationName, OperationOutput } from '../contract/operations.js';
import { type Clock, retryDelay } from '../core/time.js';
import {
  NotPermittedError,
  NotSentError,
  OutcomeUnknownError,
  TryLaterError,
} from '../core/errors.js';
import { isReadOnly } from './read-only.js';
import { explainOutcome } from './explain-outcome.js';

/** Asks the contact center for one operation. */
export type Ask = <N extends OperationName>(
  name: N,
  input: OperationInput<N>,
  extras?: RequestExtras,
) => Promise<OperationOutput<N>>;

export interface RetryPorts {
  readonly center: () => Methods;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  /** Aborted when the person wants to stop. */
  readonly signal: AbortSignal;
}

/** How often a request is sent in all. */
const TRIES = 4;
/** A person waits: no new try is begun after so long, in milliseconds. */
const PATIENCE_MS = 10_000;

/**
 * Asks patiently: what surely had no effect is sent again a few times. What may have had one never is.
 * @throws ContactCenterError whose message says what is known of the outcome.
 */
export function withRetries({ center, clock, random, signal }: RetryPorts): Ask {
  return async (name, input, extras) => {
    const began = clock.now();
    for (let tries = 1; ; tries++) {
      try {
        const method = center()[name];
        return await method(input, { signal, extras });
      } catch (error) {
        if (signal.aborted || !mayRepeat(name, error) || tries >= TRIES)
          throw explainOutcome(error, name);
        const asked = error instanceof TryLaterError ? error.retryAfterMs : undefined;
        const delay = retryDelay(tries, asked, random());
        if (clock.now() + delay > began + PATIENCE_MS) throw explainOutcome(error, name);
        await clock.sleep(delay, signal);
      }
    }
  };
}

/** Whether the request surely had no effect, and another one may fare better. */
function mayRepeat(name: OperationName, error: unknown): boolean {
  if (error instanceof NotPermittedError) return false;
  if (error instanceof NotSentError || error instanceof TryLaterError) return true;
  return error instanceof OutcomeUnknownError && isReadOnly(name);
}
