import { type TimeZone, type Weekdays, timeZone } from './hours.js';

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
  const [, hour, minute, name] = FORM.exec(text.trim()) ?? [];
  if (Number(hour) > 23 || Number(minute) > 59 || hour === undefined)
    return { mistake: 'this is no time of day. Write it like "02:00 Europe/Moscow".' };
  const wanted = name ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zone = timeZone(wanted);
  if (!zone)
    return { mistake: `"${wanted}" is no time zone. Use an IANA name, such as Europe/Moscow.` };
  return { minute: Number(hour) * 60 + Number(minute), zone };
}

export const timeOfDayText = ({ minute, zone }: TimeOfDay): string =>
  `${two(Math.floor(minute / 60))}:${two(minute % 60)} ${zone.name}`;

const two = (part: number): string => String(part).padStart(2, '0');

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
    const instant = instantAt(shown, zone);
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

/** The instant at which clocks show `local`, as if it were UTC; the first where they do twice, the change where never. */
function instantAt(local: number, zone: TimeZone): number {
  const [before, after] = [zone.offsetAt(local - DAY), zone.offsetAt(local + DAY)];
  const early = local - Math.max(before, after);
  return early + zone.offsetAt(early) === local ? early : local - Math.min(before, after);
}
