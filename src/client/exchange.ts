import type { Dispatcher } from 'undici';
import {
  NotSentError,
  OutcomeUnknownError,
  type CardlineError,
  type ContactCenterError,
} from '../core/errors.js';
import type { MayBegin } from '../core/ledger.js';
import type { Answer } from './body.js';
import { transportError } from './transport-error.js';

/** One request and the answer to it. */
export interface ExchangeRequest {
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
export function exchange(dispatcher: Dispatcher, request: ExchangeRequest): Promise<Answer> {
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
    if (this.#end()) this.reject(transportError(this.request, { error, begun: this.#begun }));
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
