import pLimit from 'p-limit';
import {
  type CardlineError,
  ContactCenterError,
  type ForeignAnswer,
  NotAuthorizedError,
  NotSentError,
  OutcomeUnknownError,
  RefusedError,
  RunTakenError,
  StopRun,
  TryLaterError,
  interruption,
  isServerError,
} from '../core/errors.js';
import {
  type PermittedHours,
  hoursText,
  localText,
  nextPermitted,
  permittedTime,
} from '../core/time.js';
import type { Permit, RequestEnding, SharedPermits } from '../core/ledger.js';
import { type Clock, type Patience, retryDelay } from '../core/time.js';
import { type Limiter, type RequestEnd, createLimiter } from './limiter.js';

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
 * After a failure `#decideRetry` decides. `give_up` throws the error to the caller. `stop_run` halts the sender: every
 * later request is refused with the same error. `send_again` gives the place up, waits, and begins once more.
 * Whatever surely had no effect withdraws its intent first.
 */

export interface Attempt<T> {
  /** Requests of a kind cost the contact center alike. */
  readonly kind: string;
  readonly clients: number;
  /** Whether its clients could have travelled in a batch of another size. @default false */
  readonly batched?: boolean;
  /** Runs before each attempt; when it resolves, the intent is durable. Absent: the request only reads. */
  readonly before?: () => Promise<void>;
  readonly request: () => Promise<T>;
  /** Runs when an attempt turned out to have had no effect. */
  readonly undone?: () => Promise<void>;
}

interface SenderOptions {
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly permits: Permits;
  readonly hours?: PermittedHours | undefined;
  /** Whether a request that comes outside of them ends the run. @default false: it waits */
  readonly endsOutside?: boolean | undefined;
  readonly patience: Patience;
  /** How many requests may be in flight; each is reported to it. @default one at a time */
  readonly limiter?: Limiter;
  /** Takes note of waits for another try, so that others can go on meanwhile. @default there are none */
  readonly idleWaits?: { during<T>(wait: Promise<T>): Promise<T> };
  readonly pause?: PausePort | undefined;
  /** Whether the contact center has answered others in the interface's own form. @default it has not */
  readonly isKnown?: (() => boolean) | undefined;
  /** Called when the contact center gives trouble, once until it answers again; for the person. */
  readonly onTrouble?: ((message: string) => void) | undefined;
  /** Called once each time the hours are over; for the person. */
  readonly onPause?: ((message: string) => void) | undefined;
}

/** Thrown for a request that was held back by a pause: nothing of it has left. */
const PAUSED = new Error('The run is paused.');

/** A machine that slept, or whose clock was set, is noticed after so long, in milliseconds. */
const LOOK_AGAIN_MS = 60_000;

/** Sends requests: so many at a time, within pace, patience and the retry budget, and counts them. */
export class Sender {
  readonly counts = { requests: 0, retries: 0 };
  inFlight = 0;
  readonly #budget = createRetryBudget();
  readonly #limit = pLimit(1);
  readonly #limiter: Limiter;
  readonly #center: CenterState;
  /** The end of the pause that the person was told of. */
  #announced: number | undefined;

  constructor(private readonly ports: SenderOptions) {
    this.#limiter =
      ports.limiter ?? createLimiter({ concurrency: 1, batchSize: 1, longestMs: Infinity });
    this.#center = new CenterState(ports);
    this.#limit.concurrency = this.#places();
  }

  get isHeld(): boolean {
    return this.#center.breaker.isOpen;
  }

  /**
   * Sends until there is an answer. Only a request that had no effect, because it never left, was turned away
   * untouched, or only reads, is sent again.
   * @throws StopRun when sending again is of no use or not wanted any more.
   * @throws ContactCenterError for every answer that is an end for this request.
   */
  async send<T>(attempt: Attempt<T>): Promise<T> {
    const { clock, pause, signal } = this.ports;
    this.#budget.sent();
    const began = clock.now();
    for (let tries = 1; ; tries++) {
      try {
        return await (pause ? this.#sendUnpaused(attempt, pause) : this.#sendPlaced(attempt));
      } catch (error) {
        await this.#afterFailure(attempt, error, { tries, began }).catch((end: unknown) => {
          // A signal's reason says that the person interrupted the run.
          throw signal.aborted && end === signal.reason ? interruption(signal) : end;
        });
      }
    }
  }

  #sendPlaced<T>(attempt: Attempt<T>): Promise<T> {
    return this.#limit(() => this.ports.permits.place(() => this.#tryOnce(attempt)));
  }

  /** Waits without a place and without a permit, which others may need meanwhile. */
  async #sendUnpaused<T>(attempt: Attempt<T>, pause: PausePort): Promise<T> {
    for (;;) {
      await pause.untilContinued(this.ports.signal);
      try {
        return await this.#sendPlaced(attempt);
      } catch (error) {
        if (error !== PAUSED) throw error;
      }
    }
  }

  async #tryOnce<T>(attempt: Attempt<T>): Promise<T> {
    const { clock, permits } = this.ports;
    await this.#untilPermitted();
    this.#refuseIfOver();
    const { breaker } = this.#center;
    for (let ms = breaker.wait(clock.now()); ms > 0; ms = breaker.wait(clock.now()))
      await this.#pause(ms);
    this.#refuseIfPaused();
    await attempt.before?.();
    let paced: boolean;
    let permit: Permit | undefined;
    try {
      // Not before the intent is on the disk: what the disk takes would let requests bunch up.
      paced = await this.#untilPaced(attempt.clients);
      if (permits.shared) {
        permit = await this.#takePermit(permits.shared, attempt.clients);
        paced ||= permit.waited;
      }
      // Between this and the request, nothing can happen.
      this.#refuseIfOver();
      this.#refuseIfPaused();
    } catch (error) {
      permit?.unused();
      await attempt.undone?.();
      throw error;
    }
    return this.#sendNow(attempt, paced, permit);
  }

  async #sendNow<T>(attempt: Attempt<T>, paced: boolean, permit: Permit | undefined): Promise<T> {
    const { clock } = this.ports;
    this.counts.requests++;
    this.inFlight++;
    const { kind, clients, batched = false } = attempt;
    // With less than the limiter permits, nobody knows what more would bring.
    const isAsPermitted = this.#limit.concurrency >= this.#limiter.concurrency;
    const full = !paced && this.#limit.pendingCount > 0 && isAsPermitted;
    const ended = this.#limiter.begin({ kind, clients, batched, full }, clock.now());
    let ending: RequestEnding = { refused: false };
    try {
      const answer = await attempt.request();
      ended('answered', clock.now());
      this.#center.answered();
      return answer;
    } catch (error) {
      ended(endOf(error), clock.now());
      if (error instanceof TryLaterError)
        ending = { refused: true, retryAfterMs: error.retryAfterMs };
      if (error instanceof ContactCenterError)
        this.#center.failed(error, attempt.before === undefined);
      // Those that wait for the contact center need not wait any more.
      else if (error instanceof RunTakenError) this.#center.halt(error);
      throw error;
    } finally {
      this.inFlight--;
      this.#limit.concurrency = this.#places();
      permit?.ended(ending);
    }
  }

  /** Waits after a failure until the request may be sent again, or throws. */
  async #afterFailure<T>(attempt: Attempt<T>, error: unknown, tries: Tries): Promise<void> {
    if (!(error instanceof ContactCenterError)) throw error;
    const { clock, signal, idleWaits } = this.ports;
    const stop = this.#center.stopAfter(error);
    if (hadNoEffect(error) || (stop && isAnswer(error))) await attempt.undone?.();
    if (stop) throw stop;
    const decision = this.#decideRetry(error, attempt.before === undefined, tries);
    if (decision === 'give_up') {
      if (!isAnswer(error)) this.#center.reportTrouble(error);
      throw error;
    }
    signal.throwIfAborted();
    if (decision === 'stop_run')
      throw this.#center.halt(new StopRun(gaveUp(error), { cause: error }));
    this.#budget.take(clock.now());
    this.#center.reportTrouble(error);
    const wait = this.#pause(decision.afterMs);
    // One request that is refused among others lets others go on; in an outage they would only be refused too.
    await (this.#center.countRetry() || !idleWaits ? wait : idleWaits.during(wait));
    this.counts.retries++;
  }

  /**
   * Decides what follows a failed request. Only what had no effect, or only reads, is sent again. `give_up`: the error is
   * the end of this request, and its caller decides what follows; `stop_run`: the contact center has not answered for
   * longer than the run's patience; else it is sent again, after so many milliseconds.
   */
  #decideRetry(
    error: ContactCenterError,
    readsOnly: boolean,
    { tries, began }: Tries,
  ): 'give_up' | 'stop_run' | { readonly afterMs: number } {
    const { clock, patience, hours, random, pause } = this.ports;
    const { started, lastSuccess } = this.#center;
    if (isAnswer(error)) return 'give_up';
    // Where no request is answered the mistake is not this request's own, and patience decides.
    const isGivenUp = tries >= MAX_READ_TRIES && lastSuccess !== null && lastSuccess >= began;
    if (!hadNoEffect(error) && (!readsOnly || isGivenUp)) return 'give_up';
    const now = clock.now();
    const retryAfter = error instanceof TryLaterError ? error.retryAfterMs : undefined;
    const afterMs = Math.max(retryDelay(tries, retryAfter, random()), this.#budget.delay(now));
    // Waiting only to give up then would keep the person waiting for nothing.
    const since = lastSuccess ?? started;
    const tried = permittedTime(hours, since, now + afterMs) - (pause?.pausedMs(since) ?? 0);
    return isHopeless(since + tried, started, lastSuccess, patience) ? 'stop_run' : { afterMs };
  }

  /** How many requests may be in flight: as many as the limiter permits, within the run's share of what all may. */
  #places(): number {
    const shared = this.ports.permits.shared?.concurrency() ?? Infinity;
    return Math.min(this.#limiter.concurrency, shared);
  }

  async #pause(ms: number): Promise<void> {
    if (ms > 0) await this.ports.clock.sleep(ms, this.ports.signal);
    this.#refuseIfOver();
  }

  /** @throws what ends the run, once it is stopped */
  #refuseIfOver(): void {
    this.ports.signal.throwIfAborted();
    if (this.#center.halted) throw this.#center.halted;
  }

  #refuseIfPaused(): void {
    if (this.ports.pause?.isPaused) throw PAUSED;
  }

  /**
   * Resolves when the hours permit a request, with whether that had to be waited for.
   * @throws StopRun where the run is not to wait
   */
  async #untilPermitted(): Promise<boolean> {
    const { clock, hours, endsOutside = false, signal, onPause } = this.ports;
    if (!hours) return false;
    for (let hasWaited = false; ; hasWaited = true) {
      const opens = nextPermitted(hours, clock.now());
      if (opens <= clock.now()) return hasWaited;
      if (endsOutside) throw new StopRun(outsideText(hours, opens, true));
      if (this.#announced !== opens) onPause?.(outsideText(hours, opens, false));
      this.#announced = opens;
      await clock.sleep(Math.min(opens - clock.now(), LOOK_AGAIN_MS), signal);
    }
  }

  /** Waits for the pace; resolves with whether there was anything to wait for. */
  async #untilPaced(clients: number): Promise<boolean> {
    const { clock, signal, hours, permits } = this.ports;
    let paced: boolean;
    do {
      const wait = permits.pace.reserve(clock.now(), clients);
      paced = wait > 0;
      if (paced) await clock.sleep(wait, signal);
    } while (hours && (await this.#untilPermitted()));
    return paced;
  }

  /** Takes a permit that is good within the permitted hours. */
  async #takePermit(shared: SharedPermits, clients: number): Promise<Permit> {
    for (;;) {
      const permit = await shared.take(clients, this.ports.signal);
      let hasWaited: boolean;
      try {
        hasWaited = await this.#untilPermitted();
      } catch (error) {
        permit.unused();
        throw error;
      }
      // What was a permit before the hours ended is none after them.
      if (!hasWaited) return permit;
      permit.unused();
    }
  }
}

/** What the end of a request says of the load. An answer that never came is taken for one that came too late. */
function endOf(error: unknown): RequestEnd {
  if (error instanceof TryLaterError || error instanceof OutcomeUnknownError) return 'refused';
  return error instanceof RefusedError ? 'answered' : 'other';
}

function gaveUp(error: ContactCenterError): string {
  // Where there was a status, somebody answered: the gateway, or another server.
  const silent =
    error.status === undefined ? 'could not be reached' : 'did not answer as it should';
  const what = error instanceof TryLaterError ? 'stayed busy' : silent;
  return `The contact center ${what}: ${error.message}. The same command goes on from here.`;
}

function outsideText(hours: PermittedHours, opens: number, ends: boolean): string {
  const [permitted, from] = [hoursText(hours), localText(hours, opens)];
  return ends
    ? `Requests are permitted ${permitted}, and the run was not to wait. The same command goes on from ${from} there.`
    : `Requests are permitted ${permitted}; the run pauses until ${from} there, and goes on by itself.`;
}

/** How often a lookup without an answer is made again, while others are answered, before it is given up. */
const MAX_READ_TRIES = 8;

/** How often a request was sent, and when it was to be sent first, in milliseconds since the epoch. */
interface Tries {
  readonly tries: number;
  readonly began: number;
}

/** Whether the contact center was there and decided. A server error says neither that it did nothing nor that it can. */
const isAnswer = (error: ContactCenterError): boolean =>
  error instanceof RefusedError && !isServerError(error.status);

/** Whether the request never left, or was turned away untouched. */
const hadNoEffect = (error: ContactCenterError): boolean =>
  error instanceof NotSentError || error instanceof TryLaterError;

/** Retries that are allowed from the start, and the share of the requests that may be added to them. */
const RETRIES = 50;
const SHARE = 0.1;
/** Retries a second that are allowed even when the budget is used up: few enough not to multiply an outage. */
const SLOW_PER_SECOND = 10;

function createRetryBudget() {
  let left = RETRIES;
  let free = 0;
  return {
    /** A request that is no retry was sent. */
    sent: (): void => {
      left = Math.min(left + SHARE, RETRIES);
    },
    /** How long a retry that is wanted now would have to wait, in milliseconds. */
    delay: (now: number): number => (left >= 1 ? 0 : Math.max(0, free - now)),
    /** Takes a retry, which is made after that delay. */
    take: (now: number): void => {
      if (left >= 1) left--;
      else free = Math.max(now, free) + 1000 / SLOW_PER_SECOND;
    },
  };
}

/** Failures in a row, without one answer between, after which the contact center is taken for dead. */
const FAILURES = 10;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 20_000;

/**
 * A circuit breaker: after many failures in a row nothing is sent for a while, then one request tries, and its fate
 * decides for all. The time is given to it.
 */
class Breaker {
  #failures = 0;
  #pause = 0;
  #openUntil: number | null = null;
  #trying = false;

  /** Whether it keeps requests back, all but the one that tries. */
  get isOpen(): boolean {
    return this.#openUntil !== null;
  }

  /** How long to wait before asking again, in milliseconds; 0: go ahead. The first to be let through tries for all. */
  wait(now: number): number {
    if (this.#openUntil === null) return 0;
    if (this.#trying) return FIRST_PAUSE_MS / 4;
    if (now < this.#openUntil) return this.#openUntil - now;
    this.#trying = true;
    return 0;
  }

  succeeded(): void {
    [this.#failures, this.#pause, this.#openUntil, this.#trying] = [0, 0, null, false];
  }

  failed(now: number): void {
    this.#failures++;
    if (!this.#trying && (this.#failures < FAILURES || this.isOpen)) return;
    this.#trying = false;
    this.#pause = this.#pause === 0 ? FIRST_PAUSE_MS : Math.min(this.#pause * 2, LONGEST_PAUSE_MS);
    this.#openUntil = now + this.#pause;
  }
}

/** So many failures without one answer between are hardly chance any more. */
const OUTAGE = 2;

class CenterState {
  readonly started: number;
  /** When the last answer came, in milliseconds since the epoch; `null` before the first one. */
  lastSuccess: number | null = null;
  halted: CardlineError | undefined;
  readonly breaker = new Breaker();
  #inTrouble = false;
  #failures = 0;

  constructor(private readonly ports: Pick<SenderOptions, 'clock' | 'isKnown' | 'onTrouble'>) {
    this.started = ports.clock.now();
  }

  /** Keeps every further request back. The first reason stays. */
  halt(stop: CardlineError): CardlineError {
    return (this.halted ??= stop);
  }

  answered(): void {
    this.breaker.succeeded();
    this.lastSuccess = this.ports.clock.now();
    this.#inTrouble = false;
    this.#failures = 0;
  }

  /** Notes a failed request. A refusal is an answer; being busy is none, but it ends the test of an open breaker. */
  failed(error: ContactCenterError, readsOnly: boolean): void {
    if (error instanceof NotAuthorizedError) {
      const message = `The contact center did not accept the credentials (HTTP ${error.status ?? '?'}); check the installation's headers. The same command goes on from here.`;
      this.halt(new StopRun(message, { cause: error }));
    }
    if (error.seen && !this.#isKnown()) this.halt(foreignStop(error, error.seen, readsOnly));
    else if (isAnswer(error)) this.answered();
    else if (error instanceof TryLaterError) this.breaker.succeeded();
    else this.breaker.failed(this.ports.clock.now());
  }

  /** Why the run ends with this error: the credentials are wrong, or this is no contact center. */
  stopAfter(error: ContactCenterError): CardlineError | undefined {
    const endsRun = error instanceof NotAuthorizedError || (error.seen && !this.#isKnown());
    return endsRun ? this.halted : undefined;
  }

  /** Reports an error to the person, unless there has been no answer since the last one. */
  reportTrouble(error: ContactCenterError): void {
    if (!this.#inTrouble) this.ports.onTrouble?.(`${error.message}; trying on.`);
    this.#inTrouble = true;
  }

  /** Counts a retry. Returns whether there were so many without an answer that others would only fail too. */
  countRetry(): boolean {
    return ++this.#failures >= OUTAGE;
  }

  #isKnown(): boolean {
    return this.lastSuccess !== null || (this.ports.isKnown?.() ?? false);
  }
}

const CHECK =
  'Check baseUrl in the installation, with its path, the proxy, and whether a login stands in between.';

function foreignStop(error: ContactCenterError, seen: ForeignAnswer, readsOnly: boolean): StopRun {
  const left =
    readsOnly || error instanceof RefusedError
      ? 'Nothing was sent; the same command goes on from here.'
      : 'What this request carried is looked up when the same command goes on from here.';
  const { status, words, location } = seen;
  const answer =
    location === null ? `HTTP ${status} and ${words}` : `HTTP ${status}, a redirect to ${location}`;
  return new StopRun(
    `This is no contact center, or not its address: ${seen.address ?? error.operation} answered with ${answer}. ${CHECK} ${left}`,
    { cause: error },
  );
}

/** Whether a run may send. A run that is paused lets what is in flight end, and sends nothing new. */
export interface PausePort {
  readonly isPaused: boolean;
  /** Resolves when the run goes on, or the signal is aborted. */
  untilContinued(signal: AbortSignal): Promise<void>;
  /** How long the run has been paused since a time, in milliseconds: patience does not run out meanwhile. */
  pausedMs(since: number): number;
}

/** A promise, and what resolves it. */
export interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

export function createDeferred(): Deferred {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((give) => {
    resolve = give;
  });
  return { promise, resolve };
}

/** What the contact center's owners permit; absent: anything. */
export interface PaceLimits {
  readonly requestsPerSecond?: number | undefined;
  readonly clientsPerSecond?: number | undefined;
  readonly hours?: PermittedHours | undefined;
  /** Whether a run ends outside of the hours, in place of waiting. @default false */
  readonly endsOutside?: boolean | undefined;
}

/** Counts what is permitted, over all who send with it. */
export interface Permits {
  /** Takes the next place in the pace; says how long to wait for it, in milliseconds. */
  readonly pace: { reserve(now: number, clients: number): number };
  /** Runs `work`, which sends one request, when one more may be in flight. */
  place<T>(work: () => Promise<T>): Promise<T>;
  /** Permits that other machines have a part in; absent where this process alone counts. */
  readonly shared?: SharedPermits | undefined;
}

export function createPermits(
  limits: PaceLimits & { readonly concurrency?: number | undefined },
): Permits {
  const pace = createPace(limits);
  const { concurrency } = limits;
  if (concurrency === undefined) return { pace, place: (work) => work() };
  const limit = pLimit(concurrency);
  return { pace, place: (work) => limit(work) };
}

const SECOND_MS = 1000;

/** Spreads requests evenly, so that no second holds more than is permitted: each moves the next place by its own cost. */
export function createPace(limits: PaceLimits): Permits['pace'] {
  if (limits.requestsPerSecond === undefined && limits.clientsPerSecond === undefined)
    return { reserve: () => 0 };
  const perRequest = limits.requestsPerSecond ? SECOND_MS / limits.requestsPerSecond : 0;
  const perClient = limits.clientsPerSecond ? SECOND_MS / limits.clientsPerSecond : 0;
  const take = createSecond(limits.clientsPerSecond ?? Infinity);
  let free = 0;
  return {
    reserve: (now, clients) => {
      const at = take(Math.max(now, free), clients);
      free = at + Math.max(perRequest, perClient * clients);
      return at - now;
    },
  };
}

/**
 * Gives the first place from a time on at which the second up to it has room. Requests differ in size: an even spread
 * alone lets a large one follow too soon.
 */
function createSecond(permitted: number): (earliest: number, clients: number) => number {
  const places: { readonly at: number; readonly clients: number }[] = [];
  let taken = 0;
  return (earliest, clients) => {
    let at = earliest;
    for (let first = places[0]; first; first = places[0]) {
      if (at < first.at + SECOND_MS && taken + clients <= permitted) break;
      at = Math.max(at, first.at + SECOND_MS);
      taken -= first.clients;
      places.shift();
    }
    places.push({ at, clients });
    taken += clients;
    return at;
  };
}

/**
 * How many clients to send in a request, at most `clients`: no more than a second permits, and so many that whole
 * requests fill a second.
 */
export function clientsAtOnce(
  { clientsPerSecond, requestsPerSecond = Infinity }: PaceLimits,
  clients: number,
): number {
  if (clientsPerSecond === undefined) return clients;
  const permitted = Math.max(1, Math.floor(clientsPerSecond));
  const requests = Math.ceil(permitted / clients);
  // Where requests are what is scarce, they are to be large.
  return requests > requestsPerSecond ? clients : Math.floor(permitted / requests);
}

/** Whether to stop asking. `lastSuccess` is `null` before the first success. */
function isHopeless(
  now: number,
  started: number,
  lastSuccess: number | null,
  patience: Patience,
): boolean {
  return lastSuccess === null
    ? now - started > patience.atStart
    : now - lastSuccess > patience.later;
}
