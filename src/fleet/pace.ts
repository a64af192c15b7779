import { randomUUID } from 'node:crypto';
import { NoLedgerError } from '../core/errors.js';
import type { Permit, RequestEnding, SharedLimits, SharedPermits } from '../core/ledger.js';
import { type Beat, type Amounts, RESOURCES } from '../ledger/pace.js';
import type { PaceRow } from '../ledger/shared.js';
import { Holdings } from './holdings.js';

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

export interface PaceOptions {
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
  readonly timing?: Timing;
}

/** Whoever waits for a permit. */
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

/** Takes part with the first request. */
export function joinPace(row: PaceRow, options: PaceOptions): SharedPermits {
  return new Participant(row, options);
}

const NOTHING = { requests: 0, clients: 0, places: 0, answers: 0, refused: 0, retryAfterMs: 0 };

/** What was needed in so many reports counts: permits that change hands lie idle for a moment. */
const REMEMBERED = 4;

/** Else, so many times as many as were used are enough. */
const ENOUGH = 1.25;

/** Whoever had requests waiting for this share of the time has use for more permits. */
const HUNGRY = 0.3;

const SECOND_MS = 1000;

/** As many as there may be. */
const ALL = 1e9;

class Participant implements SharedPermits {
  readonly #id = randomUUID();
  readonly #timing: Timing;
  readonly #holdings = new Holdings();
  readonly #demand = createDemand();
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

  take(clients: number, signal: AbortSignal): Promise<Permit> {
    return new Promise((give, reject) => {
      // The reason of a signal is passed on as it is.
      const fail: (reason: unknown) => void = reject;
      if (signal.aborted) {
        fail(signal.reason);
        return;
      }
      const waiter: Waiter = {
        clients,
        waited: false,
        give: (permit) => {
          signal.removeEventListener('abort', onAbort);
          give(permit);
        },
        fail: (error) => {
          signal.removeEventListener('abort', onAbort);
          fail(error);
        },
      };
      const onAbort = (): void => {
        this.#waiting = this.#waiting.filter((one) => one !== waiter);
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
        if (at === Infinity) this.#askForMore(now);
        else this.#unwake = this.#timing.after(Math.max(1, at - now), () => this.#serve());
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
    this.#demand.answered(refused, retryAfterMs);
    // Others should know at once.
    if (refused && retryAfterMs > 0) {
      this.#pausedUntil = Math.max(this.#pausedUntil, this.#timing.now() + retryAfterMs);
      this.#beatSoon();
    }
  }

  /** Too little is held to send the next one. Where that is known, the answer to the next report says what is to be had. */
  #askForMore(now: number): void {
    if (now - this.#lastBeat > this.#beatMs / 2) this.#beatSoon();
  }

  #beatSoon(): void {
    this.#plan(Math.max(0, this.#lastBeat + KICK_MS - this.#timing.now()));
  }

  #plan(ms: number): void {
    if (this.#closed || this.#beating || this.#trouble) return;
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
    let next: number;
    try {
      const answer = await this.row.beat(this.#report(false, leaseMs));
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
      this.#demand.unreported();
      next = this.#failed(error);
    }
    this.#beating = undefined;
    if (this.#closed) return;
    const { pauseMs } = this.#trouble ?? { pauseMs: next };
    this.#unplan();
    this.#unplan = this.#timing.after(pauseMs, () => {
      this.#beating = this.#beat();
    });
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
    } else if (isFirst) this.options.onTrouble(troubleText(error));
    return trouble.pauseMs;
  }
}

function troubleText(error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  return `What other machines send cannot be asked for, so nothing new is sent; trying on. ${why}`;
}

/** Time of this machine, as something that a simulation can bring along. */
interface Timing {
  /** Milliseconds by a clock that nobody sets. */
  now(): number;
  /** Calls `run` after `ms` milliseconds. Returns what takes that back. */
  after(ms: number, run: () => void): () => void;
}

const machineTiming: Timing = {
  now: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

type Reported = Pick<Beat, 'want' | 'need' | 'answers' | 'refused' | 'retryAfterMs'>;

/** What a report said: permits used, by the second, and whether there were too few. */
interface Used {
  readonly isHungry: boolean;
  readonly requests: number;
  readonly clients: number;
  readonly places: number;
}

/** How many permits a process has use for. */
interface Demand {
  /** A request with so many clients wants to leave. */
  asked(clients: number): void;
  /** Whether requests wait, from now on. */
  waits(does: boolean, now: number): void;
  used(clients: number, inFlight: number): void;
  answered(refused: boolean, retryAfterMs: number): void;
  /** Since the last report. `clients`: of the request that waits, where one does. */
  report(clients: number | undefined, now: number): Reported;
  /** The report did not arrive: what it counted goes into the next. */
  unreported(): void;
}

function createDemand(): Demand {
  let counts = { ...NOTHING };
  let reported = { ...NOTHING };
  let from = -Infinity;
  let largest = 1;
  let remembered: Used[] = [];
  const waiting = createStopwatch();

  const usedUntil = (now: number): Used => {
    const ms = Math.max(1, now - from);
    const { requests, clients, places } = counts;
    return {
      isHungry: from === -Infinity || waiting.take(now) > ms * HUNGRY,
      requests: (requests * SECOND_MS) / ms,
      clients: (clients * SECOND_MS) / ms,
      places,
    };
  };

  return {
    asked: (clients) => {
      largest = Math.max(largest, clients);
    },
    waits: waiting.set,
    used: (clients, inFlight) => {
      counts.requests++;
      counts.clients += clients;
      counts.places = Math.max(counts.places, inFlight);
    },
    answered: (refused, retryAfterMs) => {
      counts.answers++;
      if (refused) counts.refused++;
      counts.retryAfterMs = Math.max(counts.retryAfterMs, retryAfterMs);
    },
    report: (clients, now) => {
      remembered = [...remembered, usedUntil(now)].slice(-REMEMBERED);
      const need = { requests: 1, clients: Math.max(1, clients ?? 0), places: 1 };
      const { answers, refused, retryAfterMs } = counts;
      reported = counts;
      counts = { ...NOTHING };
      from = now;
      return {
        want: wantOf(remembered, { ...need, clients: largest }, clients !== undefined),
        ...{ need, answers, refused, retryAfterMs },
      };
    },
    unreported: () => {
      counts = {
        ...counts,
        answers: counts.answers + reported.answers,
        refused: counts.refused + reported.refused,
        retryAfterMs: Math.max(counts.retryAfterMs, reported.retryAfterMs),
      };
    },
  };
}

function wantOf(used: readonly Used[], useful: Required<Amounts>, waits: boolean): Amounts {
  const isHungry = used.some((one) => one.isHungry);
  const want = RESOURCES.map((resource) => {
    const peak = Math.max(...used.map((one) => one[resource]));
    if (isHungry) return [resource, ALL];
    const isIdle = peak === 0 && !waits;
    return [resource, isIdle ? 0 : Math.max(useful[resource], Math.ceil(peak * ENOUGH) + 1)];
  });
  return Object.fromEntries(want) as Amounts;
}

/** Adds up for how long something was so. */
function createStopwatch() {
  let since: number | undefined;
  let sum = 0;
  const set = (is: boolean, now: number): void => {
    if (since !== undefined) sum += now - since;
    since = is ? now : undefined;
  };
  return {
    set,
    /** The time since it was last taken. */
    take: (now: number): number => {
      set(since !== undefined, now);
      const taken = sum;
      sum = 0;
      return taken;
    },
  };
}
