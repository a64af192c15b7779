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

/** A time that clocks of a zone show once a day. */
export interface TimeOfDay {
  /** Minutes since midnight. */
  readonly minute: number;
  readonly zone: TimeZone;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const FORM = /^(\d\d):(\d\d)(?:\s+(\S+))?$/;

/** Reads `02:00 Europe/Moscow`; without a zone it is one of the machine. Otherwise says what is wrong. */
export function parseTimeOfDay(text: string): TimeOfDay | { readonly mistake: string } {
  const [, hour, minutes, name] = FORM.exec(text.trim()) ?? [];
  const minute = minuteOfDay(hour, minutes);
  if (minute === null)
    return { mistake: 'this is no time of day. Write it like "02:00 Europe/Moscow".' };
  const wanted = name ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zone = timeZone(wanted);
  if (!zone)
    return { mistake: `"${wanted}" is no time zone. Use an IANA name, such as Europe/Moscow.` };
  return { minute, zone };
}

export const timeOfDayText = ({ minute, zone }: TimeOfDay): string =>
  `${clock(minute)} ${zone.name}`;

/**
 * The first instant after `after` at which clocks show this time, on one of these days. On a day on which clocks skip
 * it, it is the moment at which they do.
 */
export function nextTimeOfDay({ minute, zone }: TimeOfDay, days: Weekdays, after: number): number {
  const local = after + zone.offsetAt(after);
  const midnight = Math.floor(local / DAY) * DAY;
  // A day more than a week: the same weekday again, should today's time be over.
  for (let day = -1; day <= 8; day++) {
    const shown = midnight + day * DAY + minute * MINUTE;
    if (!days.has(new Date(shown).getUTCDay())) continue;
    const instant = instantOf(shown, zone) ?? shown - Math.min(...offsetsAround(shown, zone));
    if (instant > after) return instant;
  }
  throw new RangeError('There is no such day in a week.');
}

/** The last instant up to `until` at which clocks showed it. */
export function lastTimeOfDay(time: TimeOfDay, days: Weekdays, until: number): number {
  const first = nextTimeOfDay(time, days, until - 9 * DAY);
  let last = first;
  for (let next = first; next <= until; next = nextTimeOfDay(time, days, next)) last = next;
  return last;
}

/** When a client may be called: at this moment, later on the same day by its clocks, on a later day, or never. */
export const CALL_TIMES = ['now', 'today', 'later', 'never'] as const;
export type CallTime = (typeof CALL_TIMES)[number];

/** Clients by when they may be called, as of one moment. */
export type CallCounts = Record<CallTime, number>;

/** What a run says of when its clients may be called. */
export interface CallSummary extends CallCounts {
  /** The moment at which that was so, in ISO 8601. */
  readonly asOf: string;
}

export function noCalls(): CallCounts {
  return { now: 0, today: 0, later: 0, never: 0 };
}

/** Codes of what a report says of a row whose client may not be called now. */
export const CALL_CODES = {
  today: 'opens_today',
  later: 'opens_later',
  never: 'never_open',
} as const satisfies Record<Exclude<CallTime, 'now'>, string>;

/** A time zone: what clocks on the wall show there. */
export interface TimeZone {
  /** IANA name, as it was asked for. */
  readonly name: string;
  /** Milliseconds by which local time is ahead of UTC at an instant (milliseconds since 1970). */
  offsetAt(instant: number): number;
}

/** Making one takes long. There are no more of them than IANA has names. */
const zones = new Map<string, TimeZone>();

/** The zone of an IANA name, in any case of letters; `undefined` when there is none. */
export function timeZone(name: string): TimeZone | undefined {
  const key = name.toLowerCase();
  const known = zones.get(key);
  if (known) return known;
  const format = formatOf(name);
  if (!format) return undefined;
  // Clocks are asked for whole seconds.
  const offsetOf = (instant: number): number => localOf(format, instant) - instant;
  const offsetAt = (instant: number): number => offsetOf(Math.floor(instant / SECOND) * SECOND);
  const zone = { name, offsetAt };
  zones.set(key, zone);
  return zone;
}

/**
 * The instant at which clocks of the zone show `local`, a time written as if it were UTC. Where they show it twice,
 * as in the hour that comes again in autumn, it is the first time; `null` where they skip it, as in spring.
 */
export function instantOf(local: number, zone: TimeZone): number | null {
  const instants = offsetsAround(local, zone)
    .map((offset) => local - offset)
    .filter((instant) => instant + zone.offsetAt(instant) === local);
  return instants.length === 0 ? null : Math.min(...instants);
}

/** A day before and after, whatever change there is lies between. */
const offsetsAround = (local: number, zone: TimeZone): number[] => [
  ...[zone.offsetAt(local - DAY), zone.offsetAt(local + DAY)],
];

const SECOND = 1000;

/** The instant in (`after`, `last`] from which on clocks are set otherwise; there is one at most in a day. */
export function changeBetween(zone: TimeZone, after: number, last: number): number | null {
  const before = zone.offsetAt(after);
  if (zone.offsetAt(last) === before) return null;
  let [low, high] = [Math.floor(after / SECOND), Math.ceil(last / SECOND)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (zone.offsetAt(middle * SECOND) === before) low = middle;
    else high = middle;
  }
  return high * SECOND;
}

/** What clocks show, in the order of `Date.UTC`. */
const SHOWN = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;

/** Some versions of Node take offsets for names of zones; they are none. */
const OFFSET = /^[+-]/;

function formatOf(name: string): Intl.DateTimeFormat | undefined {
  if (OFFSET.test(name)) return undefined;
  try {
    const shown = Object.fromEntries(SHOWN.map((part) => [part, 'numeric' as const]));
    return new Intl.DateTimeFormat('en-US', { timeZone: name, hourCycle: 'h23', ...shown });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** What clocks show at an instant, as if it were UTC. */
function localOf(format: Intl.DateTimeFormat, instant: number): number {
  const parts = format.formatToParts(instant);
  const [year = 0, month = 0, ...rest] = SHOWN.map((wanted) =>
    Number(parts.find(({ type }) => type === wanted)?.value),
  );
  return Date.UTC(year, month - 1, ...rest);
}

/** A time of every day, in minutes since midnight on the clocks of a time zone; `to` itself is outside. */
export interface PermittedHours {
  readonly from: number;
  /** Before `from` where it is on the next day. */
  readonly to: number;
  /** IANA name. */
  readonly zone: string;
}

const HOURS_FORM = /^(\d\d):(\d\d)\s*[-–]\s*(\d\d):(\d\d)\s+(\S+)$/;

/** Reads `20:00-06:00 Europe/Moscow`; otherwise gives what is wrong with it. */
export function parseHours(text: string): PermittedHours | { readonly mistake: string } {
  const [, ...parts] = HOURS_FORM.exec(text.trim()) ?? [];
  const [fromHour, fromMinute, toHour, toMinute, zone] = parts;
  const from = minuteOfDay(fromHour, fromMinute);
  const to = minuteOfDay(toHour, toMinute, 24);
  if (from === null || to === null || zone === undefined)
    return { mistake: 'these are no hours. Write them like "20:00-06:00 Europe/Moscow".' };
  if (timeZone(zone) === undefined)
    return { mistake: `"${zone}" is no time zone. Use an IANA name, such as Europe/Moscow.` };
  if (from === to || to - from === DAY / MINUTE)
    return {
      mistake: 'these are all hours of the day or none. Leave "hours" out where all are meant.',
    };
  return { from, to, zone };
}

/** Minutes since midnight; `null` where it is no time. @param last the hour that may only be a whole one, as 24 is */
function minuteOfDay(hourText = '', minuteText = '', last = 23): number | null {
  const [hour, minute] = [parseInt(hourText, 10), Number(minuteText)];
  const isTime = minute < 60 && (hour <= 23 || (hour === last && minute === 0));
  return isTime ? hour * 60 + minute : null;
}

/** The hours as they are written, for the person. */
export function hoursText({ from, to, zone }: PermittedHours): string {
  return `${clock(from)}-${clock(to)} ${zone}`;
}

const clock = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');

/** What clocks of the zone show at an instant: `2026-11-21 20:00`. */
export function localText(hours: PermittedHours, instant: number): string {
  const local = instant + zoneOf(hours).offsetAt(instant);
  return new Date(local).toISOString().slice(0, 16).replace('T', ' ');
}

/**
 * The first instant from `now` on that is permitted, in milliseconds since the epoch; `now` itself where it is. Goes by
 * what clocks show: an hour that comes again in autumn is permitted twice, one that is skipped in spring never.
 */
export function nextPermitted(hours: PermittedHours, now: number): number {
  const zone = zoneOf(hours);
  const { from, to } = hours;
  const isPermitted = (instant: number): boolean => {
    const minute = timeOfDay(zone, instant) / MINUTE;
    return from < to ? minute >= from && minute < to : minute >= from || minute < to;
  };
  let at = now;
  while (!isPermitted(at)) {
    const wait = from * MINUTE - timeOfDay(zone, at);
    const opens = at + (wait > 0 ? wait : wait + DAY);
    // Where clocks are put forward or back before, they may show the hours sooner, or later, or not at all.
    at = changeBetween(zone, at, opens) ?? opens;
  }
  return at;
}

/** How much of the time between two instants was permitted, in milliseconds; all of it where no hours are given. */
export function permittedTime(
  hours: PermittedHours | undefined,
  since: number,
  until: number,
): number {
  if (!hours) return until - since;
  const closed = { ...hours, from: hours.to % (DAY / MINUTE), to: hours.from };
  let sum = 0;
  for (let at = nextPermitted(hours, since); at < until;) {
    const closes = Math.min(nextPermitted(closed, at), until);
    sum += closes - at;
    at = closes < until ? nextPermitted(hours, closes) : until;
  }
  return sum;
}

/** Milliseconds since midnight on the clocks of the zone. */
function timeOfDay(zone: TimeZone, instant: number): number {
  const local = (instant + zone.offsetAt(instant)) % DAY;
  return local < 0 ? local + DAY : local;
}

function zoneOf({ zone }: PermittedHours): TimeZone {
  const found = timeZone(zone);
  if (!found) throw new RangeError(`There is no time zone ${zone}.`);
  return found;
}

/** Days of a week as people write them, Sunday first, as `Date` numbers them. */
export const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

/** Numbers of days, 0 for Sunday. */
type Weekdays = ReadonlySet<number>;

export const EVERY_DAY: Weekdays = new Set(WEEKDAYS.keys());

/** Reads `Mon-Fri`, `Sat`, or `Mon, Wed-Thu`; `undefined` where it is none of these. */
export function parseWeekdays(text: string): Weekdays | undefined {
  const days = new Set<number>();
  for (const part of text.split(',')) {
    const named = part.split(/[-–]/).map(dayNumber);
    const [first, last] = [named[0], named.at(-1)];
    if (first === undefined || last === undefined || named.length > 2) return undefined;
    for (let day = first; ; day = (day + 1) % WEEKDAYS.length) {
      days.add(day);
      if (day === last) break;
    }
  }
  return days;
}

/** The first three letters are enough, in any case. */
function dayNumber(text: string): number | undefined {
  const short = text.trim().slice(0, 3).toLowerCase();
  const found = WEEKDAYS.findIndex((name) => name.toLowerCase() === short);
  return found < 0 ? undefined : found;
}

/** Where the time zone of a client comes from: its column, its phone, or the default, for want of one or as it is not sure. */
export const ZONE_SOURCES = ['column', 'phone', 'ambiguous', 'default'] as const;
export type ZoneSource = (typeof ZONE_SOURCES)[number];

/** Clients by where their time zone comes from. */
export type ZoneCounts = Record<ZoneSource, number>;
