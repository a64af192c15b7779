import type { OperationName } from '../contract/operations.js';
import { NotPermittedError, meaningOf } from '../core/errors.js';
import type { MayBegin } from '../core/ledger.js';
import { type PermittedHours, hoursText, localText, nextPermitted } from '../core/hours.js';
import type { Installation } from '../installation/installation.js';
import type { Answer } from './body.js';
import type { ConnectionOptions } from './connection/connection-options.js';
import { classifyResponse } from './classify-response.js';
import { currentHeaders } from './current-headers.js';
import { exchange } from './exchange.js';

import { openConnection, type Connection } from './connection/pool.js';
import type { RequestExtras, PreparedRequest } from './request.js';

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

/** One request to which there was no whole answer, for counting. */
export type NoAnswerEvent = Pick<ExchangeEvent, 'operation' | 'milliseconds'>;

export interface SenderOptions extends ConnectionOptions {
  /** Called for every request that came to no whole answer. */
  readonly onNoAnswer?: ((event: NoAnswerEvent) => void) | undefined;
  /** Called for every answer, before it is classified. */
  readonly onAnswer?: ((event: ExchangeEvent) => void) | undefined;
  /** Asked right before the first byte of each request is written: whether it still may be. @default it may */
  readonly mayBegin?: MayBegin | undefined;
}

/** Sends requests to one contact center and gives what they came to. */
export interface Sender {
  /**
   * Resolves with the operation's value.
   * @throws ContactCenterError whose class says what the caller can do.
   */
  send(name: OperationName, request: PreparedRequest, options?: CallOptions): Promise<unknown>;
  close(): Promise<void>;
}

/** @throws ConfigurationError when the installation's connection cannot be set up. */
export function createSender(installation: Installation, options: SenderOptions): Sender {
  const { pool, origin, prefix, headers: first } = openConnection(installation, options);
  const headers = currentHeaders(installation, options.env ?? {}, first);
  const underWay = new Set<Promise<Answer>>();
  let closing: Promise<void> | undefined;
  // Another address is a sandbox on this machine, at which anything is permitted at any time.
  const hours = options.baseUrl === undefined ? installation.limits.hours : undefined;

  const { mayBegin } = options;
  const ask = (
    name: OperationName,
    { method, path, body }: PreparedRequest,
    { signal, timeoutMs = installation.transport.timeoutMs }: CallOptions,
  ): Promise<Answer> => {
    const dispatch = {
      method,
      path: prefix + path,
      headers: headers.of(body !== undefined),
      body: body ?? null,
    };
    return exchange(pool, { name, origin, dispatch, timeoutMs, signal, mayBegin });
  };

  /** Resolves with the answer; closing waits for it. */
  const answerTo = async (
    name: OperationName,
    request: PreparedRequest,
    call: CallOptions,
  ): Promise<Answer> => {
    const began = performance.now();
    const asked = ask(name, request, call);
    underWay.add(asked);
    try {
      const answer = await asked;
      options.onAnswer?.({
        operation: name,
        status: answer.status,
        milliseconds: performance.now() - began,
        answerBytes: answer.body.byteLength,
        date: dateOf(answer),
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
    send: async (name, request, call = {}) => {
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
    close: () => (closing ??= closeAfter(pool, underWay)),
  };
}

function dateOf({ headers: { date } }: Answer): string | undefined {
  return typeof date === 'string' ? date : undefined;
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
