import { z } from 'zod';
import {
  type Method,
  type Operation,
  operations,
  type OperationName,
  type OperationInput,
  type OperationOutput,
} from '../contract/operations.js';
import {
  UsageError,
  NotPermittedError,
  meaningOf,
  NotSentError,
  OutcomeUnknownError,
  type CardlineError,
  type ContactCenterError,
  RefusedError,
} from '../core/errors.js';
import type { Installation } from '../installation/installation.js';
import { type Environment, canChange } from '../files/placeholders.js';
import type { MayBegin } from '../core/ledger.js';
import { type PermittedHours, hoursText, localText, nextPermitted } from '../core/time.js';
import { type Answer, classifyResponse } from './classify-response.js';
import {
  type ConnectionOptions,
  openConnection,
  type Connection,
  requestHeaders,
  transportError,
} from './connection.js';
import type { Dispatcher } from 'undici';
import {
  type AbsentClient,
  type ClientChanges,
  type CenterPort,
  isAbsent,
  type SyncIdentifiers,
} from '../core/client.js';
import { shortenedMessage } from '../core/text.js';

/** A request as it is sent, below the base address. */
interface PreparedRequest {
  readonly method: Method;
  /** Path and query. */
  readonly path: string;
  /** JSON; absent where the operation has no body. */
  readonly body?: string | Uint8Array | undefined;
}

/** What a caller gives to an operation. */
interface RawInput {
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
function wrapBody(
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

export interface CallOptions {
  /** Gives the request up: not sent when it had not left, else its outcome is unknown. */
  readonly signal?: AbortSignal | undefined;
  /** Total time for this request, in milliseconds. @default the installation's `transport.timeoutMs` */
  readonly timeoutMs?: number | undefined;
  /** What this installation adds to the request. Not with prepared bodies. */
  readonly extras?: RequestExtras | undefined;
}

/** One request that was answered, for counting. Holds no personal data. */
export interface ExchangeEvent {
  readonly operation: OperationName;
  /** HTTP status. */
  readonly status: number;
  readonly milliseconds: number;
  readonly answerBytes: number;
  /** When the other side sent it, by its own clock: the header `Date` as it stands, where there is one. */
  readonly date?: string | undefined;
}

export interface ContactCenterOptions extends ConnectionOptions {
  /** Called for every request that came to no whole answer. */
  readonly onNoAnswer?:
    ((event: Pick<ExchangeEvent, 'operation' | 'milliseconds'>) => void) | undefined;
  /** Called for every answer, before it is classified. */
  readonly onAnswer?: ((event: ExchangeEvent) => void) | undefined;
  /** Asked right before the first byte of each request is written: whether it still may be. @default it may */
  readonly mayBegin?: MayBegin | undefined;
}

/**
 * Makes what sends requests to one contact center and gives what they came to.
 * @throws ConfigurationError when the installation's connection cannot be set up.
 */
function createSender(installation: Installation, options: ContactCenterOptions) {
  const { pool, origin, prefix, headers: first } = openConnection(installation, options);
  const headers = currentHeaders(installation, options.env ?? {}, first);
  const underWay = new Set<Promise<Answer>>();
  let closing: Promise<void> | undefined;
  // Another address is a sandbox on this machine, at which anything is permitted at any time.
  const hours = options.baseUrl === undefined ? installation.limits.hours : undefined;

  const { mayBegin } = options;
  /** Resolves with the answer; closing waits for it. */
  const answerTo = async (
    name: OperationName,
    { method, path, body: given }: PreparedRequest,
    { signal, timeoutMs = installation.transport.timeoutMs }: CallOptions,
  ): Promise<Answer> => {
    const began = performance.now();
    const body = given ?? null;
    const dispatch = { method, path: prefix + path, headers: headers.of(body !== null), body };
    const asked = exchange(pool, { name, origin, dispatch, timeoutMs, signal, mayBegin });
    underWay.add(asked);
    try {
      const answer = await asked;
      options.onAnswer?.({
        operation: name,
        status: answer.status,
        milliseconds: performance.now() - began,
        answerBytes: answer.body.byteLength,
        date: typeof answer.headers.date === 'string' ? answer.headers.date : undefined,
      });
      return answer;
    } catch (error) {
      options.onNoAnswer?.({ operation: name, milliseconds: performance.now() - began });
      throw error;
    } finally {
      underWay.delete(asked);
    }
  };

  return {
    /**
     * Resolves with the operation's value.
     * @throws ContactCenterError whose class says what the caller can do.
     */
    send: async (
      name: OperationName,
      request: PreparedRequest,
      call: CallOptions = {},
    ): Promise<unknown> => {
      refuseOutside(hours, name);
      const { used } = headers;
      let answer = await answerTo(name, request, call);
      // Nothing was done. Where the secret has been replaced since, the request is sent once more with the new one.
      if (meaningOf(answer.status) === 'unauthenticated' && headers.areNewerThan(used))
        answer = await answerTo(name, request, call);
      // Without the query, which may name a client.
      const [path = ''] = request.path.split('?');
      const response = classifyResponse(name, answer, Date.now(), `${origin}${prefix}${path}`);
      if ('error' in response) throw response.error;
      return response.value;
    },
    close: (): Promise<void> => (closing ??= closeAfter(pool, underWay)),
  };
}

/** @throws NotPermittedError outside of the permitted hours */
function refuseOutside(hours: PermittedHours | undefined, name: OperationName): void {
  const now = Date.now();
  const opens = hours ? nextPermitted(hours, now) : now;
  if (!hours || opens <= now) return;
  throw new NotPermittedError(
    `The installation permits requests ${hoursText(hours)}, so nothing was sent. The same works from ${localText(hours, opens)} there.`,
    name,
  );
}

/**
 * The pool takes no more requests at once. It is not asked to wait by itself: it would also wait for a connection that
 * is being made for a request that was given up.
 */
async function closeAfter(
  pool: Connection['pool'],
  underWay: ReadonlySet<Promise<Answer>>,
): Promise<void> {
  void pool.close();
  await Promise.allSettled(underWay);
  await pool.destroy();
}

type Headers = Readonly<Record<string, string>>;

/** Keeps headers whose secrets lie in files, which whoever runs the machine may replace at any time. */
function currentHeaders(
  installation: Pick<Installation, 'headers'>,
  env: Environment,
  first: Headers,
) {
  let used = first;
  let bodiless = withoutType(first);
  const isFixed = !Object.values(installation.headers).some(canChange);
  return {
    /** Those of now: the same object until a secret has been replaced. */
    get used() {
      return used;
    },
    of: (hasBody: boolean): Headers => (hasBody ? used : bodiless),
    /** Reads the secrets anew, and says whether a request with them differs from one with `before`. */
    areNewerThan: (before: Headers): boolean => {
      if (isFixed) return false;
      const { headers, mistakes } = requestHeaders(installation, env);
      // A secret that is being replaced may be missing for a moment.
      if (mistakes.length === 0 && !isSame(headers, used)) {
        used = headers;
        bodiless = withoutType(headers);
      }
      return used !== before;
    },
  };
}

/** Some servers take an empty body for broken JSON when it is announced as JSON. */
function withoutType({ 'content-type': _, ...headers }: Headers): Headers {
  return headers;
}

const isSame = (a: Headers, b: Headers): boolean =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([name, value]) => b[name] === value);

interface ExchangeRequest {
  /** Name of the operation, for errors. */
  readonly name: string;
  /** Where the contact center is, for errors. */
  readonly origin: string;
  readonly dispatch: Dispatcher.DispatchOptions;
  /** Total time, from now to the end of the answer, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Asked right before the first byte is written: whether it still may be. @default it may */
  readonly mayBegin?: MayBegin | undefined;
}

/** Longest time that a timer of Node can wait; it takes a longer one for none at all. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Sends one request and resolves with the whole answer.
 * @throws NotSentError when the transport had not begun to write it, OutcomeUnknownError from then on; what `mayBegin`
 * gives.
 */
function exchange(dispatcher: Dispatcher, request: ExchangeRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { signal } = request;
    if (signal?.aborted === true) {
      reject(givenUp(request.name, false, signal.reason));
      return;
    }
    dispatcher.dispatch(request.dispatch, new Exchange(request, resolve, reject));
  });
}

/** Listens to one request. undici announces it right before the first byte is written, and never again. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #timer: NodeJS.Timeout;
  readonly #chunks: Uint8Array[] = [];
  #begun = false;
  #ended = false;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: Answer['headers'] = {};

  constructor(
    private readonly request: ExchangeRequest,
    private readonly resolve: (answer: Answer) => void,
    private readonly reject: (error: CardlineError) => void,
  ) {
    this.#timer = setTimeout(
      () => this.#stop(tooLate(request, this.#begun)),
      Math.min(request.timeoutMs, LONGEST_MS),
    );
    request.signal?.addEventListener('abort', this.#onAbort);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    const { mayBegin, name } = this.request;
    const may = mayBegin?.() ?? true;
    if (may !== true) {
      const why = `${name}: not sent, since this process did not answer the ledger for too long, and another one may have taken the run`;
      this.#stop(may === false ? new NotSentError(why, name) : may);
    }
    // Given up while it waited for a connection: it must not leave any more.
    if (this.#ended) controller.abort(new Error('given up'));
    else this.#begun = true;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Answer['headers'],
  ): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (!this.#end()) return;
    const [first = new Uint8Array(), ...rest] = this.#chunks;
    const body = rest.length === 0 ? first : Buffer.concat(this.#chunks);
    this.resolve({ status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#end()) this.reject(transportError(this.request, error, this.#begun));
  }

  readonly #onAbort = (): void => {
    this.#stop(givenUp(this.request.name, this.#begun, this.request.signal?.reason));
  };

  #stop(error: CardlineError): void {
    if (!this.#end()) return;
    this.reject(error);
    this.#controller?.abort(error);
  }

  /** Whether this is the first end: whatever comes later is of no interest. */
  #end(): boolean {
    if (this.#ended) return false;
    this.#ended = true;
    clearTimeout(this.#timer);
    this.request.signal?.removeEventListener('abort', this.#onAbort);
    return true;
  }
}

function tooLate({ name, timeoutMs }: ExchangeRequest, begun: boolean): ContactCenterError {
  const message = `${name}: no whole answer within ${timeoutMs / 1000} s`;
  return begun
    ? new OutcomeUnknownError(message, name)
    : new NotSentError(`${message}, and it was not sent`, name);
}

function givenUp(name: string, begun: boolean, cause: unknown): ContactCenterError {
  return begun
    ? new OutcomeUnknownError(`${name}: given up while waiting for the answer`, name, undefined, {
        cause,
      })
    : new NotSentError(`${name}: given up before it was sent`, name, undefined, { cause });
}

/* What else others need of the room: nobody imports past this file. */
export { handshake, missingSecrets, USER_AGENT, warmTransport } from './connection.js';

/** One method for each operation of the contract's table. */
export type Methods = {
  readonly [N in OperationName]: (
    input: OperationInput<N>,
    options?: CallOptions,
  ) => Promise<OperationOutput<N>>;
};

/**
 * A contact center over HTTP: one method for each operation of the interface. Each checks its input (InvalidInputError)
 * and its answer, and rejects with a ContactCenterError that says what the caller can do.
 */
export interface ContactCenter extends Methods {
  /** Sends a body that is JSON already, unchecked; all else is as with the operation's own method. */
  sendPrepared<N extends OperationName>(
    name: N,
    input: Omit<OperationInput<N>, 'body'>,
    body: Uint8Array,
    options?: CallOptions,
  ): Promise<OperationOutput<N>>;
  /** Waits for the requests under way and closes the connections. */
  close(): Promise<void>;
}

/**
 * Makes the client of one contact center. Nothing is sent before the first call.
 * @throws ConfigurationError when an address, a header, a variable of the environment or a certificate is wrong.
 */
export function createContactCenter(
  installation: Installation,
  options: ContactCenterOptions = {},
): ContactCenter {
  const { send, close } = createSender(installation, options);
  // Derived by iterating over the table; their types are read off the same table, so they agree.
  const methods = (Object.keys(operations) as OperationName[]).map((name) => [
    name,
    async (input: RawInput, call?: CallOptions) =>
      send(name, buildRequest(name, input, call?.extras), call),
  ]);
  return {
    ...(Object.fromEntries(methods) as Methods),
    sendPrepared: (async (name, input, body, call) =>
      send(
        name,
        wrapBody(name, input, body, call?.extras?.query),
        call,
      )) as ContactCenter['sendPrepared'],
    close,
  };
}

/**
 * `new ContactCenter(installation)`, for whoever expects a class: a function that is called with `new` and returns an
 * object gives that object. @throws ConfigurationError as `createContactCenter` does
 */
export const ContactCenter = function (installation: Installation, options?: ContactCenterOptions) {
  return createContactCenter(installation, options);
} as unknown as new (installation: Installation, options?: ContactCenterOptions) => ContactCenter;

type Center = Pick<ContactCenter, 'sendPrepared' | 'readClient' | 'listApplications'>;

/**
 * The import's way to a contact center: bodies that are JSON already, and only what it needs of the answers. `query`: of
 * every creation.
 */
export function createCenterPort(
  center: Center,
  { query }: Pick<RequestExtras, 'query'> = {},
): CenterPort {
  const extras = query && { query };
  return {
    addClients: async (body, signal) =>
      (await center.sendPrepared('addClients', {}, body, { signal, extras })).createResult,
    addApplications: async (campaignId, body, signal) => {
      const params = { campaigId: campaignId };
      return (
        (await center.sendPrepared('addApplications', { params }, body, { signal })).errors ?? []
      );
    },
    findClient: async (identifiers) => {
      const card = await unlessAbsent(cardOf(center, identifiers));
      if (isAbsent(card)) return null;
      if (Object.keys(card.fields).length > 0) return { id: card.id };
      throw new OutcomeUnknownError('readClient: the answer shows nothing of a card', 'readClient');
    },
    findCampaigns: async (identifiers) => {
      const found = await unlessAbsent(applicationsOf(center, identifiers));
      return isAbsent(found) ? [] : found.map((one) => one.telemarketCampaignId);
    },
  };
}

/** The way of changes to single clients. */
export function createClientChanges(center: Center): ClientChanges {
  return {
    change: async ({ operation, params, body }) => {
      await center.sendPrepared(operation, params ? { params } : {}, Buffer.from(body));
    },
    readCard: (identifiers) => unlessAbsent(cardOf(center, identifiers)),
    readApplications: async (identifiers) => {
      const found = await unlessAbsent(applicationsOf(center, identifiers));
      if (isAbsent(found)) return found;
      return found.map((application) => ({
        campaignId: application.telemarketCampaignId,
        hasRecall: application.hasRecall === true,
        status: shortenedMessage(application.status),
        calledCount: application.calledCount ?? null,
        nextCall: application.nextCall ?? null,
      }));
    },
  };
}

async function cardOf(center: Center, identifiers: string) {
  const body = Buffer.from(`{"clientSyncIdentifiers":${identifiers}}`);
  const { clientFieldsToValues: fields } = await center.sendPrepared('readClient', {}, body);
  return { id: fields.id ?? null, fields };
}

/** The identifiers were written by the mapping of this run: their shape is not checked again. */
const applicationsOf = async (center: Center, identifiers: string) =>
  center.listApplications({ query: JSON.parse(identifiers) as SyncIdentifiers });

const NO_CLIENTS = /^No clients with identifiers/;

/** The interface shows an absent client by an error (7). */
async function unlessAbsent<T extends object>(asked: Promise<T>): Promise<T | AbsentClient> {
  try {
    return await asked;
  } catch (error) {
    const hasRefused =
      error instanceof RefusedError &&
      (NO_CLIENTS.test(error.errorMessage) ||
        (meaningOf(error.status ?? 0) === 'not_found' && !/^HTTP /.test(error.errorMessage)));
    if (hasRefused) return { absent: error.errorMessage };
    throw error;
  }
}
