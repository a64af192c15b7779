import {
  type Amounts,
  type BeatAnswer,
  type Limits,
  type Portion,
  type Resource,
  RESOURCES,
} from '../ledger/pace.js';

/** How far requests may be ahead of an even spread, in milliseconds: what a timer is late by is made up for. */
const AHEAD_MS = 50;

type Rate = Exclude<Resource, 'places'>;
const RATES: readonly Rate[] = ['requests', 'clients'];

/** The permits that one request uses. */
interface UsedPermits {
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

const MAX_SAVED_MS = 10_000;

/**
 * When requests were on the contact center's books, as far as it shows here: as much later than they left as their answer
 * took longer than the quickest answer to a request like it. A stall is counted in full, answers that always differ are not.
 */
class AnswerTimes {
  readonly #quickest = new Map<number, number>();
  #saved = MAX_SAVED_MS;

  /** It counts as having left by then at the latest. */
  latest(left: number): number {
    return left + LONGEST_MS;
  }

  /** When it counts as having left. */
  counted(clients: number, left: number, answered: number): number {
    const kind = Math.ceil(Math.log2(clients + 1));
    const took = answered - left;
    const quickest = Math.min((this.#quickest.get(kind) ?? took) * FORGET, took);
    this.#quickest.set(kind, quickest);
    const later = Math.min(took - quickest, LONGEST_MS, this.#saved);
    this.#saved = Math.min(MAX_SAVED_MS, this.#saved - later + AVERAGE_MS);
    return left + later;
  }
}

/** What was quickest once may not be any more. */
const FORGET = 1.0001;

/** On average it is no more than this: permits that rest are not used. */
const AVERAGE_MS = 35;

/** How long a permit rests at most after its request left, where the answer is slow in coming, in milliseconds. */
const LONGEST_MS = 500;

/**
 * The permits of a rate that this process holds. Each is good for one request or client in every cycle: it can be used
 * again when a cycle has passed since it was used.
 */
class RateSlots {
  held = 0;
  /** In the order of their use, which is nearly that in which they can be used again. */
  #used: Use[] = [];
  #first = 0;
  #granted: Use[] = [];
  #resting = 0;

  grant(portions: readonly Portion[], now: number): void {
    for (const [count, inMs] of portions) {
      this.held += count;
      if (inMs <= 0) continue;
      this.#granted.push({ count, at: now + inMs });
      this.#resting += count;
    }
  }

  /** When so many can be used: `now` or before, they can; `Infinity`: so many are not held. */
  readyAt(count: number, now: number): number {
    this.#refresh(now);
    let missing = count - (this.held - this.#resting);
    if (missing <= 0) return now;
    if (count > this.held) return Infinity;
    let at = now;
    for (let index = this.#first; index < this.#used.length && missing > 0; index++) {
      const use = this.#used[index];
      if (!use) continue;
      at = Math.max(at, use.at);
      missing -= use.count;
    }
    const granted = Math.min(...this.#granted.map((use) => use.at));
    // Looked at again then: it may not be enough.
    return missing > 0 ? granted : Math.min(at, granted);
  }

  use(count: number, at: number): Use {
    const use = { count, at };
    this.#used.push(use);
    this.#resting += count;
    return use;
  }

  /**
   * Gives up what is more than `target`, and returns when it can be used by others: some of what is free and some of what
   * rests, so that what is left is spread as before.
   */
  dropTo(target: number, now: number): Use[] {
    this.#refresh(now);
    const excess = this.held - target;
    if (excess <= 0) return [];
    const share = excess / this.held;
    const dropped: Use[] = [];
    let [passed, sum] = [0, 0];
    /** How many of these stay. */
    const keep = (count: number, at: number): number => {
      passed += count;
      const some = Math.min(count, excess - sum, Math.round(passed * share) - sum);
      if (some <= 0) return count;
      sum += some;
      dropped.push({ count: some, at });
      return count - some;
    };
    const keepUse = (use: Use): Use[] => {
      const left = keep(use.count, use.at);
      if (left === use.count) return [use];
      return left > 0 ? [{ count: left, at: use.at }] : [];
    };
    keep(this.held - this.#resting, now);
    this.#granted = this.#granted.flatMap(keepUse);
    this.#used = this.#used.slice(this.#first).flatMap(keepUse);
    this.#first = 0;
    this.held -= sum;
    this.#resting = [...this.#granted, ...this.#used].reduce((all, { count }) => all + count, 0);
    return dropped;
  }

  #refresh(now: number): void {
    for (let use = this.#used[this.#first]; use && use.at <= now; use = this.#used[this.#first]) {
      this.#resting -= use.count;
      this.#first++;
    }
    if (this.#first > 1000) {
      this.#used = this.#used.slice(this.#first);
      this.#first = 0;
    }
    if (this.#granted.length === 0) return;
    this.#granted = this.#granted.filter((use) => {
      if (use.at > now) return true;
      this.#resting -= use.count;
      return false;
    });
  }
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

/** Permits that were used, or that may be used from a time on. */
interface Use {
  readonly count: number;
  /** When they may be used again. */
  at: number;
}
