import type { z } from 'zod';
import type { Operation } from '../contract/operation.js';
import { operations, type OperationName, type OperationOutput } from '../contract/operations.js';
import { shortenedMessage } from '../core/text/shortened.js';
import { isAcknowledgement } from './acknowledgement.js';
import type { Body } from './body.js';
import { readCreateAnswer } from './create-result.js';
import { fieldOf } from './json.js';

/** What the body of an answer says by itself, before the status is looked at. */
export type Reading =
  /** `telling`: so clearly the operation's own answer that no status can gainsay it. */
  | { readonly says: 'success'; readonly value: unknown; readonly telling: boolean }
  | { readonly says: 'refusal'; readonly errorMessage: string }
  /** Some clients were refused, but not to be read which (4.9). */
  | { readonly says: 'garbled refusals' }
  | { readonly says: 'nothing' };

const NOTHING = { says: 'nothing' } as const;

/** Reads the body of an answer to the operation `name` (interface.md 4 and 7). */
export function readAnswer(name: OperationName, body: Body): Reading {
  const operation: Operation = operations[name];
  if (operation.response === undefined) return readAcknowledgement(body);
  if (body.kind !== 'json') return NOTHING;
  if (operation.failure === 'errors' && fieldOf(body.json, 'errors') !== undefined) {
    const partial = readSuccess(name, operation.response, body.json, true);
    return partial.says === 'success' ? partial : { says: 'garbled refusals' };
  }
  if ((distinct ??= distinctOperations()).has(name)) {
    const success = readSuccess(name, operation.response, body.json, true);
    return success.says === 'success' ? success : readRefusal(body.json);
  }
  const refusal = readRefusal(body.json);
  return refusal.says === 'refusal'
    ? refusal
    : readSuccess(name, operation.response, body.json, false);
}

function readAcknowledgement(body: Body): Reading {
  const refusal = body.kind === 'json' ? readRefusal(body.json) : NOTHING;
  if (refusal.says === 'refusal') return refusal;
  return isAcknowledgement(body) ? { says: 'success', value: undefined, telling: false } : NOTHING;
}

function readSuccess(
  name: OperationName,
  response: z.ZodType,
  json: unknown,
  telling: boolean,
): Reading {
  if (name === 'addClients') {
    const value = readCreateAnswer(json);
    return value === undefined ? NOTHING : { says: 'success', value, telling };
  }
  if (name === 'addApplications') {
    const { data } = operations.addApplications.response.safeParse(json);
    return data ? { says: 'success', value: withShortErrors(data), telling } : NOTHING;
  }
  const read = response.safeParse(json);
  return read.success ? { says: 'success', value: read.data, telling } : NOTHING;
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
function readRefusal(json: unknown): Reading {
  const errorMessage = fieldOf(json, 'errorMessage');
  return typeof errorMessage === 'string' && errorMessage.trim() !== ''
    ? { says: 'refusal', errorMessage: shortenedMessage(errorMessage) }
    : NOTHING;
}

/** Known with the first answer: finding out takes time that the first request need not wait for. */
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
