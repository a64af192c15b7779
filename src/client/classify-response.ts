import type { OperationName } from '../contract/operations.js';
import {
  NotAuthorizedError,
  OutcomeUnknownError,
  RefusedError,
  TryLaterError,
  type ContactCenterError,
  type ForeignAnswer,
  classOf,
  meaningOf,
  type StatusMeaning,
} from '../core/errors.js';
import { readBody, type Answer, type Body } from './body.js';
import { seenIn } from './foreign-answer.js';
import { parseAnswer, type ParsedAnswer } from './parse-answer.js';
import { retryAfterMs } from './retry-after.js';

/** What an answer means: the operation's value, or an error that says what the caller can do. */
export type ClassifiedResponse =
  { readonly value: unknown } | { readonly error: ContactCenterError };

/**
 * Operations that only read what is known of a client. A refusal that arrives in pieces says nothing of it, and asking
 * again does no harm.
 */
const LOOKUPS: ReadonlySet<OperationName> = new Set(['readClient', 'listApplications']);

/**
 * Classifies an answer by the shape of its body, and by its status where the body says nothing: the interface does not
 * show the status codes of errors (interface.md 7). Pure; `now` is for a `Retry-After` that is a date,
 * `address` says what was asked, for the person.
 *
 * What reads as success or as refusal is taken at its word. Anything else is a refusal only when the status says that
 * nothing was done; otherwise the outcome is unknown.
 */
export function classifyResponse(
  name: OperationName,
  answer: Answer,
  now: number,
  address?: string,
): ClassifiedResponse {
  const { status } = answer;
  const kind = classOf(status);
  const body = readBody(answer);
  if (kind === 'informational' || kind === 'redirect') {
    const seen = kind === 'redirect' ? seenIn(name, answer, body, address) : undefined;
    return unknown(name, status, 'a redirect', seen);
  }
  const parsed = parseAnswer(name, body);
  if (parsed.kind === 'success' && (parsed.isUnmistakable || kind === 'success'))
    return { value: parsed.value };
  const isGarbled = isGarbledJson(body);
  const isOther = isForeign(name, status, parsed) && !isGarbled;
  const seen = isOther ? seenIn(name, answer, body, address) : undefined;
  const error =
    errorByStatus(name, answer, now, parsed) ??
    (isGarbled && LOOKUPS.has(name) ? undefined : errorByBody(name, status, parsed, seen));
  return error === undefined ? unknown(name, status, describe(body), seen) : { error };
}

/** Client errors that a proxy gives as well as a contact center, so that they say nothing of who answers. */
const OF_ANYBODY: ReadonlySet<StatusMeaning> = new Set([
  'unauthenticated',
  'forbidden',
  'timeout',
  'too_large',
  'busy',
]);

/** The list of campaigns is always there: where it is not, this is another path, whoever answers. */
const NO_SUCH_PATH: ReadonlySet<StatusMeaning> = new Set(['not_found', 'wrong_method']);

/** Whether the answer comes from something else than a contact center, as far as it shows. */
function isForeign(name: OperationName, status: number, { kind }: ParsedAnswer): boolean {
  const meaning = meaningOf(status);
  if (name === 'listCampaigns' && NO_SUCH_PATH.has(meaning)) return true;
  if (classOf(status) === 'success') return kind === 'unrecognized';
  const isOwn = kind === 'refusal' || kind === 'unreadable_refusals';
  return classOf(status) === 'client_error' && !OF_ANYBODY.has(meaning) && !isOwn;
}

/** The error of a status that means the same with any body. */
function errorByStatus(
  name: OperationName,
  { status, headers }: Answer,
  now: number,
  parsed: ParsedAnswer,
): ContactCenterError | undefined {
  switch (meaningOf(status)) {
    case 'unauthenticated':
    case 'forbidden': {
      const words = parsed.kind === 'refusal' ? parsed.errorMessage : undefined;
      return new NotAuthorizedError(words ?? `HTTP ${status}, check the credentials`, name, status);
    }
    case 'busy': {
      const message = `${name}: the contact center is busy (HTTP ${status})`;
      return new TryLaterError(message, name, status, retryAfterMs(headers['retry-after'], now));
    }
    case 'gateway':
      return new OutcomeUnknownError(
        `${name}: the gateway got no answer (HTTP ${status})`,
        name,
        status,
      );
    default:
      return undefined;
  }
}

function errorByBody(
  name: OperationName,
  status: number,
  parsed: ParsedAnswer,
  seen: ForeignAnswer | undefined,
): ContactCenterError | undefined {
  if (parsed.kind === 'refusal')
    return new RefusedError(parsed.errorMessage, name, status, { seen });
  // A client error means that nothing was done, except where some clients were refused and others perhaps not.
  const notDone =
    classOf(status) === 'client_error' &&
    meaningOf(status) !== 'timeout' &&
    parsed.kind !== 'unreadable_refusals';
  return notDone ? new RefusedError(`HTTP ${status}`, name, status, { seen }) : undefined;
}

function unknown(
  name: OperationName,
  status: number,
  what: string,
  seen: ForeignAnswer | undefined,
): ClassifiedResponse {
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
