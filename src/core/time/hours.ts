import { changeBetween, offsetAt, type TimeZone, timeZone } from './time-zone.js';

/** A time of every day, in minutes since midnight on the clocks of a time zone; `to` itself is outside. */
export interface PermittedHours {
  readonly from: number;
  /** Before `from` where it is on the next day. */
  readonly to: number;
  /** IANA name. */
  readonly zone: string;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const FORM = /^(\d\d):(\d\d)\s*[-–]\s*(\d\d):(\d\d)\s+(\S+)$/;

/** Reads `20:00-06:00 Europe/Moscow`; otherwise gives what is wrong with it. */
export function parseHours(text: string): PermittedHours | { readonly mistake: string } {
  const [, ...parts] = FORM.exec(text.trim()) ?? [];
  const [fromHour, fromMinute, toHour, toMinute] = parts.slice(0, 4).map(Number);
  const from = minutes(fromHour, fromMinute, 23);
  const to = minutes(toHour, toMinute, 24);
  const zone = parts[4];
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

function minutes(hour = NaN, minute = NaN, last = 23): number | null {
  const isTime = minute < 60 && (hour <= 23 || (hour === last && minute === 0));
  return isTime ? hour * 60 + minute : null;
}

/** The hours as they are written, for the person. */
export function hoursText({ from, to, zone }: PermittedHours): string {
  return `${clock(from)}-${clock(to)} ${zone}`;
}

const two = (part: number): string => String(part).padStart(2, '0');
const clock = (minute: number): string => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;

/** What clocks of the zone show at an instant: `2026-11-21 20:00`. */
export function localText(hours: PermittedHours, instant: number): string {
  const local = instant + offsetAt(zoneOf(hours), instant);
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
  const local = (instant + offsetAt(zone, instant)) % DAY;
  return local < 0 ? local + DAY : local;
}

function zoneOf({ zone }: PermittedHours): TimeZone {
  const found = timeZone(zone);
  if (!found) throw new RangeError(`There is no time zone ${zone}.`);
  return found;
}
