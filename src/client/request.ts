import { z } from 'zod';
import {
  type Method,
  type Operation,
  operations,
  type OperationName,
} from '../contract/operations.js';
import { UsageError, type ConfigMistake } from '../core/errors.js';
import type { Installation } from '../installation/installation.js';
import { missingText, substitute, type Environment } from '../files/placeholders.js';
import { packageVersion } from '../files/regular-file.js';

/** A request as it is sent, below the base address. */
export interface PreparedRequest {
  readonly method: Method;
  /** Path and query. */
  readonly path: string;
  /** JSON; absent where the operation has no body. */
  readonly body?: string | Uint8Array | undefined;
}

/** What a caller gives to an operation. */
export interface RawInput {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** What an installation adds to a request that the interface does not have. It is not checked. */
export interface RequestExtras {
  readonly query?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Fields of the body. */
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

/** A method was called with input that the interface does not take. Nothing was sent. */
export class InvalidInputError extends UsageError {
  constructor(
    readonly operation: OperationName,
    /** Where, such as `body.clients.0.phones.0.type`, and what. */
    readonly issues: readonly { readonly path: string; readonly message: string }[],
  ) {
    const list = issues.map(({ path, message }) => `${path}: ${message}`).join('; ');
    super(`${operation}: ${list}`);
  }
}

type Part = 'params' | 'query' | 'body';
const primitives = z.record(z.string(), z.union([z.string(), z.number(), z.undefined()]));

/**
 * Checks the input of an operation and makes the request of it. The body is sent as it was given, so that fields that
 * the contract does not know are not lost.
 * @throws InvalidInputError naming everything that is wrong, without values.
 */
export function buildRequest(
  name: OperationName,
  input: RawInput,
  extras: RequestExtras = {},
): PreparedRequest {
  check(name, input, ['params', 'query', 'body']);
  const whole = extras.body ? Object.assign({}, input.body, extras.body) : input.body;
  const body = 'body' in operations[name] ? JSON.stringify(whole) : undefined;
  return { ...addressed(operations[name], input, extras.query), body };
}

/**
 * Makes a request around a body that is JSON already: it is sent unchecked.
 * @throws InvalidInputError when the path parameters or the query are wrong.
 */
export function wrapBody(
  name: OperationName,
  input: RawInput,
  body: Uint8Array,
  query?: RequestExtras['query'],
): PreparedRequest {
  const fixed = query === undefined ? fixedAddresses.get(name) : undefined;
  if (fixed) return { method: fixed.method, path: fixed.path, body };
  check(name, input, ['params', 'query']);
  return { ...addressed(operations[name], input, query), body };
}

function check(name: OperationName, input: RawInput, parts: readonly Part[]): void {
  const operation: Operation = operations[name];
  const issues = parts.flatMap((part) => {
    const error = operation[part]?.safeParse(input[part]).error;
    return (error?.issues ?? []).map(({ path, message }) => ({
      path: [part, ...path].map(String).join('.'),
      message,
    }));
  });
  if (issues.length > 0) throw new InvalidInputError(name, issues);
}

function addressed(
  operation: Operation,
  { params, query }: RawInput,
  moreQuery: RequestExtras['query'] = {},
): Pick<PreparedRequest, 'method' | 'path'> {
  const values = primitives.parse(params ?? {});
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => escaped(values[name]));
  const pairs = Object.entries({
    ...operation.fixedQuery,
    ...primitives.parse(operation.query?.parse(query) ?? {}),
    ...moreQuery,
  }).filter(([, value]) => value !== undefined);
  const search = pairs.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join('&');
  return { method: operation.method, path: search === '' ? path : `${path}?${search}` };
}

const escaped = (value: string | number | boolean | undefined): string =>
  encodeURIComponent(String(value));

/** Operations that are always asked for at the same address: no input of theirs goes into it, so none is checked. */
const fixedAddresses: ReadonlyMap<string, Pick<PreparedRequest, 'method' | 'path'>> = new Map(
  Object.entries<Operation>(operations)
    .filter(([, { params, query }]) => params === undefined && query === undefined)
    .map(([name, operation]) => [name, addressed(operation, {})]),
);

/** What the client calls itself: `cardline/<version>`. */
export const USER_AGENT = `cardline/${packageVersion()}`;

const STANDARD = {
  'content-type': 'application/json',
  accept: 'application/json',
  'accept-encoding': 'identity',
  'user-agent': USER_AGENT,
} as const;

/** Headers that describe the connection or the message; they belong to the transport. */
const OURS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const TOKEN = /^[!#$%&'*+.^`|~\w-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * The headers of every request: ours, then the installation's with their placeholders replaced. A mistake names the header
 * and the placeholder, never a value.
 */
export function requestHeaders(
  { headers }: Pick<Installation, 'headers'>,
  env: Environment,
): { headers: Readonly<Record<string, string>>; mistakes: Omit<ConfigMistake, 'file'>[] } {
  const mistakes: Omit<ConfigMistake, 'file'>[] = [];
  const entries = Object.entries(headers).map(([name, template]): [string, string] => {
    const { text, missing } = substitute(template, env);
    const message = nameMistake(name) ?? missingText(missing) ?? valueMistake(text);
    if (message !== undefined) mistakes.push({ path: `headers.${name}`, message });
    return [name.toLowerCase(), text];
  });
  return { headers: { ...STANDARD, ...Object.fromEntries(entries) }, mistakes };
}

/** What headers and proxy name and nobody has set, as it stands in their placeholders. */
export const missingSecrets = (
  { headers, transport }: Pick<Installation, 'headers' | 'transport'>,
  env: Environment,
): string[] => [
  ...new Set(
    [...Object.values(headers), transport.proxy ?? ''].flatMap(
      (text) => substitute(text, env).missing,
    ),
  ),
];

function nameMistake(name: string): string | undefined {
  if (!TOKEN.test(name)) return 'is not a name that a header can have.';
  return OURS.has(name.toLowerCase()) ? 'is set by cardline itself; leave it out.' : undefined;
}

function valueMistake(text: string): string | undefined {
  return VALUE.test(text)
    ? undefined
    : 'holds a character that a header must not have, such as a line break.';
}
