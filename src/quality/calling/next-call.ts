import { type CallTime, changeBetween, offsetAt, type TimeZone } from '../../core/hours.js';
import type { Holidays } from './holidays.js';
import type { DayPart, WeekHours } from './week-hours.js';

/** When clients may be called, by their own clocks. */
export interface CallHours {
  readonly week: WeekHours;
  /** Days without calls. */
  readonly holidays?: Holidays | undefined;
}

export interface NextCall {
  readonly when: CallTime;
  /** The first instant from now on at which a call is allowed, in milliseconds since the epoch. */
  readonly at: number | null;
}

const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
const MINUTE = 60_000;
/** 1970-01-01 was a Thursday. */
const FIRST_WEEKDAY = 3;
/** Days that are looked at: whoever cannot be called in a year never can. */
const HORIZON = 366;
/** How far clocks of any place are ahead of UTC or behind, with something to spare. */
const [FARTHEST_EAST, FARTHEST_WEST] = [15 * HOUR, 13 * HOUR];

/** Days since 1970 on the clocks of a zone. */
export const localDay = (zone: TimeZone, instant: number): number =>
  Math.floor((instant + offsetAt(zone, instant)) / DAY);

/**
 * When a client in a zone may be called next. Goes by what clocks show: an hour that comes again in autumn is allowed
 * twice, one that is skipped in spring never.
 */
export function nextCall(hours: CallHours, zone: TimeZone, now: number): NextCall {
  const today = localDay(zone, now);
  let best = Number.POSITIVE_INFINITY;
  // Where clocks are put back over midnight, yesterday comes again.
  for (let day = today - 1; day <= today + HORIZON; day++) {
    best = Math.min(best, firstOn(day, hours, zone, now));
    if (best < Number.POSITIVE_INFINITY && day > today) break;
  }
  if (best === Number.POSITIVE_INFINITY) return { when: 'never', at: null };
  if (best === now) return { when: 'now', at: now };
  return { when: localDay(zone, best) === today ? 'today' : 'later', at: best };
}

/**
 * When a client may be called next that can be in any of some zones: when all of them allow it. Words such as "today" go by
 * the first of them.
 */
export function nextCallInAll(
  hours: CallHours,
  zones: readonly [TimeZone, ...TimeZone[]],
  now: number,
): NextCall {
  let at = now;
  for (let latest = now; at <= now + HORIZON * DAY; at = latest) {
    for (const zone of zones) latest = Math.max(latest, nextCall(hours, zone, at).at ?? Infinity);
    if (latest > at) continue;
    if (at === now) return { when: 'now', at };
    const isToday = localDay(zones[0], at) === localDay(zones[0], now);
    return { when: isToday ? 'today' : 'later', at };
  }
  return { when: 'never', at: null };
}

/** The first instant from now on in the hours of a local day; infinity where there is none. */
function firstOn(day: number, { week, holidays }: CallHours, zone: TimeZone, now: number): number {
  const parts = week[(((day + FIRST_WEEKDAY) % 7) + 7) % 7] ?? [];
  if (parts.length === 0 || holidays?.has(day)) return Number.POSITIVE_INFINITY;
  const midnight = day * DAY;
  const [begin, end] = [midnight - FARTHEST_EAST, midnight + DAY + FARTHEST_WEST];
  const change = changeBetween(zone, begin, end);
  // Before and after the change, clocks run evenly.
  const spans =
    change === null
      ? [{ since: begin, until: end }]
      : [
          { since: begin, until: change },
          { since: change, until: end },
        ];
  return Math.min(...spans.flatMap((span) => parts.map((part) => firstIn(part, span))));

  function firstIn({ from, to }: DayPart, { since, until }: Span): number {
    const shift = midnight - offsetAt(zone, since);
    const first = Math.max(shift + from * MINUTE, since, now);
    return first < Math.min(shift + to * MINUTE, until) ? first : Number.POSITIVE_INFINITY;
  }
}

interface Span {
  readonly since: number;
  readonly until: number;
}
