/** A moment by the clock that nobody sets, which may stand still while the machine sleeps, and by the one that does not. */
export interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

export const momentNow = (): Moment => ({ monotonic: performance.now(), wall: Date.now() });

/** Milliseconds between two moments, by whichever clock has gone further. */
export const since = (then: Moment, now: Moment): number =>
  Math.max(now.monotonic - then.monotonic, now.wall - then.wall);
