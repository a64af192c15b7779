import type { OperationName } from '../contract/operations.js';
import {
  NotPermittedError,
  meaningOf,
  NotSentError,
  OutcomeUnknownError,
  type CardlineError,
  type ContactCenterError,
} from '../core/errors.js';
import type { MayBegin } from '../core/ledger.js';
import { type PermittedHours, hoursText, localText, nextPermitted } from '../core/hours.js';
import type { Installation } from '../installation/installation.js';
import { type Answer, classifyResponse } from './classify-response.js';
import {
  type ConnectionOptions,
  openConnection,
  type Connection,
  transportError,
} from './connection.js';
import { type RequestExtras, type PreparedRequest, requestHeaders } from './request.js';
import { type Environment, canChange } from '../files/placeholders.js';
import type { Dispatcher } from 'undici';

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

export interface SenderOptions extends ConnectionOptions {
  /** Called for every request that came to no whole answer. */
  readonly onNoAnswer?:
    ((event: Pick<ExchangeEvent, 'operation' | 'milliseconds'>) => void) | undefined;
  /** Called for every answer, before it is classified. */
  readonly onAnswer?: ((event: ExchangeEvent) => void) | undefined;
  /** Asked right before the first byte of each request is written: whether it still may be. @default it may */
  readonly mayBegin?: MayBegin | undefined;
}

/** Sends requests to one contact center and gives what they came to. */
export type Sender = ReturnType<typeof createSender>;

/** @throws ConfigurationError when the installation's connection cannot be set up. */
export function createSender(installation: Installation, options: SenderOptions) {
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
    if (may !== true) this.#stop(may === false ? heldBack(name) : may);
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

const heldBack = (name: string): NotSentError =>
  new NotSentError(
    `${name}: not sent, since this process did not answer the ledger for too long, and another one may have taken the run`,
    name,
  );

function givenUp(name: string, begun: boolean, cause: unknown): ContactCenterError {
  return begun
    ? new OutcomeUnknownError(`${name}: given up while waiting for the answer`, name, undefined, {
        cause,
      })
    : new NotSentError(`${name}: given up before it was sent`, name, undefined, { cause });
}
