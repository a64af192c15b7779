import type { Portion } from '../../ledger/pace.js';

/** Permits that were used, or that may be used from a time on. */
export interface Use {
  readonly count: number;
  /** When they may be used again. */
  at: number;
}

/**
 * The permits of a rate that this process holds. Each is good for one request or client in every cycle: it can be used
 * again when a cycle has passed since it was used.
 */
export class RateSlots {
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
