import type { OperationName } from '../contract/operations.js';
import {
  NotAuthorizedError,
  OutcomeUnknownError,
  RefusedError,
  TryLaterError,
  type ContactCenterError,
  type ForeignAnswer,
} from '../core/errors.js';
import { readBody, type Answer, type Body } from './body.js';
import { seenIn } from './foreign-answer.js';
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
 * show the status codes of errors (interface.md 7). Pure; `now` is for a `Retry-After` that is a date,
 * `address` says what was asked, for the person.
 *
 * What reads as success or as refusal is taken at its word. Anything else is a refusal only when the status says that
 * nothing was done; otherwise the outcome is unknown.
 */
export function judge(name: OperationName, answer: Answer, now: number, address?: string): Verdict {
  const { status } = answer;
  const body = readBody(answer);
  if (status < 200 || isRange(status, 3)) {
    const seen = isRange(status, 3) ? seenIn(name, answer, body, address) : undefined;
    return unknown(name, status, 'a redirect', seen);
  }
  const reading = readAnswer(name, body);
  if (reading.says === 'success' && (reading.telling || isRange(status, 2))) {
    return { value: reading.value };
  }
  const isGarbled = isGarbledJson(body);
  const isOther = isForeign(name, status, reading) && !isGarbled;
  const seen = isOther ? seenIn(name, answer, body, address) : undefined;
  const error =
    byStatus(name, answer, now, reading) ??
    (isGarbled && LOOKUPS.has(name) ? undefined : byReading(name, status, reading, seen));
  return error === undefined ? unknown(name, status, describe(body), seen) : { error };
}

/**
 * Client errors that say nothing of who answers: the run has an own way with credentials, busy servers, time-outs and
 * bodies that are too large.
 */
const OF_ANYBODY: ReadonlySet<number> = new Set([401, 403, REQUEST_TIMEOUT, 413, 429]);

/** The list of campaigns is always there: where it is not, this is another path, whoever answers. */
const NO_SUCH_PATH: ReadonlySet<number> = new Set([404, 405]);

/** Whether the answer comes from something else than a contact center, as far as it shows. */
function isForeign(name: OperationName, status: number, { says }: Reading): boolean {
  if (name === 'listCampaigns' && NO_SUCH_PATH.has(status)) return true;
  if (isRange(status, 2)) return says === 'nothing';
  const isOwn = says === 'refusal' || says === 'garbled refusals';
  return isRange(status, 4) && !OF_ANYBODY.has(status) && !isOwn;
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
  seen: ForeignAnswer | undefined,
): ContactCenterError | undefined {
  if (reading.says === 'refusal')
    return new RefusedError(reading.errorMessage, name, status, { seen });
  // A client error means that nothing was done, except where some clients were refused and others perhaps not.
  const notDone =
    isRange(status, 4) && status !== REQUEST_TIMEOUT && reading.says !== 'garbled refusals';
  return notDone ? new RefusedError(`HTTP ${status}`, name, status, { seen }) : undefined;
}

function unknown(
  name: OperationName,
  status: number,
  what: string,
  seen: ForeignAnswer | undefined,
): Verdict {
  const message = `${name}: the answer (HTTP ${status}, ${what}) is not one of the interface's`;
  return { error: new OutcomeUnknownError(message, name, status, { seen }) };
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
