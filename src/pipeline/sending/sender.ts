import pLimit from 'p-limit';
import {
  ContactCenterError,
  NotAuthorizedError,
  NotSentError,
  OutcomeUnknownError,
  RefusedError,
  TryLaterError,
} from '../../core/errors.js';
import { isServerError } from '../../core/http-status.js';
import { permittedTime } from '../../core/time/hours.js';
import { createBreaker } from './breaker.js';
import { foreignStop } from './foreign.js';
import type { Limiter, RequestEnd } from '../limiter/limiter.js';
import type { IdleWaits } from './task-queue.js';
import { type PermittedPorts, createPermittedGate } from './permitted.js';
import type { Permits } from './permits.js';
import { createRetryBudget } from './retry-budget.js';
import { type Patience, isHopeless, retryDelay } from '../../core/time/retry-timing.js';
import { INTERRUPTED, StopRun } from '../../core/stop.js';

/** Sends requests: so many at a time, within pace, patience and the retry budget, and counts them. */
export interface Sender {
  /**
   * Sends until there is an answer. Only a request that had no effect, because it never left, was turned away
   * untouched, or only reads, is sent again.
   * @throws StopRun when sending again is of no use or not wanted any more.
   * @throws ContactCenterError for every answer that is an end for this request.
   */
  send<T>(attempt: Attempt<T>): Promise<T>;
  readonly counts: { requests: number; retries: number };
}

export interface Attempt<T> {
  /** Requests of a kind cost the contact center alike. */
  readonly kind: string;
  /** How many clients the request carries, for the pace. */
  readonly clients: number;
  /** Whether its clients could have travelled in a batch of another size. @default false */
  readonly batched?: boolean;
  /** Runs before each attempt; when it resolves, the intent is durable. Absent: the request only reads. */
  readonly before?: () => Promise<void>;
  readonly request: () => Promise<T>;
  /** Runs when an attempt turned out to have had no effect. */
  readonly undone?: () => Promise<void>;
}

export interface SenderPorts extends PermittedPorts {
  /** In [0, 1). */
  readonly random: () => number;
  readonly permits: Permits;
  readonly patience: Patience;
  /** How many requests may be in flight; told of each. */
  readonly limiter: Limiter;
  /** Told of waits for another try, so that others can go on meanwhile. */
  readonly idleWaits: IdleWaits;
  /** Whether the contact center has answered others in the interface's own form. @default it has not */
  readonly isKnown?: (() => boolean) | undefined;
  /** Told when the contact center gives trouble, once until it answers again; for the person. */
  readonly onTrouble?: ((message: string) => void) | undefined;
}

/** How often a lookup without an answer is made again, while others are answered, before it is given up. */
const READ_TRIES = 8;

/** So many failures without one answer between are hardly chance any more. */
const OUTAGE = 2;

/** How often a request has been tried, and since when. */
interface Tries {
  number: number;
  readonly began: number;
}

export function createSender(ports: SenderPorts): Sender {
  const { clock, permits, signal, limiter, idleWaits } = ports;
  const untilPermitted = createPermittedGate(ports);
  const limit = pLimit(limiter.concurrency);
  const breaker = createBreaker();
  const budget = createRetryBudget();
  const counts = { requests: 0, retries: 0 };
  const started = clock.now();
  let lastSuccess: number | null = null;
  let hasAnswered = false;
  let inTrouble = false;
  let failures = 0;
  let halted: StopRun | undefined;

  const isKnown = (): boolean => hasAnswered || (ports.isKnown?.() ?? false);

  const goOn = (): void => {
    signal.throwIfAborted();
    if (halted) throw halted;
  };

  const pause = async (ms: number): Promise<void> => {
    if (ms > 0) await clock.sleep(ms, signal);
    goOn();
  };

  const untilClosed = async (): Promise<void> => {
    for (let wait = breaker.wait(clock.now()); wait > 0; wait = breaker.wait(clock.now()))
      await pause(wait);
  };

  const answered = (): void => {
    breaker.succeeded();
    lastSuccess = clock.now();
    inTrouble = false;
    failures = 0;
    hasAnswered = true;
  };

  const tryOnce = async <T>(attempt: Attempt<T>): Promise<T> => {
    if (ports.hours) await untilPermitted();
    goOn();
    if (breaker.wait(clock.now()) > 0) await untilClosed();
    await attempt.before?.();
    let paced: boolean;
    try {
      // Not before the intent is on the disk: what the disk takes would let requests bunch up.
      do {
        const wait = permits.pace.reserve(clock.now(), attempt.clients);
        paced = wait > 0;
        if (paced) await clock.sleep(wait, signal);
      } while (ports.hours && (await untilPermitted()));
      // Between this and the request, nothing can happen.
      goOn();
    } catch (error) {
      await attempt.undone?.();
      throw error;
    }
    counts.requests++;
    const { kind, clients, batched = false } = attempt;
    const full = !paced && limit.pendingCount > 0;
    const ended = limiter.begin({ kind, clients, batched, full }, clock.now());
    try {
      const answer = await attempt.request();
      ended('answered', clock.now());
      answered();
      return answer;
    } catch (error) {
      ended(endOf(error), clock.now());
      if (error instanceof ContactCenterError) judgeFailure(attempt, error);
      throw error;
    } finally {
      limit.concurrency = limiter.concurrency;
    }
  };

  /** A refusal is an answer too; being busy is none, but a sign of life: whoever tries for all has tried. */
  const judgeFailure = <T>({ before }: Attempt<T>, error: ContactCenterError): void => {
    if (error instanceof NotAuthorizedError)
      halted ??= new StopRun(wrongCredentials(error), { cause: error });
    if (error.seen && !isKnown()) {
      halted ??= foreignStop(error, error.seen, before === undefined);
      return;
    }
    if (isAnswer(error)) {
      answered();
      return;
    }
    if (error instanceof TryLaterError) breaker.succeeded();
    else breaker.failed(clock.now());
  };

  const tellTrouble = (error: ContactCenterError): void => {
    if (!inTrouble) ports.onTrouble?.(`${error.message}; trying on.`);
    inTrouble = true;
  };

  /** Waits until the request may be sent again, or throws. */
  const afterFailure = async <T>(attempt: Attempt<T>, error: unknown, tries: Tries) => {
    if (!(error instanceof ContactCenterError)) throw error;
    if (error instanceof NotAuthorizedError) {
      await attempt.undone?.();
      if (halted) throw halted;
    }
    if (error.seen && halted && !isKnown()) {
      if (isAnswer(error)) await attempt.undone?.();
      throw halted;
    }
    if (isAnswer(error)) throw error;
    const isHarmless = error instanceof NotSentError || error instanceof TryLaterError;
    if (isHarmless) await attempt.undone?.();
    else if (attempt.before || isGivenUp(tries)) {
      tellTrouble(error);
      throw error;
    }
    signal.throwIfAborted();
    const after = error instanceof TryLaterError ? error.retryAfterMs : undefined;
    const delay = Math.max(
      retryDelay(tries.number, after, ports.random()),
      budget.take(clock.now()),
    );
    // Waiting only to give up then would keep the person waiting for nothing.
    const since = lastSuccess ?? started;
    const tried = permittedTime(ports.hours, since, clock.now() + delay);
    if (isHopeless(since + tried, started, lastSuccess, ports.patience))
      throw (halted ??= new StopRun(gaveUp(error), { cause: error }));
    tellTrouble(error);
    // Who is refused among others lets others go on; in an outage they would only be refused too.
    await (++failures < OUTAGE ? idleWaits.during(pause(delay)) : pause(delay));
    counts.retries++;
  };

  /** Where nobody is answered it is not the request's own fault, and patience decides. */
  const isGivenUp = ({ number, began }: Tries): boolean =>
    number >= READ_TRIES && lastSuccess !== null && lastSuccess >= began;

  /** A signal's reason says that the person interrupted the run. */
  const orInterrupted = (error: unknown): unknown =>
    signal.aborted && error === signal.reason ? new StopRun(INTERRUPTED) : error;

  return {
    counts,
    send: async (attempt) => {
      budget.sent();
      for (const tries: Tries = { number: 1, began: clock.now() }; ; tries.number++) {
        try {
          return await limit(() => permits.place(() => tryOnce(attempt)));
        } catch (error) {
          await afterFailure(attempt, error, tries).catch((end: unknown) => {
            throw orInterrupted(end);
          });
        }
      }
    },
  };
}

/** Whether the contact center was there and decided. A server error says neither that it did nothing nor that it can. */
function isAnswer(error: ContactCenterError): boolean {
  return error instanceof RefusedError && !isServerError(error.status);
}

/** What the end of a request says of the load. An answer that never came is taken for one that came too late. */
function endOf(error: unknown): RequestEnd {
  if (error instanceof TryLaterError || error instanceof OutcomeUnknownError) return 'refused';
  return error instanceof RefusedError ? 'answered' : 'other';
}

function wrongCredentials({ status }: NotAuthorizedError): string {
  return `The contact center did not accept the credentials (HTTP ${status ?? '?'}); check the installation's headers. The same command goes on from here.`;
}

function gaveUp(error: ContactCenterError): string {
  const what = error instanceof TryLaterError ? 'stayed busy' : 'could not be reached';
  return `The contact center ${what}: ${error.message}. The same command goes on from here.`;
}
