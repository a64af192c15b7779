import type { Operation } from '../contract/operation.js';
import { operations, type OperationName } from '../contract/operations.js';
import {
  NotAuthorizedError,
  NotPermittedError,
  NotSentError,
  OutcomeUnknownError,
  RefusedError,
  TryLaterError,
  isServerError,
} from '../core/errors.js';
import { isReadOnly } from './read-only.js';

/** An error of the contact center in words that say what is known of the outcome; any other error as it is. */
export function explainOutcome(error: unknown, name: OperationName): unknown {
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
