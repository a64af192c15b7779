import { createContactCenter, type ContactCenter, type Methods } from '../client/contact-center.js';
import { loadInstallation } from '../installation/load.js';
import { systemClock, type Clock, retryDelay } from '../core/time.js';
import type { RequestExtras } from '../client/request.js';
import {
  type OperationInput,
  type OperationName,
  type OperationOutput,
  operations,
} from '../contract/operations.js';
import {
  NotPermittedError,
  NotSentError,
  OutcomeUnknownError,
  TryLaterError,
  NotAuthorizedError,
  RefusedError,
  isServerError,
} from '../core/errors.js';
import type { Operation } from '../contract/shapes.js';

/** One contact center, asked for single operations. */
export type Session = Awaited<ReturnType<typeof openSession>>;

/** @throws ConfigurationError when the installation is wrong; a missing variable of the environment at the first call */
export async function openSession(options: {
  /** Path of the installation file. */
  readonly installation: string;
  /** Environment for `${NAME}` in the installation's headers. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Aborted to stop at once. */
  readonly signal: AbortSignal;
}) {
  const installation = await loadInstallation(options.installation);
  let center: ContactCenter | undefined;
  return {
    installation,
    /** Connects when it is called for the first time. */
    ask: withRetries({
      center: () => (center ??= createContactCenter(installation, { env: options.env })),
      signal: options.signal,
    }),
    close: async () => center?.close(),
  };
}

/** Asks the contact center for one operation. */
export type Ask = <N extends OperationName>(
  name: N,
  input: OperationInput<N>,
  extras?: RequestExtras,
) => Promise<OperationOutput<N>>;

/** How often a request is sent in all. */
const TRIES = 4;
/** A person waits: no new try is begun after so long, in milliseconds. */
const PATIENCE_MS = 10_000;

/**
 * Asks patiently: what surely had no effect is sent again a few times. What may have had one never is.
 * @throws ContactCenterError whose message says what is known of the outcome.
 */
export function withRetries({
  center,
  clock = systemClock,
  random = Math.random,
  signal,
}: {
  readonly center: () => Methods;
  /** @default the system's */
  readonly clock?: Clock;
  /** In [0, 1). @default Math.random */
  readonly random?: () => number;
  /** Aborted when the person wants to stop. */
  readonly signal: AbortSignal;
}): Ask {
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

/** An error of the contact center in words that say what is known of the outcome; any other error as it is. */
function explainOutcome(error: unknown, name: OperationName): unknown {
  const options = { cause: error };
  if (error instanceof NotPermittedError) return error;
  if (error instanceof NotSentError)
    return new NotSentError(`${error.message}. Nothing was done.`, name, error.status, options);
  if (error instanceof TryLaterError) {
    const message = `${error.message}. Nothing was done; try again later.`;
    return new TryLaterError(message, name, error.status ?? 0, error.retryAfterMs);
  }
  if (error instanceof OutcomeUnknownError)
    return new OutcomeUnknownError(unknownOutcome(error, name), name, error.status, options);
  if (error instanceof RefusedError && isOpen(error, name))
    return new OutcomeUnknownError(maybeDone(error), name, error.status, options);
  // Whoever asks once has been refused, by whatever status.
  if (error instanceof RefusedError && (error instanceof NotAuthorizedError || isBare(error)))
    return new RefusedError(refusal(error), name, error.status ?? 0, options);
  return error;
}

function unknownOutcome({ message }: OutcomeUnknownError, name: OperationName): string {
  return isReadOnly(name)
    ? `${message}. Nothing was changed.`
    : `${message}. Whether it took effect is not known: look before you do it again.`;
}

/** Where the contact center gave no reason, the client puts the status in its place. */
const isBare = ({ errorMessage }: RefusedError): boolean => errorMessage.startsWith('HTTP ');

function refusal(error: RefusedError): string {
  if (!isBare(error)) return error.errorMessage;
  const hint = error instanceof NotAuthorizedError ? " Check the installation's headers." : '';
  return `The contact center refused without a reason (HTTP ${error.status ?? '?'}).${hint}`;
}

/** A server error is no proof that nothing was done, unless it is one that the interface names (7). */
function isOpen({ status, errorMessage }: RefusedError, name: OperationName): boolean {
  return (
    isServerError(status) && !isReadOnly(name) && !NAMED.some((named) => named.test(errorMessage))
  );
}

const maybeDone = ({ errorMessage, status }: RefusedError): string =>
  `${errorMessage}\nThe contact center failed at it (HTTP ${status ?? '?'}). Whether it took effect is not known: look before you do it again.`;

/** The messages of the interface; `<…>` in them stands for a value. */
const NAMED = Object.values<Operation>(operations)
  .flatMap(({ messages = [] }) => messages)
  .map((message) => {
    const parts = message.split(/<\w+>/).map((part) => part.replace(/[[\]().]/g, '\\$&'));
    return new RegExp(`^${parts.join('.*')}$`, 's');
  });

/** Whether an operation changes nothing. One of those that read is a POST (4.8). */
function isReadOnly(name: OperationName): boolean {
  return operations[name].method === 'GET' || name === 'readClient';
}
