import { env as processEnv } from 'node:process';
import {
  type ContactCenter,
  type ExchangeEvent,
  createContactCenter,
  type RequestExtras,
} from '../client/contact-center.js';
import { type MayBegin, type SharedPermits, isPostgresAddress } from '../core/ledger.js';
import type { Installation } from '../installation/installation.js';
import type { RunOptions } from './requests.js';
import type { Closing } from './scoped.js';
import { ledgerPath } from '../options/places.js';
import { isErrorStatus } from '../core/errors.js';
import { addressKey } from '../core/client.js';
import { DEFAULT_PATIENCE, type Patience } from '../core/time.js';
import { DEFAULT_RECOVERY } from '../installation/installation.js';
import {
  type BodyExtras,
  type PaceLimits,
  type Permits,
  createPace,
  createPermits,
} from '../delivery/import.js';

/** What a first request has shown: nothing as yet, that it may be a contact center, or that it surely is one. */
export interface Met {
  known: 'not asked' | 'perhaps' | 'surely';
}

/** A contact center's client, and who learns of its answers. */
export interface Connection {
  readonly center: ContactCenter;
  onAnswer: (answer: ExchangeEvent) => void;
  answered: number;
  readonly met: Met;
  /** What other machines have a part in; absent where this process alone counts. */
  shared?: SharedPermits | undefined;
  /** Of the runs that are at work on it: each is asked right before a request is written whether it still may be. */
  readonly gates: Set<MayBegin>;
}

/**
 * Connects a run: with a ledger in a database, other machines have a part in what is permitted.
 * @param of the run that several processes work on: its weight is that of all of them together
 * @throws ConfigurationError when the connection cannot be set up; NoLedgerError for an address that cannot be read
 */
export async function connectRun(
  request: RunOptions,
  installation: Installation,
  closing: Closing,
  of: { readonly run?: string; readonly met?: Met } = {},
): Promise<Connection> {
  const connection = connect(request, installation, of.met);
  closing(() => connection.center.close());
  const ledger = ledgerPath(request.ledger, installation);
  const limits = permitted(installation);
  const isLimited = Object.values(limits).some((limit) => limit !== undefined);
  if (!isPostgresAddress(ledger) || !isLimited) return connection;
  // All machines share the permits of a contact center with a ledger in a database.
  const { joinPace, openPace } = await import('../fleet/pace.js');
  const center = addressKey(request.baseUrl ?? installation.baseUrl);
  const shared = joinPace(openPace(ledger, center), {
    limits,
    group: of.run,
    weight: request.priority ?? DEFAULT_PRIORITY,
    giveUpAfterMs: patienceOf(request).later,
    onTrouble: (message) => request.onWarning?.(message),
  });
  connection.shared = shared;
  closing(() => shared.close());
  return connection;
}

const DEFAULT_PRIORITY = 10;

/** @throws ConfigurationError when the installation's connection cannot be set up */
export function connect(
  request: RunOptions,
  installation: Installation,
  met: Met = { known: 'not asked' },
): Connection {
  const { observer } = request;
  // Another address is a sandbox on this machine: a proxy would not find it.
  const { proxy: _, ...direct } = installation.transport;
  const transport = request.baseUrl === undefined ? installation.transport : direct;
  const connection: Connection = {
    ...{ met, answered: 0 },
    gates: new Set(),
    onAnswer: (_answer: ExchangeEvent): void => undefined,
    center: createContactCenter(
      { ...installation, transport },
      {
        env: request.env ?? processEnv,
        ...(request.baseUrl === undefined ? {} : { baseUrl: request.baseUrl }),
        connections: maxConcurrency(request, installation),
        onAnswer: (answer) => {
          observer?.onRequest?.(answer);
          connection.answered++;
          connection.onAnswer(answer);
        },
        ...(observer && {
          onNoAnswer: (request) => {
            observer.onRequest?.(request);
          },
        }),
        mayBegin: () => {
          for (const gate of connection.gates) {
            const may = gate();
            if (may !== true) return may;
          }
          return true;
        },
      },
    ),
  };
  return connection;
}

/** Most requests in flight, where their number is found out and the installation has no limit. */
const MAX_CONCURRENCY = 32;

/** The maximum of requests in flight: what is asked for, within what the installation permits. */
export function maxConcurrency(
  { concurrency = 'auto' }: RunOptions,
  { limits }: Installation,
): number {
  if (concurrency === 'auto') return limits.concurrency ?? MAX_CONCURRENCY;
  return Math.min(concurrency, limits.concurrency ?? Infinity);
}

/** Answers of one operation with one status that came within a short time. Without personal data. */
export interface AnswerSum {
  readonly operation: string;
  readonly status: number;
  readonly answers: number;
  /** Of all together, from each request to the end of its answer. */
  readonly milliseconds: number;
  readonly longest: number;
  readonly answerBytes: number;
  /** Milliseconds from the first of them to the last. */
  readonly within: number;
}

/** So long answers wait for others of their kind, in milliseconds: a line for each would cost more than its request. */
const WINDOW_MS = 200;

type Waiting = { -readonly [K in keyof AnswerSum]: AnswerSum[K] } & { first: number; last: number };

/** `write` gets the sums of what came; an error that comes alone is written at once, with all before it. */
export function createAnswerLog(
  write: (sum: AnswerSum) => void,
  now: () => number = performance.now.bind(performance),
) {
  const waiting = new Map<string, Waiting>();
  let timer: NodeJS.Timeout | undefined;
  let flushed = -Infinity;

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    flushed = now();
    for (const { first, last, ...sum } of waiting.values()) write({ ...sum, within: last - first });
    waiting.clear();
  };

  return {
    add: ({ operation, status, milliseconds, answerBytes }: ExchangeEvent): void => {
      const at = now();
      const key = `${operation} ${status}`;
      const none = { answers: 0, milliseconds: 0, longest: 0, answerBytes: 0, within: 0 };
      const sum = waiting.get(key) ?? { operation, status, ...none, first: at, last: at };
      sum.answers++;
      sum.milliseconds += milliseconds;
      sum.longest = Math.max(sum.longest, milliseconds);
      sum.answerBytes += answerBytes;
      sum.last = at;
      waiting.set(key, sum);
      if (isErrorStatus(status) && at - flushed > WINDOW_MS) flush();
      else timer ??= setTimeout(flush, WINDOW_MS);
    },
    close: flush,
  };
}

/** How long a run goes on without one success. */
export function patienceOf({ giveUpAfterMs }: RunOptions): Patience {
  if (giveUpAfterMs === undefined) return DEFAULT_PATIENCE;
  return { atStart: giveUpAfterMs, later: giveUpAfterMs };
}

/** What a creation carries so that deleted clients are restored, where the installation wants it (interface.md 4.1). */
export interface Recovery extends Pick<RequestExtras, 'query'> {
  readonly extras?: BodyExtras;
}

/** @param wanted whether the import restores deleted clients */
export function recoveryOf(
  wanted: boolean,
  { recovery = DEFAULT_RECOVERY }: Installation,
): Recovery {
  if (!wanted) return {};
  const { in: place, name, value } = recovery;
  const member = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
  switch (place) {
    case 'body':
      return { extras: { beside: member, inEach: '' } };
    case 'client':
      return { extras: { beside: '', inEach: member } };
    case 'query':
      return { query: { [name]: value } };
  }
}

/** By the contact center's address and what is permitted there; those used last come last. */
const all = new Map<string, Permits>();
/** Far more contact centers than a program sends to at a time. */
const MAX_KEPT = 100;

/**
 * The permits of a contact center, at the pace that the run asks for. All runs of this process share them; with a ledger
 * in a database, all machines do (`machines`).
 */
export function sharedPermits(
  request: RunOptions,
  installation: Installation,
  machines?: SharedPermits,
): Permits {
  const { requestsPerSecond, clientsPerSecond } = request;
  if (machines)
    return { ...createPermits({ requestsPerSecond, clientsPerSecond }), shared: machines };
  const limits = permitted(installation);
  const key = JSON.stringify([request.baseUrl ?? installation.baseUrl, limits]);
  const shared = all.get(key) ?? createPermits(limits);
  all.delete(key);
  all.set(key, shared);
  const [oldest = key] = all.keys();
  if (all.size > MAX_KEPT) all.delete(oldest);
  if (requestsPerSecond === undefined && clientsPerSecond === undefined) return shared;
  const own = createPace(ratesOf(request, installation));
  const { pace } = shared;
  return {
    pace: {
      reserve: (now, clients) => Math.max(pace.reserve(now, clients), own.reserve(now, clients)),
    },
    place: (work) => shared.place(work),
  };
}

const permitted = ({ limits }: Installation) => {
  const { requestsPerSecond, clientsPerSecond, concurrency } = limits;
  return { requestsPerSecond, clientsPerSecond, concurrency };
};

/** What is permitted to a run. The hours are those of the installation's own address: a sandbox has none. */
export function paceLimits(request: RunOptions, installation: Installation): PaceLimits {
  const rates = ratesOf(request, installation);
  if (request.baseUrl !== undefined) return rates;
  const { hours } = installation.limits;
  return { ...rates, hours, endsOutside: request.waitForHours === false };
}

/** What is asked for, within what the installation permits. */
const ratesOf = (request: RunOptions, { limits }: Installation): PaceLimits => ({
  requestsPerSecond: lower(request.requestsPerSecond, limits.requestsPerSecond),
  clientsPerSecond: lower(request.clientsPerSecond, limits.clientsPerSecond),
});

const lower = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
