import type { OperationName } from '../contract/operations.js';
import {
  NotAuthorizedError,
  OutcomeUnknownError,
  RefusedError,
  TryLaterError,
  type ContactCenterError,
} from '../core/errors.js';
import { readBody, type Answer, type Body } from './body.js';
import { readAnswer, type Reading } from './reading.js';
import { retryAfterMs } from './retry-after.js';

/** What an answer means: the operation's value, or an error that says what the caller can do. */
export type Verdict = { readonly value: unknown } | { readonly error: ContactCenterError };

const NOT_AUTHORIZED: ReadonlySet<number> = new Set([401, 403]);
const BUSY: ReadonlySet<number> = new Set([429, 503]);
/** A gateway's own answers: the contact center behind it may have carried the request out. */
const GATEWAY: ReadonlySet<number> = new Set([502, 504]);
const REQUEST_TIMEOUT = 408;
/**
 * Operations that only read what is known of a client. A refusal that arrives in pieces says nothing of it, and asking
 * again does no harm.
 */
const LOOKUPS: ReadonlySet<OperationName> = new Set(['readClient', 'listApplications']);

/**
 * Judges an answer by the shape of its body, and by its status where the body says nothing: the interface does not
 * show the status codes of errors (interface.md 7). Pure; `now` is for a `Retry-After` that is a date.
 *
 * What reads as success or as refusal is taken at its word. Anything else is a refusal only when the status says that
 * nothing was done; otherwise the outcome is unknown.
 */
export function judge(name: OperationName, answer: Answer, now: number): Verdict {
  const { status } = answer;
  if (status < 200 || isRange(status, 3)) return unknown(name, status, 'a redirect');
  const body = readBody(answer);
  const reading = readAnswer(name, body);
  if (reading.says === 'success' && (reading.telling || isRange(status, 2))) {
    return { value: reading.value };
  }
  const isGarbled = LOOKUPS.has(name) && isGarbledJson(body);
  const error =
    byStatus(name, answer, now, reading) ??
    (isGarbled ? undefined : byReading(name, status, reading));
  return error === undefined ? unknown(name, status, describe(body)) : { error };
}

const isRange = (status: number, hundreds: number): boolean =>
  Math.floor(status / 100) === hundreds;

/** Statuses whose meaning is the same with any body. */
function byStatus(
  name: OperationName,
  { status, headers }: Answer,
  now: number,
  reading: Reading,
): ContactCenterError | undefined {
  if (NOT_AUTHORIZED.has(status)) {
    const words = reading.says === 'refusal' ? reading.errorMessage : undefined;
    return new NotAuthorizedError(words ?? `HTTP ${status}, check the credentials`, name, status);
  }
  if (BUSY.has(status)) {
    const delay = retryAfterMs(headers['retry-after'], now);
    return new TryLaterError(
      `${name}: the contact center is busy (HTTP ${status})`,
      name,
      status,
      delay,
    );
  }
  return GATEWAY.has(status)
    ? new OutcomeUnknownError(`${name}: the gateway got no answer (HTTP ${status})`, name, status)
    : undefined;
}

function byReading(
  name: OperationName,
  status: number,
  reading: Reading,
): ContactCenterError | undefined {
  if (reading.says === 'refusal') return new RefusedError(reading.errorMessage, name, status);
  // A client error means that nothing was done, except where some clients were refused and others perhaps not.
  const notDone =
    isRange(status, 4) && status !== REQUEST_TIMEOUT && reading.says !== 'garbled refusals';
  return notDone ? new RefusedError(`HTTP ${status}`, name, status) : undefined;
}

function unknown(name: OperationName, status: number, what: string): Verdict {
  const message = `${name}: the answer (HTTP ${status}, ${what}) is not one of the interface's`;
  return { error: new OutcomeUnknownError(message, name, status) };
}

/** Whether a body was JSON before something on the way cut or broke it. */
function isGarbledJson(body: Body): boolean {
  return body.kind === 'unreadable' || (body.kind === 'text' && /^[[{"]/.test(body.text));
}

/** Names the kind of a body without quoting it, since it may hold personal data. */
function describe(body: Body): string {
  if (body.kind === 'json') return 'JSON of another form';
  if (isGarbledJson(body) && body.kind === 'text') return 'JSON that is cut short';
  if (body.kind === 'text') return body.text.startsWith('<') ? 'HTML' : 'text';
  return body.kind === 'empty' ? 'an empty body' : 'a body that cannot be unpacked';
}
