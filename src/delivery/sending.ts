import { setMaxListeners } from 'node:events';
import type { CenterPort } from '../core/client.js';
import type {
  DuplicateRule,
  EarlierRows,
  KnownRows,
  LaterRows,
  SeenKeys,
} from '../core/duplicates.js';
import {
  type CardlineError,
  ContactCenterError,
  NotAuthorizedError,
  RefusedError,
  interruption,
  isServerError,
  meaningOf,
} from '../core/errors.js';
import type { Fact } from '../core/facts.js';
import type { RunLedger } from '../core/ledger.js';
import {
  type RunMode,
  failuresIn,
  noOutcomes,
  type Outcome,
  type OutcomeCounts,
  type ListsPort,
} from '../core/outcome.js';
import type { PreparedChunk } from '../core/prepared.js';
import { type Clock, DEFAULT_PATIENCE, type Patience } from '../core/time.js';
import { type Batch, bodyBytes, type BodyExtras, type CampaignSettings } from './batch.js';
import {
  type CanaryShare,
  type FailureLimit,
  type ReadSoFar,
  exceeds,
  tooManyFailures,
  totalOf,
} from './failures.js';
import { type LimiterChange, type LimiterRanges, createLimiter } from './limiter.js';
import type { ChangeRule, Inspect } from './rules.js';
import {
  clientsAtOnce,
  createPermits,
  type PaceLimits,
  type PausePort,
  type Permits,
  Sender,
  type Deferred,
  createDeferred,
} from './sender.js';

/** The rows of a run, the world that they are sent into, and how that is wanted. */
export interface ImportJob {
  readonly chunks: AsyncIterable<PreparedChunk>;
  readonly center: CenterPort;
  readonly ledger: RunLedger;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  /** Aborted to stop gently: what is in flight ends, nothing new leaves. */
  readonly signal: AbortSignal;
  /** Holds back what has not been sent. @default never paused */
  readonly pause?: PausePort | undefined;
  /** Shared with others who send to the same contact center. @default its own, of the pace */
  readonly permits?: Permits | undefined;
  /**
   * Called once, before the first client leaves: makes sure that a contact center is there, and resolves with whether it
   * has answered in the interface's own form. @default not called
   */
  readonly probe?: (() => Promise<boolean>) | undefined;

  readonly seen: SeenKeys;
  readonly duplicates: DuplicateRule;
  /** What earlier runs have sent, where rows are compared with it. @default nothing */
  readonly earlier?: EarlierRows | undefined;
  /** Which rows give way to later ones, where the last one is kept. @default the first one is */
  readonly later?: LaterRows | undefined;
  /** What earlier runs did with the rows. @default nothing is known */
  readonly known?: KnownRows | undefined;
  /** Lists of numbers that must not be called. @default none */
  readonly lists?: ListsPort | undefined;
  /**
   * When another process began to map the rows, in milliseconds since the epoch: lists of numbers may have changed since.
   * @default now
   */
  readonly mappedAt?: number | undefined;
  readonly identifierNames: readonly string[];
  readonly inputs: readonly string[];

  readonly mode?: RunMode | undefined;
  /** How the mode changes clients that exist; absent when it changes none. */
  readonly change?: ChangeRule | null | undefined;
  readonly inspect?: Inspect | null | undefined;
  /** What every creation carries beside its clients. */
  readonly extras?: BodyExtras | undefined;
  readonly campaign: CampaignSettings | null;

  /** Requests in flight, and clients in a request: fixed, or found out between these limits. */
  readonly concurrency: LimiterRanges['concurrency'];
  readonly batchSize: LimiterRanges['batchSize'];
  readonly bodyBytes: number;
  /** How long an answer should take at most, in milliseconds; larger batches are not made. @default 10000 */
  readonly longestMs?: number | undefined;
  readonly pace: PaceLimits;
  readonly patience?: Patience;
  /** How soon to ask what became of a request whose answer was lost, in milliseconds. @default 2000 */
  readonly settleAfterMs?: number;
  /**
   * After how long the contact center surely no longer works on such a request, in milliseconds; what may not be done
   * twice is not sent again before. @default 60000
   */
  readonly serverDeadlineMs?: number;
  /** How many rows may end badly before the run stops. @default any */
  readonly maxFailures?: FailureLimit | undefined;
  /** Rows of the input that were counted before, all of them where their share is 1. @default none: estimated */
  readonly counted?: ReadSoFar | undefined;
  /** Clients that are sent first and have to pass before the others follow. @default 0 */
  readonly canary?: number | undefined;
  /** Where these are a part of a canary that other processes have sent the rest of. @default they are all of it */
  readonly canaryShare?: CanaryShare | undefined;

  /** Called once, before anything is read; the state lives on. */
  readonly onOpen?: ((state: ImportState) => void) | undefined;
  readonly onProgress?: ((state: ImportState) => void) | undefined;
  readonly onTrouble?: ((message: string) => void) | undefined;
  /** Called with how many requests may be in flight and how large they are, whenever that changes. */
  readonly onLimits?: ((change: LimiterChange) => void) | undefined;
}

/** Where an import stands. The object is one and the same each time. */
export interface ImportState {
  rows: number;
  readonly outcomes: OutcomeCounts;
  /** Those among them that ended in an earlier part of the run. */
  readonly earlier: OutcomeCounts;
  /** Share of the input that has been read, 0 to 1. */
  share: number;
  /** Requests that have left and are not answered yet. */
  readonly inFlight: number;
  readonly requests: number;
  readonly retries: number;
  /** Requests that may be in flight, and clients in one, as the limiter permits them now. */
  readonly concurrency: number;
  readonly batchSize: number;
  readonly isHeld: boolean;
}

/** An import under way: the one owner of what its batches are sent with. */
export type Sending = ReturnType<typeof openSending>;

export function openSending(job: ImportJob) {
  const { clock, ledger, pace, onTrouble, maxFailures, counted, mode = 'create' } = job;
  const { concurrency, batchSize, longestMs = 10_000 } = job;
  const { settleAfterMs: firstMs = 2_000, serverDeadlineMs: deadlineMs = 60_000 } = job;
  const stop = new AbortController();
  /** Aborted when no new request may leave: by the caller, or when a batch has failed. */
  const signal = AbortSignal.any([job.signal, stop.signal]);
  // Every request that waits for its next try listens.
  setMaxListeners(0, signal);
  const ranges = { concurrency, batchSize: withinPace(pace, batchSize), longestMs };
  const limiter = createLimiter(ranges, job.onLimits);
  const queue = new TaskQueue({
    // More batches than requests in flight: while some are recorded, others can be sent.
    places: () => limiter.concurrency + Math.max(2, Math.ceil(limiter.concurrency / 4)),
    onFailure: (error) => stop.abort(error),
    onOnlyWaiting: (message) => onTrouble?.(message),
    now: () => clock.now(),
  });
  /** Whether the contact center has answered in the interface's own form; absent before it was asked. */
  const met: { isKnown?: boolean } = {};
  const sender = new Sender({
    ...{ ...job, signal, limiter, idleWaits: queue, onPause: onTrouble },
    permits: job.permits ?? createPermits(pace),
    ...{ hours: pace.hours, endsOutside: pace.endsOutside },
    patience: job.patience ?? DEFAULT_PATIENCE,
    isKnown: () => met.isKnown === true,
  });
  const state = stateOf(sender, limiter);
  /** Those in force; a body that is refused as too large lowers that of the bytes for the rest of the run. */
  const limits = { bytes: job.bodyBytes, clients: () => limiter.nextBatchSize() };
  let accepted = 0;
  const startedAt = clock.now();
  const lostBefore = lostRequest(startedAt, deadlineMs);
  return {
    ...{ ...job, signal, queue, sender, state, met, limits, turns: new Turns(), mode },
    mappedAt: job.mappedAt ?? startedAt,
    /** Notes that the contact center took the body of a request to create these members. */
    bodyAccepted: (batch: Batch): void => {
      accepted = Math.max(accepted, bodyBytes(batch));
      limits.bytes = Math.max(limits.bytes, accepted);
    },
    /** Notes that it refused it as too large. */
    bodyRefused: (batch: Batch): void => {
      // A client that is too large alone says nothing of others.
      if (batch.members.length === 1) return;
      const half = Math.floor(bodyBytes(batch) / 2);
      limits.bytes = Math.max(accepted, Math.min(limits.bytes, half));
    },
    record: ({ chunk }: Pick<Batch, 'chunk'>, ...facts: readonly Fact[]) =>
      ledger.record(chunk, facts),
    /** Counts how rows ended, as they end. `earlier`: in an earlier part of the run. */
    ended: (outcome: Outcome, count: number, earlier = false): void => {
      state.outcomes[outcome] += count;
      if (earlier) state.earlier[outcome] += count;
      if (!maxFailures || count === 0) return;
      const bad = failuresIn(state.outcomes);
      const total = totalOf(state, counted);
      // More rows have ended badly than is allowed.
      if (exceeds(bad, maxFailures, total.rows))
        queue.fail(tooManyFailures(bad, maxFailures, total));
    },
    /** A request whose answer has just been lost. `over`: the contact center has answered that its work on it is over. */
    lostNow: (over = false) => lostRequest(clock.now(), over ? 0 : deadlineMs),
    /** A request of an earlier process, which had ended before this one began. */
    lostBefore,
    /** The same for a client of which nothing is on record: `null` where no facts were lost, and it surely was not sent. */
    lostFacts: ledger.settlesAll ? lostBefore : null,
    /** When to look what became of a lost request next; `lookedAt`: the last time, `-Infinity` before the first one. */
    nextLookup: (lost: LostRequest, lookedAt: number) => nextLookup(lost, firstMs, lookedAt),
    /** The same request where an absence need not be sure, since sending again does no harm: one lookup is enough. */
    lookedUpOnce: ({ at, until }: LostRequest): LostRequest => ({
      ...{ at, until: Math.min(until, at + firstMs) },
    }),
  };
}

function stateOf(sender: Sender, limiter: ReturnType<typeof createLimiter>): ImportState {
  return {
    ...{ rows: 0, outcomes: noOutcomes(), earlier: noOutcomes(), share: 0 },
    get isHeld() {
      return sender.isHeld;
    },
    get concurrency() {
      return limiter.concurrency;
    },
    get batchSize() {
      return limiter.batchSize;
    },
    get inFlight() {
      return sender.inFlight;
    },
    get requests() {
      return sender.counts.requests;
    },
    get retries() {
      return sender.counts.retries;
    },
  };
}

/** A request carries no more clients than a second permits. */
function withinPace(pace: PaceLimits, size: ImportJob['batchSize']): ImportJob['batchSize'] {
  if (typeof size === 'number') return clientsAtOnce(pace, size);
  const max = clientsAtOnce(pace, size.max);
  return { min: Math.min(size.min, max), first: Math.min(size.first, max), max };
}

/** A request whose answer was lost. Times are in milliseconds since the epoch. */
export interface LostRequest {
  readonly at: number;
  /** From when on the contact center surely no longer works on it: what is absent then stays absent. */
  readonly until: number;
}

export const lostRequest = (at: number, deadlineMs: number): LostRequest => ({
  ...{ at, until: at + deadlineMs },
});

/**
 * When to look what became of a lost request: soon (`firstMs`), so that what was carried out is confirmed early, then at
 * intervals that double, and last at the deadline, when an absence is sure.
 */
export function nextLookup({ at, until }: LostRequest, firstMs: number, lookedAt: number): number {
  let [next, interval] = [at + firstMs, firstMs];
  while (next <= lookedAt && next < until) {
    interval = Math.max(1, interval * 2);
    next += interval;
  }
  return Math.min(next, until);
}

/** One request in place of several: it is settled when all of them are. */
export function latestOf(requests: readonly LostRequest[]): LostRequest {
  return {
    at: Math.max(...requests.map(({ at }) => at)),
    until: Math.max(...requests.map(({ until }) => until)),
  };
}

/** How often clients are looked up and sent again before they stay unknown. */
export const SETTLING_ROUNDS = 5;

/**
 * Waits until a time while other batches go on. `why`: where it may be long, what is waited for.
 * @throws StopRun when the run is stopped meanwhile
 */
export async function sleepUntil(s: Sending, until: number, why?: WaitReason): Promise<void> {
  const { clock, signal, queue } = s;
  try {
    // A timer may fire a moment early, and a deadline that has nearly passed has not passed.
    for (let ms = until - clock.now(); ms > 0; ms = until - clock.now())
      await queue.during(clock.sleep(ms, signal), why);
  } catch (error) {
    throw signal.aborted ? interruption(signal, { cause: error }) : error;
  }
}

/** Waits until the next lookup. Only the first one is soon; what comes later, the person may be waiting for. */
export function untilLookup(
  s: Sending,
  lost: LostRequest,
  lookedAt: number,
  clients: number,
): Promise<void> {
  const isFirst = lookedAt === -Infinity;
  const why = isFirst ? undefined : { until: lost.until, clients };
  return sleepUntil(s, s.nextLookup(lost, lookedAt), why);
}

/** An answer, and when it was asked for: what was asked for before a deadline says nothing of the time after it. */
export interface TimedAnswer<T> {
  readonly answer: T;
  readonly askedAt: number;
}

/** `lookUp`, with the time at which the attempt that was answered left. */
export function lookUpTimed<T>(
  s: Sending,
  members: readonly number[],
  ask: (index: number) => Promise<T>,
): Promise<(TimedAnswer<T> | undefined)[]> {
  return lookUp(s, members, async (index) => {
    const askedAt = s.clock.now();
    return { answer: await ask(index), askedAt };
  });
}

/** Asks for each member; `undefined` where the contact center could not be asked. */
export async function lookUp<T>(
  { sender }: Sending,
  members: readonly number[],
  ask: (index: number) => Promise<T>,
): Promise<(T | undefined)[]> {
  return allEnded(
    members.map(async (index) => {
      try {
        return await sender.send({ kind: 'look_up', clients: 1, request: () => ask(index) });
      } catch (error) {
        if (error instanceof ContactCenterError) return undefined;
        throw error;
      }
    }),
  );
}

/** Like `Promise.all`, but only when all have ended: none may outlive the run. */
export async function allEnded<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  const ends = await Promise.allSettled(promises);
  return ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
}

/**
 * Turns a lookup that is refused for one client into a result: asking again would bring the same, and the refusal says
 * nothing of other clients. Missing credentials and server errors concern all of them, and stay errors.
 */
export async function orRefusal<T>(lookup: Promise<T>): Promise<T | { readonly refusal: string }> {
  try {
    return await lookup;
  } catch (error) {
    const isFinal =
      error instanceof RefusedError &&
      !(error instanceof NotAuthorizedError) &&
      !isServerError(error.status);
    if (isFinal) return { refusal: error.errorMessage };
    throw error;
  }
}

/** An error of the server itself, in the interface's form or not: not a lost answer, which says nothing of a client. */
export function isFailureOfServer(error: ContactCenterError): boolean {
  if (error instanceof RefusedError) return isServerError(error.status);
  return error.status !== undefined && meaningOf(error.status) === 'failed';
}

/**
 * Whether the contact center's work on a request that failed has surely ended: who answers in the interface's own form
 * is the application itself. Before a gateway, or a server that gave its application up, it may go on.
 */
export const hasEnded = (error: ContactCenterError): boolean => error instanceof RefusedError;

export interface ImportEnd {
  /** Why the import ended before its input; absent when everything was sent. */
  readonly stopped?: CardlineError;
  readonly requests: number;
  readonly retries: number;
}

/** A wait that nothing shortens: until then the contact center may be working on lost requests for these clients. */
interface DeadlineWait {
  readonly until: number;
  readonly clients: number;
  /** Whether they are left as they are then, in place of being sent again. @default false */
  readonly areLeft?: boolean;
}

/** What a long wait is for; `turn`: another task, which works on the same client. */
type WaitReason = DeadlineWait | 'turn';

/**
 * Tasks that may wait idly at a time, so that a few hundred batches can wait for a minute while others go on. Each keeps
 * its chunk of up to 1,000 rows in memory, usually 0.5 to 1 MB: up to 0.5 GB where no two of them share a chunk.
 */
const MAX_IDLE = 512;

interface QueueOptions {
  readonly places: () => number;
  /** Called with the first error: whatever waits elsewhere should give up too. */
  readonly onFailure: (error: unknown) => void;
  /** Called once, with a text for the person, when nothing can go on before a deadline has passed. */
  readonly onOnlyWaiting: (message: string) => void;
  readonly now: () => number;
}

/** Runs tasks side by side, with back-pressure on whoever adds them. */
class TaskQueue {
  readonly #running = new Set<Promise<void>>();
  readonly #reasons = new Set<{ readonly why: WaitReason }>();
  #idle = 0;
  /** Who adds tasks, or waits for their end, and is held up by them. */
  #blocked = 0;
  #failure: { readonly error: unknown } | undefined;
  #room = createDeferred();
  #isAnnounced = false;

  constructor(private readonly options: QueueOptions) {}

  /** Resolves when there is room for another task. Does nothing once one has failed. */
  async add(task: () => Promise<void>): Promise<void> {
    if (!this.#failure && this.#isFull()) await this.#whileBlocked(() => this.#untilRoom());
    if (!this.#failure) this.#start(task);
  }

  /** Waits for what tasks bring about: until then, no other is added. */
  hold<T>(wait: Promise<T>): Promise<T> {
    return this.#whileBlocked(() => wait);
  }

  fail(error: unknown): void {
    if (this.#failure) return;
    this.#failure = { error };
    this.options.onFailure(error);
    this.#announceRoom();
  }

  /** Resolves when all tasks have ended; with the first error, if there was one. */
  async end(): Promise<unknown> {
    await this.#whileBlocked(() => Promise.all(this.#running));
    return this.#failure?.error;
  }

  /** Passes a wait on in which a task needs nothing; until it has ended, the task leaves its place to others. */
  async during<T>(wait: Promise<T>, why?: WaitReason): Promise<T> {
    const reason = why && { why };
    this.#idle++;
    if (reason) this.#reasons.add(reason);
    this.#announceRoom();
    this.#look();
    try {
      return await wait;
    } finally {
      this.#idle--;
      if (reason) this.#reasons.delete(reason);
    }
  }

  #isFull(): boolean {
    return this.#running.size - Math.min(this.#idle, MAX_IDLE) >= this.options.places();
  }

  async #untilRoom(): Promise<void> {
    while (!this.#failure && this.#isFull()) await this.#room.promise;
  }

  #announceRoom(): void {
    this.#room.resolve();
    this.#room = createDeferred();
  }

  #start(task: () => Promise<void>): void {
    const run: Promise<void> = task()
      .catch((error: unknown) => this.fail(error))
      .finally(() => {
        this.#running.delete(run);
        this.#announceRoom();
        this.#look();
      });
    this.#running.add(run);
  }

  async #whileBlocked<T>(wait: () => Promise<T>): Promise<T> {
    this.#blocked++;
    this.#look();
    try {
      return await wait();
    } finally {
      this.#blocked--;
    }
  }

  /** Notices when every task waits for a deadline or a turn while whoever adds tasks is held up by them. */
  #look(): void {
    const isWaiting = this.#blocked > 0 && this.#reasons.size > 0;
    if (!isWaiting || this.#reasons.size < this.#running.size || this.#isAnnounced) return;
    const waits = [...this.#reasons].flatMap(({ why }) => (why === 'turn' ? [] : [why]));
    if (waits.length === 0) return;
    this.#isAnnounced = true;
    this.options.onOnlyWaiting(waitingText(waits, this.options.now()));
  }
}

/** What is waited for, for how long at most, and what to do about it. `now` in milliseconds since the epoch. */
function waitingText(waits: readonly DeadlineWait[], now: number): string {
  const seconds = Math.ceil((Math.max(...waits.map(({ until }) => until)) - now) / 1000);
  const count = waits.reduce((sum, { clients }) => sum + clients, 0);
  if (waits.some(({ areLeft }) => areLeft))
    return `Waiting up to ${seconds} s: the contact center may still be working on what the run sent last, and an import after this undo could meet it. transport.serverDeadlineMs sets this time.`;
  const clients = count === 1 ? '1 client whose answer was' : `${count} clients whose answers were`;
  return `Waiting up to ${seconds} s: the contact center may still be working on ${clients} lost; ${count === 1 ? 'it is' : 'they are'} sent again only then. transport.serverDeadlineMs sets this time.`;
}

/** Lets work on the same things happen one after the other, in the order of asking. */
class Turns {
  readonly #last = new Map<string, Deferred>();
  readonly #held = new Map<string, number>();
  readonly #left = new Set<string>();

  /** Asks for a turn. It is in line when this returns; without `begins`, nothing is before it. */
  take(keys: readonly string[]) {
    const earlier: Promise<void>[] = [];
    const own = new Map<string, Deferred>();
    // All keys at once, so that no two turns wait for each other.
    for (const key of keys) {
      if (own.has(key)) continue;
      const before = this.#last.get(key);
      if (before) earlier.push(before.promise);
      const place = createDeferred();
      own.set(key, place);
      this.#last.set(key, place);
    }
    return {
      ...(earlier.length > 0 && { begins: Promise.all(earlier) }),
      /** Gives up keys, all of them at the end: what waits for them may begin. */
      release: (some = keys): void => {
        for (const key of some) {
          const place = own.get(key);
          if (place && this.#last.get(key) === place) this.#last.delete(key);
          place?.resolve();
        }
      },
    };
  }

  /** Work on these has ended, and what came of it is not known: nothing that comes later is to overtake it. */
  leave(keys: readonly string[]): void {
    for (const key of keys) {
      this.#left.add(key);
      // What is not sent waits for nothing.
      this.#held.delete(key);
    }
  }

  get hasLeft(): boolean {
    return this.#left.size > 0;
  }

  isLeft(keys: readonly string[]): boolean {
    return keys.some((key) => this.#left.has(key));
  }

  /** An earlier request for these may still be carried out until then, in milliseconds since the epoch. */
  hold(keys: readonly string[], until: number): void {
    for (const key of keys) this.#held.set(key, Math.max(until, this.#held.get(key) ?? -Infinity));
  }

  /** Until when that is so for any of the keys; `null`: for none after `now`. `clients`: of how many keys. */
  heldAfter(now: number, keys: readonly string[]): DeadlineWait | null {
    const found = new Map<string, number>();
    for (const key of this.#held.size === 0 ? [] : keys) {
      const until = this.#held.get(key) ?? -Infinity;
      if (until > now) found.set(key, until);
      else this.#held.delete(key);
    }
    return found.size === 0 ? null : { until: Math.max(...found.values()), clients: found.size };
  }
}
