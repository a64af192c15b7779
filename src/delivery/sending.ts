import type { LostRequest } from './batch.js';
import {
  ContactCenterError,
  type ForeignAnswer,
  RefusedError,
  StopRun,
  type CardlineError,
  NotAuthorizedError,
  TryLaterError,
  type StatusMeaning,
  isServerError,
  meaningOf,
  OutcomeUnknownError,
  RunTakenError,
  interruption,
} from '../core/errors.js';
import type { Clock, Patience } from '../core/time.js';
import {
  createBreaker,
  isAnswer,
  createRetryBudget,
  type RetryDecision,
  decideRetry,
  hadNoEffect,
} from './retry.js';
import { type PermittedHours, hoursText, localText, nextPermitted } from '../core/hours.js';
import type { Permit, RequestEnding, SharedPermits } from '../core/ledger.js';
import { default as pLimit } from 'p-limit';
import type { Limiter, RequestEnd } from './limiter.js';
import type { Permits, IdleWaits, DeadlineWait } from './queue.js';

const CHECK =
  'Check baseUrl in the installation, with its path, the proxy, and whether a login stands in between.';

/**
 * Why a run stops whose first answers are not a contact center's. `isReadOnly`: the request changes nothing.
 */
function foreignStop(error: ContactCenterError, seen: ForeignAnswer, isReadOnly: boolean): StopRun {
  const left =
    isReadOnly || error instanceof RefusedError
      ? 'Nothing was sent; the same command goes on from here.'
      : 'What this request carried is looked up when the same command goes on from here.';
  return new StopRun(
    `This is no contact center, or not its address: ${seen.address ?? error.operation} answered with ${seenText(seen)}. ${CHECK} ${left}`,
    { cause: error },
  );
}

function seenText({ status, words, location }: ForeignAnswer): string {
  if (location === null) return `HTTP ${status} and ${words}`;
  return `HTTP ${status}, a redirect to ${location}`;
}

/** So many failures without one answer between are hardly chance any more. */
const OUTAGE = 2;

interface CenterStatePorts {
  readonly clock: Clock;
  /** Whether the contact center has answered others in the interface's own form. @default it has not */
  readonly isKnown?: (() => boolean) | undefined;
  /** Called when the contact center gives trouble, once until it answers again; for the person. */
  readonly onTrouble?: ((message: string) => void) | undefined;
}

/** What all requests of a run have learned of the contact center. */
class CenterState {
  readonly started: number;
  /** When the last answer came, in milliseconds since the epoch; `null` before the first one. */
  lastSuccess: number | null = null;
  /** Why no request may leave any more. */
  halted: CardlineError | undefined;
  private readonly breaker = createBreaker();
  private inTrouble = false;
  private failures = 0;

  constructor(private readonly ports: CenterStatePorts) {
    this.started = ports.clock.now();
  }

  /** How long the circuit breaker keeps the next request back, in milliseconds; 0: not at all. */
  wait(): number {
    return this.breaker.wait(this.ports.clock.now());
  }

  /** Whether the circuit breaker is open. */
  get isHeld(): boolean {
    return this.breaker.isOpen;
  }

  /** Keeps every further request back. The first reason stays. */
  halt(stop: CardlineError): CardlineError {
    return (this.halted ??= stop);
  }

  /** Notes an answer, whatever it says. */
  answered(): void {
    this.breaker.succeeded();
    this.lastSuccess = this.ports.clock.now();
    this.inTrouble = false;
    this.failures = 0;
  }

  /** Notes a failed request. A refusal is an answer; being busy is none, but it ends the test of an open breaker. */
  failed(error: ContactCenterError, readsOnly: boolean): void {
    if (error instanceof NotAuthorizedError)
      this.halt(new StopRun(wrongCredentials(error), { cause: error }));
    if (error.seen && !this.isKnown()) this.halt(foreignStop(error, error.seen, readsOnly));
    else if (isAnswer(error)) this.answered();
    else if (error instanceof TryLaterError) this.breaker.succeeded();
    else this.breaker.failed(this.ports.clock.now());
  }

  /** Why the run ends with this error: the credentials are wrong, or this is no contact center. */
  stopAfter(error: ContactCenterError): CardlineError | undefined {
    const endsRun = error instanceof NotAuthorizedError || (error.seen && !this.isKnown());
    return endsRun ? this.halted : undefined;
  }

  /** Reports an error to the person, unless there has been no answer since the last one. */
  reportTrouble(error: ContactCenterError): void {
    if (!this.inTrouble) this.ports.onTrouble?.(`${error.message}; trying on.`);
    this.inTrouble = true;
  }

  /** Counts a retry. Returns whether there were so many without an answer that others would only fail too. */
  countRetry(): boolean {
    return ++this.failures >= OUTAGE;
  }

  private isKnown(): boolean {
    return this.lastSuccess !== null || (this.ports.isKnown?.() ?? false);
  }
}

function wrongCredentials({ status }: NotAuthorizedError): string {
  return `The contact center did not accept the credentials (HTTP ${status ?? '?'}); check the installation's headers. The same command goes on from here.`;
}

/** Whether a run may send. A run that is paused lets what is in flight end, and sends nothing new. */
export interface PausePort {
  readonly isPaused: boolean;
  /** Resolves when the run goes on, or the signal is aborted. */
  untilContinued(signal: AbortSignal): Promise<void>;
  /** How long the run has been paused since a time, in milliseconds: patience does not run out meanwhile. */
  pausedMs(since: number): number;
}

/** A pause that a person begins and ends, any number of times. */
interface Pause extends PausePort {
  pause(): void;
  continue(): void;
}

export function createPause(clock: Pick<Clock, 'now'>): Pause {
  const ended: { readonly from: number; readonly to: number }[] = [];
  let current: {
    readonly from: number;
    readonly over: Promise<void>;
    readonly end: () => void;
  } | null = null;
  return {
    get isPaused() {
      return current !== null;
    },
    pause: () => {
      if (current) return;
      let end = (): void => undefined;
      const over = new Promise<void>((resolve) => {
        end = resolve;
      });
      current = { from: clock.now(), over, end };
    },
    continue: () => {
      if (!current) return;
      const { from, end } = current;
      current = null;
      ended.push({ from, to: clock.now() });
      end();
    },
    untilContinued: async (signal) => {
      while (current && !signal.aborted) await unlessAborted(current.over, signal);
    },
    pausedMs: (since) => {
      const all = current ? [...ended, { from: current.from, to: clock.now() }] : ended;
      return all.reduce((sum, { from, to }) => sum + Math.max(0, to - Math.max(from, since)), 0);
    },
  };
}

function unlessAborted(wait: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = (): void => {
      signal.removeEventListener('abort', over);
      resolve();
    };
    signal.addEventListener('abort', over, { once: true });
    void wait.then(over);
  });
}

interface PermittedPorts {
  readonly clock: Clock;
  /** When requests may leave. @default always */
  readonly hours?: PermittedHours | undefined;
  /** Whether a request that comes outside of them ends the run. @default false: it waits */
  readonly endsOutside?: boolean | undefined;
  /** Aborted when no new request may leave. */
  readonly signal: AbortSignal;
  /** Called once each time the hours are over; for the person. */
  readonly onPause?: ((message: string) => void) | undefined;
}

/** A machine that slept, or whose clock was set, is noticed after so long, in milliseconds. */
const LOOK_AGAIN_MS = 60_000;

/**
 * Makes the gate that all requests pass. It resolves when a request may leave, with whether that had to be waited for,
 * and rejects with the signal's reason when it is aborted before, and with StopRun where it is not to wait.
 */
function createPermittedGate({
  clock,
  hours,
  endsOutside = false,
  signal,
  onPause,
}: PermittedPorts): () => Promise<boolean> {
  let announced: number | undefined;
  const waitFor = (opens: number, permitted: PermittedHours): Promise<void> => {
    if (announced !== opens) onPause?.(pauseText(permitted, opens));
    announced = opens;
    return clock.sleep(Math.min(opens - clock.now(), LOOK_AGAIN_MS), signal);
  };
  return async () => {
    if (!hours) return false;
    let hasWaited = false;
    for (;;) {
      const opens = nextPermitted(hours, clock.now());
      if (opens <= clock.now()) return hasWaited;
      if (endsOutside) throw new StopRun(endText(hours, opens));
      hasWaited = true;
      await waitFor(opens, hours);
    }
  };
}

function pauseText(hours: PermittedHours, opens: number): string {
  return `Requests are permitted ${hoursText(hours)}; the run pauses until ${localText(hours, opens)} there, and goes on by itself.`;
}

function endText(hours: PermittedHours, opens: number): string {
  return `Requests are permitted ${hoursText(hours)}, and the run was not to wait. The same command goes on from ${localText(hours, opens)} there.`;
}

/** Refusals of a batch that may be due to some of its clients only. */
const MAY_BE_SOME: ReadonlySet<StatusMeaning> = new Set(['invalid', 'too_large']);

/** An error of the server itself, in the interface's form or not: not a lost answer, which says nothing of a client. */
export function isFailureOfServer(error: ContactCenterError): boolean {
  if (error instanceof RefusedError) return isServerError(error.status);
  return error.status !== undefined && meaningOf(error.status) === 'failed';
}

/**
 * Whether the contact center's work on a request that failed has surely ended: who answers in the interface's own form
 * is the application itself. Before a gateway, or a server that gave its application up, it may go on.
 */
export function hasEnded(error: ContactCenterError): boolean {
  return error instanceof RefusedError;
}

/** Clients that are to be sent together. */
export interface Piece {
  readonly members: readonly number[];
  /** Sent again as it is after a server error, which may have been a passing one. */
  readonly again?: boolean;
}

/**
 * What to do about a piece that was refused whole: send these pieces in its place, or, when there are none, take the
 * refusal for each client's own. Halving finds one bad client among n with about 2 log2(n) requests.
 */
export function piecesAfterRefusal({ members, again }: Piece, status: number | undefined): Piece[] {
  const mayBeSome = status !== undefined && MAY_BE_SOME.has(meaningOf(status));
  if (!isServerError(status)) {
    if (!mayBeSome) return [];
  } else if (!again) return [{ members, again: true }];
  if (members.length === 1) return [];
  const middle = Math.ceil(members.length / 2);
  const halves = [members.slice(0, middle), members.slice(middle)];
  // What was tried again need not be once more as a half, until it comes to the single client.
  return halves.map((half) => ({ members: half, again: again === true && half.length > 1 }));
}

/** What is left of a refused piece goes again as it is: the refusal was not of these clients alone. */
export function piecesAfterLookup(absent: readonly number[]): Piece[] {
  return absent.length > 0 ? [{ members: absent, again: absent.length > 1 }] : [];
}

/** Takes a permit that is good within the permitted hours. */
async function takePermit(
  shared: SharedPermits,
  clients: number,
  signal: AbortSignal,
  untilPermitted: () => Promise<boolean>,
): Promise<Permit> {
  for (;;) {
    const permit = await shared.take(clients, signal);
    let hasWaited: boolean;
    try {
      hasWaited = await untilPermitted();
    } catch (error) {
      permit.unused();
      throw error;
    }
    // What was a permit before the hours ended is none after them.
    if (!hasWaited) return permit;
    permit.unused();
  }
}

/** Sends a request with a permit, and says how it ended. */
async function withPermit<T>(permit: Permit, send: () => Promise<T>): Promise<T> {
  let ending: RequestEnding = { refused: false };
  try {
    return await send();
  } catch (error) {
    if (error instanceof TryLaterError)
      ending = { refused: true, retryAfterMs: error.retryAfterMs };
    throw error;
  } finally {
    permit.ended(ending);
  }
}

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

interface SenderPorts extends PermittedPorts, CenterStatePorts {
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

const SECOND_MS = 1000;

/** Makes what shows the person, once in a run, that nothing goes on before deadlines have passed. */
export function createWaitingNotice(
  clock: Clock,
  announce: (message: string) => void = () => undefined,
): (waits: readonly DeadlineWait[]) => void {
  let isAnnounced = false;
  return (waits) => {
    if (isAnnounced) return;
    isAnnounced = true;
    announce(waitingText(waits, clock.now()));
  };
}

/** What is waited for, for how long at most, and what to do about it. `now` in milliseconds since the epoch. */
function waitingText(waits: readonly DeadlineWait[], now: number): string {
  const seconds = Math.ceil((Math.max(...waits.map(({ until }) => until)) - now) / SECOND_MS);
  const count = waits.reduce((sum, { clients }) => sum + clients, 0);
  const clients = count === 1 ? '1 client whose answer was' : `${count} clients whose answers were`;
  return `Waiting up to ${seconds} s: the contact center may still be working on ${clients} lost; ${count === 1 ? 'it is' : 'they are'} sent again only then. transport.serverDeadlineMs sets this time.`;
}

/** What the request for a piece of a batch came to. */
export interface SentPiece<P extends Piece> {
  /** Members of which it is not known what became of them. */
  readonly unknown: readonly number[];
  /** The request that leaves them open, where it matters. */
  readonly lost?: LostRequest;
  /** Pieces to send in place of this one. */
  readonly pieces: readonly P[];
}

/**
 * Sends a piece of a batch, and what it is split into, until nothing is left. Resolves with the members of which it is
 * not known what became of them, and with the requests that leave them open.
 */
export async function sendPieces<P extends Piece>(
  whole: P,
  send: (piece: P) => Promise<SentPiece<P>>,
): Promise<{ readonly unknown: readonly number[]; readonly lost: readonly LostRequest[] }> {
  const unknown: number[] = [];
  const lost: LostRequest[] = [];
  const pieces = [whole];
  for (let piece = pieces.shift(); piece; piece = pieces.shift()) {
    const sent = await send(piece);
    unknown.push(...sent.unknown);
    if (sent.lost) lost.push(sent.lost);
    pieces.push(...sent.pieces);
  }
  return { unknown, lost };
}
