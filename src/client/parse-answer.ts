import type { z } from 'zod';
import type { Operation } from '../contract/operation.js';
import { operations, type OperationName, type OperationOutput } from '../contract/operations.js';
import { shortenedMessage } from '../core/text.js';
import { isAcknowledgement } from './acknowledgement.js';
import type { Body } from './body.js';
import { readCreateAnswer } from './create-result.js';
import { fieldOf } from './json.js';

/** What the body of an answer says by itself, before the status is looked at. */
export type ParsedAnswer =
  /** `isUnmistakable`: the body can be nothing but the operation's own answer, whatever the status. */
  | { readonly kind: 'success'; readonly value: unknown; readonly isUnmistakable: boolean }
  | { readonly kind: 'refusal'; readonly errorMessage: string }
  /** Some clients were refused, and the body does not say which (4.9). */
  | { readonly kind: 'unreadable_refusals' }
  | { readonly kind: 'unrecognized' };

const UNRECOGNIZED = { kind: 'unrecognized' } as const;

/** Parses the body of an answer to the operation `name` (interface.md 4 and 7). */
export function parseAnswer(name: OperationName, body: Body): ParsedAnswer {
  const operation: Operation = operations[name];
  if (operation.response === undefined) return parseAcknowledgement(body);
  if (body.kind !== 'json') return UNRECOGNIZED;
  if (operation.failure === 'errors' && fieldOf(body.json, 'errors') !== undefined) {
    const partial = parseSuccess(name, operation.response, body.json, true);
    return partial.kind === 'success' ? partial : { kind: 'unreadable_refusals' };
  }
  if ((distinct ??= distinctOperations()).has(name)) {
    const success = parseSuccess(name, operation.response, body.json, true);
    return success.kind === 'success' ? success : parseRefusal(body.json);
  }
  const refusal = parseRefusal(body.json);
  return refusal.kind === 'refusal'
    ? refusal
    : parseSuccess(name, operation.response, body.json, false);
}

function parseAcknowledgement(body: Body): ParsedAnswer {
  const refusal = body.kind === 'json' ? parseRefusal(body.json) : UNRECOGNIZED;
  if (refusal.kind === 'refusal') return refusal;
  return isAcknowledgement(body)
    ? { kind: 'success', value: undefined, isUnmistakable: false }
    : UNRECOGNIZED;
}

function parseSuccess(
  name: OperationName,
  response: z.ZodType,
  json: unknown,
  isUnmistakable: boolean,
): ParsedAnswer {
  if (name === 'addClients') {
    const value = readCreateAnswer(json);
    return value === undefined ? UNRECOGNIZED : { kind: 'success', value, isUnmistakable };
  }
  if (name === 'addApplications') {
    const { data } = operations.addApplications.response.safeParse(json);
    return data ? { kind: 'success', value: withShortErrors(data), isUnmistakable } : UNRECOGNIZED;
  }
  const read = response.safeParse(json);
  return read.success ? { kind: 'success', value: read.data, isUnmistakable } : UNRECOGNIZED;
}

type Added = OperationOutput<'addApplications'>;

function withShortErrors(added: Added): Added {
  if (!added.errors) return added;
  const errors = added.errors.map((error) => ({
    ...error,
    errorMessage: shortenedMessage(error.errorMessage),
  }));
  return { ...added, errors };
}

/** A blank message is no refusal: it may as well be a field that the server always writes. */
function parseRefusal(json: unknown): ParsedAnswer {
  const errorMessage = fieldOf(json, 'errorMessage');
  return typeof errorMessage === 'string' && errorMessage.trim() !== ''
    ? { kind: 'refusal', errorMessage: shortenedMessage(errorMessage) }
    : UNRECOGNIZED;
}

/** Known with the first answer: looking it up takes time that the first request need not wait for. */
let distinct: ReadonlySet<string> | undefined;

/** Operations whose success neither an empty nor a refusing body can be mistaken for. */
function distinctOperations(): ReadonlySet<string> {
  const found = Object.entries(operations)
    .filter(([, operation]) => 'response' in operation && isDistinct(operation.response))
    .map(([name]) => name);
  return new Set(found);
}

function isDistinct(response: z.ZodType): boolean {
  return [{}, [], { errorMessage: '' }].every((other) => !response.safeParse(other, ONCE).success);
}

/** Compiling a schema takes longer than using it once. */
const ONCE = { jitless: true };
