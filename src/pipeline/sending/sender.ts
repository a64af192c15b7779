import pLimit from 'p-limit';
import {
  ContactCenterError,
  OutcomeUnknownError,
  RefusedError,
  RunTakenError,
  TryLaterError,
} from '../../core/errors.js';
import { StopRun, interruption } from '../../core/errors.js';
import type { Patience } from '../../core/time.js';
import type { Limiter, RequestEnd } from '../limiter/limiter.js';
import { CenterState, type CenterStatePorts } from './center-state.js';
import type { Permit } from '../../core/ledger.js';
import type { PausePort } from './pause.js';
import { type PermittedPorts, createPermittedGate } from './permitted.js';
import type { Permits } from './permits.js';
import { createRetryBudget } from './retry-budget.js';
import { type RetryDecision, decideRetry, hadNoEffect, isAnswer } from './retry-decision.js';
import { takePermit, withPermit } from './shared-permit.js';
import type { IdleWaits } from './task-queue.js';

/*
 * The way of a request:
 *
 * - It waits for one of the places that the limiter permits, and for one of the permits that all runs share.
 * - Admitted, it waits until the permitted hours begin and the circuit breaker is closed.
 * - Its intent is put on record (`before`), and it waits for its turn in the pace. A run that is stopped meanwhile
 *   withdraws the intent (`undone`), and nothing leaves. One that is paused meanwhile does so too; the request gives
 *   up its place and its permit, and begins again when the run goes on. That counts as no try.
 * - In flight, nothing stops it any more. It ends with an answer, which is returned or thrown, or with a failure.
 *
 * After a failure `decideRetry` decides. `give_up` throws the error to the caller. `stop_run` halts the sender: every
 * later request is refused with the same error. `send_again` gives the place up, waits, and begins once more.
 * Whatever surely had no effect withdraws its intent first.
 */

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
  /** Requests that have left and are not answered yet. */
  readonly inFlight: () => number;
  /** Whether the circuit breaker keeps requests back. */
  readonly isHeld: () => boolean;
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

export interface SenderPorts extends PermittedPorts, CenterStatePorts {
  /** In [0, 1). */
  readonly random: () => number;
  readonly permits: Permits;
  readonly patience: Patience;
  /** How many requests may be in flight; each is reported to it. */
  readonly limiter: Limiter;
  /** Takes note of waits for another try, so that others can go on meanwhile. */
  readonly idleWaits: IdleWaits;
  /** @default never paused */
  readonly pause?: PausePort | undefined;
}

/** Thrown for a request that was held back by a pause: nothing of it has left. */
const PAUSED = new Error('The run is paused.');

/** How often a request has been tried, and since when. */
interface Tries {
  number: number;
  readonly began: number;
}

export function createSender(ports: SenderPorts): Sender {
  const { clock, signal } = ports;
  const center = new CenterState(ports);
  const budget = createRetryBudget();
  const counts = { requests: 0, retries: 0 };
  const limit = pLimit(placesOf(ports));
  const active = { requests: 0 };
  const tryOnce = createTry(ports, center, limit, { counts, active });
  const afterFailure = createRetry(ports, center, budget, counts);

  const sendPlaced = <T>(attempt: Attempt<T>): Promise<T> =>
    limit(() => ports.permits.place(() => tryOnce(attempt)));

  /** Waits without a place and without a permit, which others may need meanwhile. */
  const sendUnpaused = async <T>(attempt: Attempt<T>, pause: PausePort): Promise<T> => {
    for (;;) {
      await pause.untilContinued(signal);
      try {
        return await sendPlaced(attempt);
      } catch (error) {
        if (error !== PAUSED) throw error;
      }
    }
  };

  /** A signal's reason says that the person interrupted the run. */
  const orInterrupted = (error: unknown): unknown =>
    signal.aborted && error === signal.reason ? interruption(signal) : error;

  return {
    counts,
    inFlight: () => active.requests,
    isHeld: () => center.isHeld,
    send: async (attempt) => {
      budget.sent();
      for (const tries: Tries = { number: 1, began: clock.now() }; ; tries.number++) {
        try {
          return await (ports.pause ? sendUnpaused(attempt, ports.pause) : sendPlaced(attempt));
        } catch (error) {
          await afterFailure(attempt, error, tries).catch((end: unknown) => {
            throw orInterrupted(end);
          });
        }
      }
    },
  };
}

/** Makes what sends a request once it has a place. */
function createTry(
  ports: SenderPorts,
  center: CenterState,
  limit: ReturnType<typeof pLimit>,
  { counts, active }: { readonly counts: Sender['counts']; readonly active: { requests: number } },
): <T>(attempt: Attempt<T>) => Promise<T> {
  const { clock, signal, limiter, hours, permits } = ports;
  const untilPermitted = createPermittedGate(ports);
  const untilPaced = createPaceGate(ports, untilPermitted);

  const untilClosed = async (): Promise<void> => {
    for (let wait = center.wait(); wait > 0; wait = center.wait()) await pause(ports, center, wait);
  };

  const sendNow = async <T>(attempt: Attempt<T>, paced: boolean): Promise<T> => {
    counts.requests++;
    active.requests++;
    const { kind, clients, batched = false } = attempt;
    // With less than the limiter permits, nobody knows what more would bring.
    const full = !paced && limit.pendingCount > 0 && limit.concurrency >= limiter.concurrency;
    const ended = limiter.begin({ kind, clients, batched, full }, clock.now());
    try {
      const answer = await attempt.request();
      ended('answered', clock.now());
      center.answered();
      return answer;
    } catch (error) {
      ended(endOf(error), clock.now());
      if (error instanceof ContactCenterError) center.failed(error, attempt.before === undefined);
      // Those that wait for the contact center need not wait any more.
      else if (error instanceof RunTakenError) center.halt(error);
      throw error;
    } finally {
      active.requests--;
      limit.concurrency = placesOf(ports);
    }
  };

  return async (attempt) => {
    if (hours) await untilPermitted();
    refuseIfOver(ports, center);
    if (center.wait() > 0) await untilClosed();
    refuseIfPaused(ports);
    await attempt.before?.();
    let paced: boolean;
    let permit: Permit | undefined;
    try {
      // Not before the intent is on the disk: what the disk takes would let requests bunch up.
      paced = await untilPaced(attempt.clients);
      if (permits.shared) {
        permit = await takePermit(permits.shared, attempt.clients, signal, untilPermitted);
        paced ||= permit.waited;
      }
      // Between this and the request, nothing can happen.
      refuseIfOver(ports, center);
      refuseIfPaused(ports);
    } catch (error) {
      permit?.unused();
      await attempt.undone?.();
      throw error;
    }
    return permit ? withPermit(permit, () => sendNow(attempt, paced)) : sendNow(attempt, paced);
  };
}

/** Makes what waits for the pace, and says whether there was anything to wait for. */
function createPaceGate(
  { clock, signal, hours, permits }: SenderPorts,
  untilPermitted: () => Promise<boolean>,
): (clients: number) => Promise<boolean> {
  return async (clients) => {
    let paced: boolean;
    do {
      const wait = permits.pace.reserve(clock.now(), clients);
      paced = wait > 0;
      if (paced) await clock.sleep(wait, signal);
    } while (hours && (await untilPermitted()));
    return paced;
  };
}

/** How many requests may be in flight: as many as the limiter permits, within the run's share of what all may. */
function placesOf({ limiter, permits }: SenderPorts): number {
  return Math.min(limiter.concurrency, permits.shared?.concurrency() ?? Infinity);
}

/** Makes what waits after a failure until the request may be sent again, or throws. */
function createRetry(
  ports: SenderPorts,
  center: CenterState,
  budget: ReturnType<typeof createRetryBudget>,
  counts: Sender['counts'],
): <T>(attempt: Attempt<T>, error: unknown, tries: Tries) => Promise<void> {
  const { clock, signal, patience, hours, random } = ports;

  const decide = (
    error: ContactCenterError,
    readsOnly: boolean,
    { number, began }: Tries,
  ): RetryDecision => {
    const { started, lastSuccess } = center;
    const now = clock.now();
    const pausedMs = ports.pause?.pausedMs(lastSuccess ?? started) ?? 0;
    const budgetMs = budget.delay(now);
    return decideRetry(
      { error, readsOnly, tries: number, began },
      { now, started, lastSuccess, pausedMs, budgetMs, patience, hours, random },
    );
  };

  return async (attempt, error, tries) => {
    if (!(error instanceof ContactCenterError)) throw error;
    const stop = center.stopAfter(error);
    if (hadNoEffect(error) || (stop && isAnswer(error))) await attempt.undone?.();
    if (stop) throw stop;
    const decision = decide(error, attempt.before === undefined, tries);
    if (decision.action === 'give_up') {
      if (!isAnswer(error)) center.reportTrouble(error);
      throw error;
    }
    signal.throwIfAborted();
    if (decision.action === 'stop_run')
      throw center.halt(new StopRun(gaveUp(error), { cause: error }));
    budget.take(clock.now());
    center.reportTrouble(error);
    const wait = pause(ports, center, decision.afterMs);
    // One request that is refused among others lets others go on; in an outage they would only be refused too.
    await (center.countRetry() ? wait : ports.idleWaits.during(wait));
    counts.retries++;
  };
}

/** @throws what ends the run, once it is stopped */
function refuseIfOver({ signal }: SenderPorts, { halted }: CenterState): void {
  signal.throwIfAborted();
  if (halted) throw halted;
}

function refuseIfPaused({ pause }: SenderPorts): void {
  if (pause?.isPaused) throw PAUSED;
}

async function pause(ports: SenderPorts, center: CenterState, ms: number): Promise<void> {
  if (ms > 0) await ports.clock.sleep(ms, ports.signal);
  refuseIfOver(ports, center);
}

/** What the end of a request says of the load. An answer that never came is taken for one that came too late. */
function endOf(error: unknown): RequestEnd {
  if (error instanceof TryLaterError || error instanceof OutcomeUnknownError) return 'refused';
  return error instanceof RefusedError ? 'answered' : 'other';
}

function gaveUp(error: ContactCenterError): string {
  const what = error instanceof TryLaterError ? 'stayed busy' : 'could not be reached';
  return `The contact center ${what}: ${error.message}. The same command goes on from here.`;
}
