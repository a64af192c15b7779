import { setTimeout } from 'node:timers/promises';

/** Time, as something that a test can bring along. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when it is aborted before. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

const UNITS = { h: 3_600_000, d: 86_400_000, w: 604_800_000, y: 31_557_600_000 } as const;
const DURATION = /^(\d+)([hdwy])$/;

/** Milliseconds of a duration such as `31d` or `5y`; `undefined` where it is none. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit] = DURATION.exec(text.trim()) ?? [];
  return isUnit(unit) ? Number(count) * UNITS[unit] : undefined;
}

const isUnit = (unit: string | undefined): unit is keyof typeof UNITS =>
  unit !== undefined && Object.hasOwn(UNITS, unit);

/** A duration in whole days, for people. */
export function daysText(milliseconds: number): string {
  const days = Math.floor(milliseconds / UNITS.d);
  return days === 1 ? '1 day' : `${days} days`;
}

/** A moment by the clock that nobody sets, which may stand still while the machine sleeps, and by the one that does not. */
export interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

export const momentNow = (): Moment => ({ monotonic: performance.now(), wall: Date.now() });

const BASE_MS = 200;
const CAP_MS = 20_000;

/**
 * How long to wait before attempt `attempt` (from 1) is made again: what the contact center asked for, or full jitter
 * over a doubling span. `random` is in [0, 1).
 */
export function retryDelay(
  attempt: number,
  retryAfterMs: number | undefined,
  random: number,
): number {
  const span = Math.min(CAP_MS, BASE_MS * 2 ** (attempt - 1));
  const jitter = random * span;
  return retryAfterMs === undefined ? jitter : retryAfterMs + random * BASE_MS;
}

/** How long a run goes on without one success, in milliseconds. */
export interface Patience {
  /** Before the first success: a wrong address should be reported soon. */
  readonly atStart: number;
  readonly later: number;
}

export const DEFAULT_PATIENCE: Patience = { atStart: 10_000, later: 900_000 };

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The time of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    try {
      // A longer time than a timer can hold would end at once.
      await setTimeout(Math.min(ms, LONGEST_TIMER_MS), undefined, { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};
