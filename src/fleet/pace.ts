import { randomUUID } from 'node:crypto';
import { NoLedgerError } from '../core/errors.js';
import type { Permit, RequestEnding, SharedPermits } from '../core/ledger.js';
import { openPaceRow } from '../ledger/shared.js';
import {
  type Amounts,
  type Answers,
  answerBeat,
  type Beat,
  type BeatAnswer,
  countIn,
  type Limits,
  NO_PACE,
  type PaceState,
  type Portion,
  type Resource,
  RESOURCES,
  type SharedLimits,
} from './permits.js';

/*
 * How a process takes part in the pace of a contact center:
 *
 * - It holds permits, drawn from the row that all machines share. Each is good for one request in every second, as long
 *   as its lease lasts, and the process uses them without asking anybody.
 * - Some times a second it reports how many it has use for, and learns how many it should hold. What it holds above that
 *   it gives back, with the time from which others may use it.
 * - Where it cannot report, it goes on until its lease has lapsed by its own clock, and then sends nothing. It asks again
 *   with growing pauses, and goes on by itself.
 */

interface PaceOptions {
  readonly limits: SharedLimits;
  /** Its share is as large beside others as its weight. */
  readonly weight: number;
  /** Those of one group have the weight once, together. @default a group of its own */
  readonly group?: string | undefined;
  /** After so long without the database nothing waits any more, in milliseconds. */
  readonly giveUpAfterMs: number;
  /** Called once when permits cannot be drawn, until they can again; for the person. */
  readonly onTrouble: (message: string) => void;
  /** @default that of the machine */
  readonly timing?: typeof machineTiming;
}

interface Waiter {
  readonly clients: number;
  /** Whether there was nothing to be had at first. */
  waited: boolean;
  readonly give: (permit: Permit) => void;
  readonly fail: (error: unknown) => void;
}

const FIRST_LEASE_MS = 4000;
/** A lease lasts for so many reports. */
const REPORTS = 8;
/** Of a lease, what is left after so much is for clocks that differ in speed. */
const SAFE = 0.9;
/** Reports out of turn follow each other after so long, in milliseconds. */
const KICK_MS = 50;
const [FIRST_RETRY_MS, LONGEST_RETRY_MS] = [250, 15_000];
/** A report that takes long is made less often, so that the row is not waited for all the time. */
const SHARE_OF_TIME = 4;

type PaceRow = ReturnType<typeof openPace>;

/** The pace of one contact center, in the row that all machines share. @throws NoLedgerError for a wrong address */
export function openPace(address: string, center: string) {
  const row = openPaceRow(address, center);
  return {
    /** Written by us: its shape is not checked again. @throws LedgerError, NoLedgerError */
    beat: (beat: Beat): Promise<BeatAnswer> =>
      row.change((state, now) => answerBeat((state as PaceState | null) ?? NO_PACE, beat, now)),
    close: () => row.close(),
  };
}

/** Takes part with the first request. */
export function joinPace(row: PaceRow, options: PaceOptions): SharedPermits {
  return new Participant(row, options);
}

const NOTHING = { requests: 0, clients: 0, places: 0, answers: 0, refused: 0, retryAfterMs: 0 };

/** What was needed in so many reports counts: permits that change hands lie idle for a moment. */
const REMEMBERED = 4;

/** Else, so many times as many as were used are enough. */
const SPARE = 1.25;

/** Whoever had requests waiting for this share of the time has use for more permits. */
const HUNGRY = 0.3;

const SECOND_MS = 1000;

/** As many as there may be. */
const ALL = 1e9;

class Participant implements SharedPermits {
  readonly #id = randomUUID();
  readonly #timing: typeof machineTiming;
  readonly #holdings = new Holdings();
  readonly #demand = new Demand();
  #waiting: Waiter[] = [];
  #joined = false;
  #closed = false;
  #beating: Promise<void> | undefined;
  #unplan = (): void => undefined;
  #unwake = (): void => undefined;
  #beatMs = 0;
  #leaseUntil = -Infinity;
  #pausedUntil = -Infinity;
  #lastBeat = -Infinity;
  #trouble: { readonly since: number; pauseMs: number } | undefined;

  constructor(
    private readonly row: PaceRow,
    private readonly options: PaceOptions,
  ) {
    this.#timing = options.timing ?? machineTiming;
  }

  async take(clients: number, signal: AbortSignal): Promise<Permit> {
    signal.throwIfAborted();
    let onAbort = (): void => undefined;
    try {
      return await new Promise<Permit>((give, fail) => {
        const waiter: Waiter = { clients, waited: false, give, fail };
        onAbort = () => {
          this.#waiting = this.#waiting.filter((one) => one !== waiter);
          // The reason of a signal is passed on as it is.
          waiter.fail(signal.reason);
        };
        signal.addEventListener('abort', onAbort);
        this.#demand.asked(clients);
        this.#waiting.push(waiter);
        if (!this.#joined) {
          this.#joined = true;
          this.#beatSoon();
        } else if (this.#waiting.length === 1) this.#serve();
      });
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  concurrency(): number {
    const { limits, target } = this.#holdings;
    return limits.places ? Math.max(1, target.places ?? 0) : Infinity;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#unplan();
    this.#unwake();
    await this.#beating;
    if (this.#joined && !this.#trouble) {
      this.#holdings.lapse(this.#timing.now());
      // What is not given back lapses.
      await this.row.beat(this.#report(true)).catch(() => undefined);
    }
    await this.row.close();
  }

  /** Gives permits to those who wait, as far as there are any, and comes back when there will be. */
  #serve(): void {
    this.#unwake();
    this.#giveOut();
    this.#demand.waits(this.#waiting.length > 0, this.#timing.now());
  }

  #giveOut(): void {
    for (let [next] = this.#waiting; next; [next] = this.#waiting) {
      const now = this.#timing.now();
      if (now >= this.#leaseUntil) {
        this.#holdings.lapse(now);
        return;
      }
      const at = Math.max(this.#pausedUntil, this.#holdings.readyAt(next.clients, now));
      if (at > now) {
        next.waited = true;
        // Where that is known, the answer to the next report says what is to be had.
        if (at === Infinity) {
          if (now - this.#lastBeat > this.#beatMs / 2) this.#beatSoon();
        } else this.#unwake = this.#timing.after(Math.max(1, at - now), () => this.#serve());
        return;
      }
      this.#waiting.shift();
      next.give(this.#permit(next, now));
    }
  }

  #permit({ clients, waited }: Waiter, now: number): Permit {
    const permit = this.#holdings.use(clients, now);
    this.#demand.used(clients, this.#holdings.inFlight);
    const after = (): void => {
      // A place is free.
      if (this.#waiting.length > 0 && this.#holdings.limits.places) this.#serve();
    };
    return {
      waited,
      unused: () => {
        permit.unused();
        after();
      },
      ended: (ending) => {
        permit.ended(this.#timing.now());
        this.#note(ending);
        after();
      },
    };
  }

  #note({ refused, retryAfterMs = 0 }: RequestEnding): void {
    this.#demand.answered({ answers: 1, refused: refused ? 1 : 0, retryAfterMs });
    // Others should know at once.
    if (refused && retryAfterMs > 0) {
      this.#pausedUntil = Math.max(this.#pausedUntil, this.#timing.now() + retryAfterMs);
      this.#beatSoon();
    }
  }

  #beatSoon(): void {
    if (this.#closed || this.#beating || this.#trouble) return;
    this.#beatIn(Math.max(0, this.#lastBeat + KICK_MS - this.#timing.now()));
  }

  #beatIn(ms: number): void {
    this.#unplan();
    this.#unplan = this.#timing.after(ms, () => {
      this.#beating = this.#beat();
    });
  }

  async #beat(): Promise<void> {
    const sent = this.#timing.now();
    this.#lastBeat = sent;
    if (sent >= this.#leaseUntil) this.#holdings.lapse(sent);
    const leaseMs = Math.max(FIRST_LEASE_MS, REPORTS * this.#beatMs);
    const report = this.#report(false, leaseMs);
    let next: number;
    try {
      const answer = await this.row.beat(report);
      const now = this.#timing.now();
      this.#holdings.forgetReturned();
      this.#trouble = undefined;
      this.#leaseUntil = sent + leaseMs * SAFE;
      this.#pausedUntil = Math.max(this.#pausedUntil, now + answer.pauseMs);
      this.#beatMs = Math.max(answer.beatMs, SHARE_OF_TIME * (now - sent));
      this.#holdings.apply(answer, now);
      const returned = Object.keys(this.#holdings.returned(now)).length > 0;
      next = returned ? KICK_MS : this.#beatMs;
    } catch (error) {
      // It did not arrive: what it counted goes into the next.
      this.#demand.answered(report);
      next = this.#failed(error);
    }
    this.#beating = undefined;
    if (this.#closed) return;
    this.#beatIn(next);
    this.#serve();
  }

  #report(leaves: boolean, leaseMs = 0): Beat {
    const now = this.#timing.now();
    const { limits, weight, group = this.#id } = this.options;
    return {
      ...{ id: this.#id, group, weight, limits, leaseMs, leaves },
      held: this.#holdings.held,
      returned: this.#holdings.returned(now),
      ...this.#demand.report(this.#waiting[0]?.clients, now),
    };
  }

  /** Returns when to ask again. */
  #failed(error: unknown): number {
    const now = this.#timing.now();
    const isFirst = this.#trouble === undefined;
    const { since, pauseMs } = this.#trouble ?? { since: now, pauseMs: FIRST_RETRY_MS / 2 };
    const trouble = { since, pauseMs: Math.min(LONGEST_RETRY_MS, pauseMs * 2) };
    this.#trouble = trouble;
    if (error instanceof NoLedgerError || now - since >= this.options.giveUpAfterMs) {
      const all = this.#waiting;
      this.#waiting = [];
      for (const waiter of all) waiter.fail(error);
    } else if (isFirst) {
      const why = error instanceof Error ? error.message : String(error);
      this.options.onTrouble(
        `What other machines send cannot be asked for, so nothing new is sent; trying on. ${why}`,
      );
    }
    return trouble.pauseMs;
  }
}

/** Time of this machine, as something that a simulation can bring along. */
const machineTiming = {
  /** Milliseconds by a clock that nobody sets. */
  now: (): number => performance.now(),
  /** Calls `run` after `ms` milliseconds. Returns what takes that back. */
  after: (ms: number, run: () => void): (() => void) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** What a report said: permits used, by the second, and whether there were too few. */
interface Used extends Record<Resource, number> {
  readonly isHungry: boolean;
}

class Demand {
  #counts = { ...NOTHING };
  #from = -Infinity;
  #largest = 1;
  #remembered: Used[] = [];
  /** Since when requests wait, if they do, and for how long they did before. */
  #waitsSince: number | undefined;
  #waitedMs = 0;

  /** A request with so many clients wants to leave. */
  asked(clients: number): void {
    this.#largest = Math.max(this.#largest, clients);
  }

  /** Whether requests wait, from now on. */
  waits(does: boolean, now: number): void {
    if (this.#waitsSince !== undefined) this.#waitedMs += now - this.#waitsSince;
    this.#waitsSince = does ? now : undefined;
  }

  used(clients: number, inFlight: number): void {
    this.#counts.requests++;
    this.#counts.clients += clients;
    this.#counts.places = Math.max(this.#counts.places, inFlight);
  }

  answered({ answers, refused, retryAfterMs }: Answers): void {
    this.#counts.answers += answers;
    this.#counts.refused += refused;
    this.#counts.retryAfterMs = Math.max(this.#counts.retryAfterMs, retryAfterMs);
  }

  /** Since the last report. `clients`: of the request that waits, where one does. */
  report(clients: number | undefined, now: number) {
    this.#remembered = [...this.#remembered, this.#usedUntil(now)].slice(-REMEMBERED);
    const need = { requests: 1, clients: Math.max(1, clients ?? 0), places: 1 };
    const { answers, refused, retryAfterMs } = this.#counts;
    this.#counts = { ...NOTHING };
    this.#from = now;
    const useful = { ...need, clients: this.#largest };
    const want = wantOf(this.#remembered, useful, clients !== undefined);
    return { want, need, answers, refused, retryAfterMs };
  }

  #usedUntil(now: number): Used {
    const ms = Math.max(1, now - this.#from);
    const { requests, clients, places } = this.#counts;
    this.waits(this.#waitsSince !== undefined, now);
    const isHungry = this.#from === -Infinity || this.#waitedMs > ms * HUNGRY;
    this.#waitedMs = 0;
    const [inSecond, clientsInSecond] = [(requests * SECOND_MS) / ms, (clients * SECOND_MS) / ms];
    return { isHungry, places, requests: inSecond, clients: clientsInSecond };
  }
}

function wantOf(used: readonly Used[], useful: Required<Amounts>, waits: boolean): Amounts {
  const isHungry = used.some((one) => one.isHungry);
  const want = RESOURCES.map((resource) => {
    const peak = Math.max(...used.map((one) => one[resource]));
    if (isHungry) return [resource, ALL];
    const isIdle = peak === 0 && !waits;
    return [resource, isIdle ? 0 : Math.max(useful[resource], Math.ceil(peak * SPARE) + 1)];
  });
  return Object.fromEntries(want) as Amounts;
}

/** How far requests may be ahead of an even spread, in milliseconds: what a timer is late by is made up for. */
const AHEAD_MS = 50;

type Rate = Exclude<Resource, 'places'>;
const RATES: readonly Rate[] = ['requests', 'clients'];

const MAX_SAVED_MS = 10_000;

/**
 * When requests were on the contact center's books, as far as it shows here: as much later than they left as their answer
 * took longer than the quickest answer to a request like it. A stall is counted in full, answers that always differ are not.
 */
class AnswerTimes {
  readonly #quickest = new Map<number, number>();
  #saved = MAX_SAVED_MS;

  counted(clients: number, left: number, answered: number): number {
    const kind = Math.ceil(Math.log2(clients + 1));
    const took = answered - left;
    const quickest = Math.min((this.#quickest.get(kind) ?? took) * FORGET, took);
    this.#quickest.set(kind, quickest);
    const later = Math.min(took - quickest, LONGEST_REST_MS, this.#saved);
    this.#saved = Math.min(MAX_SAVED_MS, this.#saved - later + AVERAGE_MS);
    return left + later;
  }
}

/** What was quickest once may not be any more. */
const FORGET = 1.0001;

/** On average it is no more than this: permits that rest are not used. */
const AVERAGE_MS = 35;

/** How long a permit rests at most after its request left, where the answer is slow in coming, in milliseconds. */
const LONGEST_REST_MS = 500;

/**
 * The permits of a rate that this process holds. Each is good for one request or client in every cycle: it can be used
 * again when a cycle has passed since it was used.
 */
class RateSlots {
  held = 0;
  #free = 0;
  /** Those that cannot be used yet: nearly in the order in which they can be. */
  #resting: Use[] = [];

  grant(portions: readonly Portion[], now: number): void {
    for (const [count, inMs] of portions) {
      this.held += count;
      if (inMs > 0) this.#restBefore({ count, at: now + inMs });
      else this.#free += count;
    }
  }

  /** When so many can be used: `now` or before, they can; `Infinity`: so many are not held. */
  readyAt(count: number, now: number): number {
    let missing = count - this.#freeAt(now);
    if (count > this.held) return Infinity;
    let at = now;
    for (const use of this.#resting) {
      if (missing <= 0) break;
      at = Math.max(at, use.at);
      missing -= use.count;
    }
    return at;
  }

  use(count: number, at: number): Use {
    this.#free -= count;
    const use = { count, at };
    this.#resting.splice(this.#resting.findLastIndex((other) => other.at <= at) + 1, 0, use);
    return use;
  }

  /**
   * Gives up what is more than `target`, and returns when it can be used by others: some of what is free and some of what
   * rests, so that what is left is spread as before.
   */
  dropTo(target: number, now: number): Use[] {
    const excess = this.held - target;
    if (excess <= 0) return [];
    const share = excess / this.held;
    let [passed, sum] = [0, 0];
    const free = { count: this.#freeAt(now), at: now };
    const dropped = [free, ...this.#resting].map((use) => {
      passed += use.count;
      const count = Math.max(
        0,
        Math.min(use.count, excess - sum, Math.round(passed * share) - sum),
      );
      sum += count;
      use.count -= count;
      return { count, at: use.at };
    });
    this.#resting = this.#resting.filter(({ count }) => count > 0);
    this.held -= sum;
    this.#free = free.count;
    return dropped.filter(({ count }) => count > 0);
  }

  /** What is granted waits behind nothing that rests longer, though a use that has ended since may stand behind that. */
  #restBefore(granted: Use): void {
    const later = this.#resting.findIndex(({ at }) => at > granted.at);
    this.#resting.splice(later < 0 ? this.#resting.length : later, 0, granted);
  }

  #freeAt(now: number): number {
    for (let [first] = this.#resting; first && first.at <= now; [first] = this.#resting) {
      this.#resting.shift();
      this.#free += first.count;
    }
    return this.#free;
  }
}

/**
 * The permits that this process holds. No second has more requests and clients than it holds permits, counted from when
 * they left, or a little later where the answer was slow in coming; they are spread evenly beside that.
 */
class Holdings {
  limits: Limits = {};
  target: Amounts = {};
  inFlight = 0;
  readonly #rates: Record<Rate, RateSlots> = {
    requests: new RateSlots(),
    clients: new RateSlots(),
  };
  readonly #answers = new AnswerTimes();
  #places = 0;
  #spreadTo = 0;
  #returned: (Use & { readonly resource: Resource })[] = [];

  /** When a request with so many clients may leave: `now` or before, it may; `Infinity`: too few permits are held. */
  readyAt(clients: number, now: number): number {
    // Those that are to be given up are not used again.
    const places = Math.min(this.#places, this.target.places ?? 0);
    if (this.limits.places && this.inFlight >= places) return Infinity;
    const times = this.#costs(clients).map(({ resource, count }) =>
      this.#rates[resource].readyAt(count, now),
    );
    return Math.max(now, this.#spreadTo, ...times);
  }

  use(clients: number, now: number) {
    const costs = this.#costs(clients);
    // It counts as having left by then at the latest.
    const latest = now + LONGEST_REST_MS;
    const uses = costs.map(({ resource, count, cycleMs }) => ({
      use: this.#rates[resource].use(count, latest + cycleMs),
      cycleMs,
    }));
    const spread = costs.map(
      ({ resource, count, cycleMs }) => (count * cycleMs) / this.#rates[resource].held,
    );
    const before = this.#spreadTo;
    this.#spreadTo = Math.max(before, now - AHEAD_MS) + Math.max(0, ...spread);
    this.inFlight++;
    const end = (from: (cycleMs: number) => number): void => {
      this.inFlight--;
      for (const { use, cycleMs } of uses) use.at = Math.min(use.at, from(cycleMs));
    };
    return {
      unused: (): void => end(() => -Infinity),
      /** It has been answered at that time. */
      ended: (answered: number): void => {
        const counted = this.#answers.counted(clients, now, answered);
        end((cycleMs) => counted + cycleMs);
      },
    };
  }

  /** Holds what was granted, and gives up what is above the target. */
  apply({ limits, target, held, granted }: BeatAnswer, now: number): void {
    this.limits = limits;
    this.target = target;
    for (const resource of RATES) {
      const known = (held[resource] ?? 0) - countIn(granted[resource]);
      // What the row does not know of is not ours any more.
      this.#drop(resource, known, now);
      this.#rates[resource].grant(granted[resource] ?? [], now);
    }
    this.#places = Math.min(this.#places, (held.places ?? 0) - countIn(granted.places));
    this.#places += countIn(granted.places);
    // All of it where there is no target. Places that are in use are kept.
    for (const resource of RATES) this.#drop(resource, this.target[resource] ?? 0, now);
    this.#places = Math.min(this.#places, Math.max(this.target.places ?? 0, this.inFlight));
  }

  /** Gives up everything at once: the lease has lapsed. */
  lapse(now: number): void {
    this.target = {};
    for (const resource of RATES) this.#drop(resource, 0, now);
    this.#places = 0;
  }

  get held(): Amounts {
    return Object.fromEntries(
      RESOURCES.filter((one) => this.limits[one]).map((one) => [
        one,
        one === 'places' ? this.#places : this.#rates[one].held,
      ]),
    );
  }

  /** What was given up and is not in the row yet. */
  returned(now: number): Partial<Record<Resource, Portion[]>> {
    const portions: Partial<Record<Resource, Portion[]>> = {};
    for (const { resource, count, at } of this.#returned)
      (portions[resource] ??= []).push([count, Math.max(0, Math.ceil(at - now))]);
    return portions;
  }

  forgetReturned(): void {
    this.#returned = [];
  }

  #drop(resource: Rate, to: number, now: number): void {
    for (const use of this.#rates[resource].dropTo(to, now))
      this.#returned.push({ ...use, resource });
  }

  /** What a request uses of each rate, and until when that can be used again, in milliseconds. */
  #costs(clients: number) {
    return RATES.flatMap((resource) => {
      const limit = this.limits[resource];
      const asked = resource === 'requests' ? 1 : clients;
      if (!limit || asked === 0) return [];
      const count = Math.min(asked, limit.units);
      return [{ resource, count, cycleMs: limit.cycleMs * Math.max(1, asked / limit.units) }];
    });
  }
}

/** Permits that were used, or that may be used from a time on. */
interface Use {
  count: number;
  at: number;
}
