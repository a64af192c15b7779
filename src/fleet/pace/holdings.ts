import {
  type Amounts,
  type BeatAnswer,
  type Limits,
  type Portion,
  type Resource,
  RESOURCES,
} from '../../ledger/pace.js';
import { AnswerTimes } from './answer-times.js';
import { RateSlots, type Use } from './rate-slots.js';

/** How far requests may be ahead of an even spread, in milliseconds: what a timer is late by is made up for. */
const AHEAD_MS = 50;

type Rate = Exclude<Resource, 'places'>;
const RATES: readonly Rate[] = ['requests', 'clients'];

/** The permits that one request uses. */
export interface UsedPermits {
  /** The request has been answered at that time. */
  ended(answered: number): void;
  /** In its place: it did not leave. */
  unused(): void;
}

/** What a request uses of each rate. */
interface Cost {
  readonly resource: Rate;
  readonly count: number;
  /** Until it can be used again, in milliseconds. */
  readonly cycleMs: number;
}

/**
 * The permits that this process holds. No second has more requests and clients than it holds permits, counted from when
 * they left, or a little later where the answer was slow in coming; they are spread evenly beside that.
 */
export class Holdings {
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

  /** Uses permits for a request that leaves now. */
  use(clients: number, now: number): UsedPermits {
    const costs = this.#costs(clients);
    const latest = this.#answers.latest(now);
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
      unused: () => {
        end(() => -Infinity);
      },
      ended: (answered) => {
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
      const known = (held[resource] ?? 0) - sumOf(granted[resource]);
      // What the row does not know of is not ours any more.
      this.#drop(resource, known, now);
      this.#rates[resource].grant(granted[resource] ?? [], now);
    }
    this.#places = Math.min(this.#places, (held.places ?? 0) - sumOf(granted.places));
    this.#places += sumOf(granted.places);
    this.giveUp(now);
  }

  /** Gives up what is above the target: all of it where there is none. Places that are in use are kept. */
  giveUp(now: number): void {
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

  /** The row has these. */
  forgetReturned(): void {
    this.#returned = [];
  }

  #drop(resource: Rate, to: number, now: number): void {
    for (const use of this.#rates[resource].dropTo(to, now))
      this.#returned.push({ ...use, resource });
  }

  #costs(clients: number): Cost[] {
    return RATES.flatMap((resource) => {
      const limit = this.limits[resource];
      const asked = resource === 'requests' ? 1 : clients;
      if (!limit || asked === 0) return [];
      const count = Math.min(asked, limit.units);
      return [{ resource, count, cycleMs: limit.cycleMs * Math.max(1, asked / limit.units) }];
    });
  }
}

const sumOf = (portions: readonly Portion[] = []): number =>
  portions.reduce((sum, [count]) => sum + count, 0);
