import { lastTimeOfDay, timeOfDayText } from '../../core/time-of-day.js';
import { EVERY_DAY } from '../../core/hours.js';
import type { Pickup } from '../pickup/schema.js';

/** Which file should have come by now, and has not. */
export interface Late {
  /** By when, in milliseconds since the epoch. */
  readonly due: number;
  readonly sentence: string;
}

/**
 * Whether a file is late. Pure. `watchedSince`: nothing is said of times before anybody looked; `lastTaken`: when the
 * last file was taken; a file counts for a time when it has come since the same time of the day before.
 */
export function lateAt(
  { files, expect }: Pick<Pickup, 'files' | 'expect'>,
  now: number,
  watchedSince: number,
  lastTaken: number | null,
): Late | null {
  if (!expect) return null;
  const due = lastTimeOfDay(expect.by, expect.days ?? EVERY_DAY, now);
  if (due > now || due <= watchedSince) return null;
  // Not 24 hours: a day on which clocks change has one more, or one less.
  if (lastTaken !== null && lastTaken > lastTimeOfDay(expect.by, EVERY_DAY, due - 1)) return null;
  return { due, sentence: `${files} has not come by ${timeOfDayText(expect.by)}.` };
}
