import { codeOf, InputError } from '../core/errors.js';
import { readSmallFile } from '../files/regular-file.js';
import { CALL_CODES, type CallTime, type TimeZone, timeZone, changeBetween } from '../core/time.js';
import { zoneOfText } from './zones/zones.js';

/** When clients of one zone may be called, and what a report says of them. */
interface ZoneCalls {
  readonly when: CallTime;
  /** Why they may not be called now; `null` where they may. */
  readonly why: { readonly code: string; readonly message: string } | null;
}

/** Zones that are remembered; a list with more names is looked up anew for each row. */
const MAX_KNOWN = 10_000;

/** When clients may be called as of one moment, which is decided once for each zone. */
export class CallTimes {
  /** By the zones that clients can be in, which are the same lists for all of them, and by that which they have. */
  readonly #known = new Map<readonly string[], Map<string, ZoneCalls>>();

  constructor(
    private readonly hours: CallHours,
    /** In milliseconds since the epoch. */
    private readonly asOf: number,
  ) {}

  /**
   * @param zone as the client has it
   * @param possible the zones that the client can be in, where that is not sure: a call must be allowed in all of them
   */
  of(zone: string, possible: readonly string[] = SURE): ZoneCalls {
    let known = this.#known.get(possible);
    if (!known) this.#known.set(possible, (known = new Map<string, ZoneCalls>()));
    let found = known.get(zone);
    if (!found) {
      found = this.#decide(zone, possible);
      if (known.size < MAX_KNOWN) known.set(zone, found);
    }
    return found;
  }

  #decide(name: string, possible: readonly string[]): ZoneCalls {
    const zone = zoneOf(name);
    if (!zone) return { when: 'never', why: UNKNOWN_ZONE };
    const others = possible.flatMap((other) => zoneOf(other) ?? []);
    const { when, at } = nextCall(this.hours, [zone, ...others], this.asOf);
    return { when, why: when === 'now' ? null : whyNot(when, zone, at, others.length > 1) };
  }
}

const SURE: readonly string[] = [];

function zoneOf(name: string): TimeZone | undefined {
  const iana = zoneOfText(name);
  return iana === null ? undefined : timeZone(iana);
}

const UNKNOWN_ZONE = {
  code: CALL_CODES.never,
  message:
    'The time zone is not known here, so nobody can say when the client may be called. Write an IANA name such as Europe/Moscow.',
};

function whyNot(
  when: Exclude<CallTime, 'now'>,
  zone: TimeZone,
  at: number | null,
  isUnsure: boolean,
): ZoneCalls['why'] {
  const code = CALL_CODES[when];
  if (at === null)
    return {
      code,
      message: isUnsure
        ? 'The hours of "callable" allow no call at one time in all time zones that the client can be in.'
        : 'The hours of "callable" allow no call to the client in a year.',
    };
  const local = new Date(at + zone.offsetAt(at)).toISOString();
  const [day, clock] = [local.slice(0, 10), local.slice(11, 16)];
  const from = when === 'today' ? clock : `${day} ${clock}`;
  const message = isUnsure
    ? `The client may be called from ${from} on (${zone.name}): then it is allowed in all time zones that the client can be in.`
    : `The client may be called from ${from} on (${zone.name}).`;
  return { code, message };
}

/** When clients may be called, by their own clocks. */
export interface CallHours {
  readonly week: WeekHours;
  /** Days without calls. */
  readonly holidays?: Holidays | undefined;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MINUTE = 60_000;
/** 1970-01-01 was a Thursday. */
const FIRST_WEEKDAY = 3;
/** Days that are looked at: whoever cannot be called in a year never can. */
const HORIZON = 366;
/** How far clocks of any place are ahead of UTC or behind, with something to spare. */
const [FARTHEST_EAST, FARTHEST_WEST] = [15 * HOUR, 13 * HOUR];

/** Days since 1970 on the clocks of a zone. */
const localDay = (zone: TimeZone, instant: number): number =>
  Math.floor((instant + zone.offsetAt(instant)) / DAY);

/**
 * When a client that can be in any of some zones may be called next: when all of them allow it. Words such as "today" go by
 * the first of them.
 * @returns also the first instant from now on at which a call is allowed, in milliseconds since the epoch
 */
export function nextCall(
  hours: CallHours,
  zones: readonly [TimeZone, ...TimeZone[]],
  now: number,
): { readonly when: CallTime; readonly at: number | null } {
  let at = now;
  for (let latest = now; at <= now + (HORIZON + 1) * DAY; at = latest) {
    for (const zone of zones) latest = Math.max(latest, nextIn(zone, hours, at));
    if (latest > at) continue;
    if (at === now) return { when: 'now', at };
    const isToday = localDay(zones[0], at) === localDay(zones[0], now);
    return { when: isToday ? 'today' : 'later', at };
  }
  return { when: 'never', at: null };
}

/**
 * The first instant from now on that a zone allows; infinity where there is none. Goes by what clocks show: an hour that
 * comes again in autumn is allowed twice, one that is skipped in spring never.
 */
function nextIn(zone: TimeZone, hours: CallHours, now: number): number {
  const today = localDay(zone, now);
  let best = Infinity;
  // Where clocks are put back over midnight, yesterday comes again.
  for (let day = today - 1; day <= today + HORIZON; day++) {
    best = Math.min(best, firstOn(day, hours, zone, now));
    if (best < Infinity && day > today) break;
  }
  return best;
}

/** The first instant from now on in the hours of a local day; infinity where there is none. */
function firstOn(day: number, { week, holidays }: CallHours, zone: TimeZone, now: number): number {
  const parts = week[(((day + FIRST_WEEKDAY) % 7) + 7) % 7] ?? [];
  if (parts.length === 0 || holidays?.has(day)) return Infinity;
  const midnight = day * DAY;
  const [begin, end] = [midnight - FARTHEST_EAST, midnight + DAY + FARTHEST_WEST];
  const change = changeBetween(zone, begin, end);
  // Before and after the change, clocks run evenly.
  const edges = change === null ? [end] : [change, end];
  return Math.min(
    ...edges.flatMap((until, at) => {
      const since = at === 0 ? begin : (edges[0] ?? begin);
      const shift = midnight - zone.offsetAt(since);
      return parts.map(({ from, to }) => {
        const first = Math.max(shift + from * MINUTE, since, now);
        return first < Math.min(shift + to * MINUTE, until) ? first : Infinity;
      });
    }),
  );
}

/** What a campaign says of when it calls (interface.md 2.4), as it is listed. */
interface CampaignWindow {
  readonly limitTimeCalls?: unknown;
  readonly startCallsTime?: unknown;
  readonly endCallsTime?: unknown;
  readonly weekDays?: readonly string[] | null | undefined;
  readonly disableLimitForFirstCall?: unknown;
}

/**
 * Where a campaign calls outside the hours that are allowed, in words.
 * @param name such as `Campaign 42`
 */
export function compareWindow(name: string, campaign: CampaignWindow, week: WeekHours): string[] {
  const { limitTimeCalls, disableLimitForFirstCall, weekDays } = campaign;
  if (limitTimeCalls !== true)
    return [
      `${name} does not limit its calls by the client's time zone (limitTimeCalls); callable allows ${weekText(week)}.`,
    ];
  const calls = windowOf(campaign);
  if (!calls) return [`The hours of ${name} cannot be understood, and were not compared.`];
  const first =
    disableLimitForFirstCall === true
      ? [`${name} makes the first call to a client at any time (disableLimitForFirstCall).`]
      : [];
  // It calls on all days where it names none.
  const days = [...WEEK.keys()].filter(
    (day) => !weekDays?.length || weekDays.includes(WEEK[day] ?? ''),
  );
  const closed: number[] = [];
  const found = new Map<string, Map<string, number[]>>();
  for (const day of days) {
    const allowed = week[day] ?? [];
    if (allowed.length === 0) closed.push(day);
    for (const [its, what] of calls.flatMap((part) => excessOf(part, allowed))) {
      const byAllowed = found.get(its) ?? new Map<string, number[]>();
      byAllowed.set(what, [...(byAllowed.get(what) ?? []), day]);
      found.set(its, byAllowed);
    }
  }
  const messages = [...found].map(([its, byAllowed]) => {
    const texts = [...byAllowed].map(([what, on]) =>
      on.length + closed.length === days.length ? what : `${what} on ${daysText(on)}`,
    );
    return `${name} calls ${its} in the client's zone; callable allows ${texts.join(', ')}.`;
  });
  const never =
    closed.length === 0 ? [] : [`${name} calls on ${daysText(closed)}; callable does not.`];
  return [...first, ...messages, ...never];
}

/** The parts of a day in which it calls: two where the window goes over midnight. */
function windowOf({ startCallsTime, endCallsTime }: CampaignWindow): DayPart[] | null {
  const [from, to] = [minuteOf(startCallsTime), minuteOf(endCallsTime)];
  if (from === null || to === null) return null;
  if (from < to) return [{ from, to }];
  return [
    { from: 0, to },
    { from, to: DAY_MINUTES },
  ].filter((part) => part.from < part.to);
}

function minuteOf(text: unknown): number | null {
  const [, hour, minute] = /^(\d\d):(\d\d)/.exec(typeof text === 'string' ? text : '') ?? [];
  return hour === undefined ? null : Number(hour) * 60 + Number(minute);
}

/** What is too much on one day: when it is called, and what is allowed, in words. */
type Excess = readonly [calls: string, allowed: string];

/** Where a part of the campaign's day goes beyond what is allowed on a day on which calls are. */
function excessOf({ from, to }: DayPart, allowed: readonly DayPart[]): Excess[] {
  const [first, last] = [allowed[0], allowed.at(-1)];
  if (!first || !last) return [];
  const [opens, closes] = [first.from, last.to];
  if (to <= opens || from >= closes)
    return [
      [`from ${clockText(from)} to ${clockText(to)}`, `${clockText(opens)}-${clockText(closes)}`],
    ];
  const found: Excess[] = [];
  if (from < opens) found.push([`from ${clockText(from)}`, clockText(opens)]);
  if (to > closes) found.push([`until ${clockText(to)}`, clockText(closes)]);
  for (const [at, { from: end }] of allowed.slice(1).entries()) {
    const begin = allowed[at]?.to ?? 0;
    if (begin < end && from < end && to > begin)
      found.push([`from ${clockText(begin)} to ${clockText(end)}`, 'a break at that time']);
  }
  return found;
}

const WEEK = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** A part of a day in minutes since midnight; `to` itself is outside. */
export interface DayPart {
  readonly from: number;
  readonly to: number;
}

/** The parts of each day in which calls are allowed, Monday first, in their order. */
type WeekHours = readonly (readonly DayPart[])[];

const DAY_MINUTES = 24 * 60;
const PART = /^(\d{1,2}):(\d\d)\s*[-–]\s*(\d{1,2}):(\d\d)$/;
const DAYS_FORM = 'Write days like Mon-Fri or Sat.';

/** Reads hours such as `{ Mon-Fri: 09:00-20:00 }`; calls `mistake` with all that is wrong. */
export function parseWeek(
  written: Readonly<Record<string, string | readonly string[]>>,
  mistake: (key: string, message: string) => void,
): WeekHours {
  const week: DayPart[][] = WEEK.map(() => []);
  const seen = new Set<number>();
  for (const [key, hours] of Object.entries(written)) {
    const days = daysNamed(key);
    if (days === null) {
      mistake(key, `"${key}" names no days. ${DAYS_FORM}`);
      continue;
    }
    if (days.some((day) => seen.has(day))) mistake(key, 'a day has hours already.');
    const parts = partsOf([hours].flat());
    if (typeof parts === 'string') mistake(key, parts);
    for (const day of days) {
      seen.add(day);
      if (typeof parts !== 'string') week[day] = parts;
    }
  }
  return week;
}

/** Days of `Mon-Fri`, `Sat-Mon` or `Mon, Wed`, Monday as 0; `null` where it names none. */
function daysNamed(key: string): number[] | null {
  const days: number[] = [];
  for (const part of key.split(',')) {
    const [first = '', last = first, ...more] = part.split(/[-–]/);
    const [from, to] = [weekdayOf(first), weekdayOf(last)];
    if (from < 0 || to < 0 || more.length > 0) return null;
    for (let day = from; ; day = (day + 1) % WEEK.length) {
      days.push(day);
      if (day === to) break;
    }
  }
  return days;
}

const weekdayOf = (name: string): number =>
  WEEK.findIndex((day) => day.toLowerCase() === name.trim().toLowerCase());

/** The parts in their order, or what is wrong with them. */
function partsOf(texts: readonly string[]): DayPart[] | string {
  const parts: DayPart[] = [];
  for (const text of texts) {
    const [, ...found] = PART.exec(text.trim()) ?? [];
    const [fromHour = NaN, fromMinute = NaN, toHour = NaN, toMinute = NaN] = found.map(Number);
    const from = minutes(fromHour, fromMinute);
    const to = minutes(toHour, toMinute);
    if (!(from < to && to <= DAY_MINUTES))
      return `"${text}" are no hours of a day. Write them like 09:00-20:00.`;
    parts.push({ from, to });
  }
  parts.sort((a, b) => a.from - b.from);
  const overlaps = parts.some(({ from }, at) => from < (parts[at - 1]?.to ?? 0));
  return overlaps ? 'two parts of a day overlap.' : parts;
}

const minutes = (hour: number, minute: number): number => (minute < 60 ? hour * 60 + minute : NaN);

const two = (part: number): string => String(part).padStart(2, '0');

/** A time of day as people write it: `09:00`. */
const clockText = (minute: number): string => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;

/** Days as people write them, such as `Mon-Fri, Sun`; in the order of the week. */
function daysText(days: readonly number[]): string {
  const texts: string[] = [];
  for (let at = 0; at < days.length;) {
    let end = at;
    while (days[end + 1] === (days[end] ?? 0) + 1) end++;
    const names = [WEEK[days[at] ?? 0] ?? '', WEEK[days[end] ?? 0] ?? ''];
    texts.push(end - at > 1 ? names.join('-') : [...new Set(names)].join(', '));
    at = end + 1;
  }
  return texts.join(', ');
}

/** The hours as people write them: `Mon-Fri 09:00-20:00, Sat 10:00-18:00`. */
function weekText(week: WeekHours): string {
  const days = new Map<string, number[]>();
  for (const [day, parts] of week.entries()) {
    const text = parts.map(({ from, to }) => `${clockText(from)}-${clockText(to)}`).join(' and ');
    if (text !== '') days.set(text, [...(days.get(text) ?? []), day]);
  }
  return [...days].map(([text, its]) => `${daysText(its)} ${text}`).join(', ') || 'no hours';
}

/** A calendar of holidays; more than this is something else. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads a calendar of holidays.
 * @throws InputError where it cannot be read or understood
 */
export async function readHolidays(
  file: string,
): Promise<{ readonly holidays: Holidays; readonly text: string }> {
  try {
    const text = new TextDecoder('utf-8').decode(await readSmallFile(file, MAX_BYTES));
    return { holidays: parseHolidays(text), text };
  } catch (error) {
    if (error instanceof HolidayError) {
      const row = error.line === null ? {} : { row: error.line };
      throw new InputError('no_holidays', error.reason, { file, ...row }, { cause: error });
    }
    const code = codeOf(error);
    if (code === '' || code.startsWith('ERR_')) throw error;
    const reason = `the file cannot be read (${code}).`;
    throw new InputError('not_readable', reason, { file }, { cause: error });
  }
}

/** Days without calls, as days since 1970 on anybody's calendar. */
interface Holidays {
  has(day: number): boolean;
  /** The last of them; `null` where some come every year. */
  readonly last: number | null;
}

/** A line of a calendar that cannot be understood, by its number. */
class HolidayError extends Error {
  constructor(
    readonly line: number | null,
    readonly reason: string,
  ) {
    super(reason);
  }
}

/** Days that come every year are known up to here. */
const LAST_YEAR = 2100;
/** A single event that is longer is no holiday. */
const MAX_DAYS = 366;

/**
 * Reads the all-day events of a calendar (RFC 5545), those that come every year included. Events of some hours are
 * appointments, and no holidays.
 * @throws HolidayError where it is no calendar, has no such event, or a repetition is not understood
 */
export function parseHolidays(text: string): Holidays {
  if (!/^\uFEFF?BEGIN:VCALENDAR/i.test(text.trimStart()))
    throw new HolidayError(null, 'this is no calendar: it does not begin with BEGIN:VCALENDAR.');
  const days = new Set<number>();
  let isEndless = false;
  for (const event of eventsIn(text)) {
    const found = event.isCancelled ? [] : daysOf(event);
    for (const day of found) days.add(day);
    isEndless ||= event.rule !== null && !/\b(?:UNTIL|COUNT)=/i.test(event.rule.value);
  }
  if (days.size === 0) throw new HolidayError(null, 'the calendar has no event of whole days.');
  const last = isEndless ? null : [...days].reduce((a, b) => Math.max(a, b));
  return { has: (day) => days.has(day), last };
}

interface Line {
  readonly number: number;
  readonly name: string;
  readonly value: string;
}

interface Event {
  start: Line | null;
  end: Line | null;
  rule: Line | null;
  readonly except: number[];
  isCancelled: boolean;
}

/** Events with what says their days. */
function* eventsIn(text: string): Generator<Event, void, undefined> {
  let event: Event | null = null;
  for (const line of linesIn(text)) {
    const { name, value, number } = line;
    if (name === 'BEGIN' && value === 'VEVENT')
      event = { start: null, end: null, rule: null, except: [], isCancelled: false };
    else if (!event) continue;
    else if (name === 'DTSTART') event.start = line;
    else if (name === 'DTEND') event.end = line;
    else if (name === 'RRULE') event.rule = line;
    else if (name === 'STATUS') event.isCancelled = value.toUpperCase() === 'CANCELLED';
    else if (name === 'EXDATE') event.except.push(...value.split(',').flatMap((one) => dayIn(one)));
    else if (name === 'RDATE')
      throw new HolidayError(number, 'RDATE is not understood. Write an event for each day.');
    else if (name === 'END' && value === 'VEVENT') {
      yield event;
      event = null;
    }
  }
}

/** Lines without the breaks of long ones; parameters of names are left out. */
function* linesIn(text: string): Generator<Line, void, undefined> {
  let held: { number: number; text: string } | null = null;
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (held && /^[ \t]/.test(line)) held.text += line.slice(1);
    else {
      if (held) yield parsed(held);
      held = { number: index + 1, text: line };
    }
  }
  if (held) yield parsed(held);
}

function parsed({ number, text }: { number: number; text: string }): Line {
  const [, name = '', value = ''] = /^([A-Za-z-]+)(?:;[^:]*)?:(.*)$/s.exec(text) ?? [];
  return { number, name: name.toUpperCase(), value: value.trim() };
}

const DATE = /^(\d{4})(\d\d)(\d\d)(T(\d{6})Z?)?$/;

/** The day of a date; none where it is none. */
function dayIn(text: string): number[] {
  const [, year, month, day] = DATE.exec(text.trim()) ?? [];
  return year === undefined ? [] : dayOf(Number(year), Number(month), Number(day));
}

/** None where the calendar has no such day, such as 30 February. */
function dayOf(year: number, month: number, day: number): number[] {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 ? [Math.floor(date.getTime() / DAY)] : [];
}

const isWholeDay = (value: string): boolean => {
  const found = DATE.exec(value);
  return found !== null && (found[4] === undefined || found[5] === '000000');
};

function daysOf({ start, end, rule, except }: Event): number[] {
  if (!start) return [];
  const [first] = dayIn(start.value);
  if (first === undefined) throw new HolidayError(start.number, 'this is no date.');
  if (!isWholeDay(start.value) || (end && !isWholeDay(end.value))) return [];
  const [after = first + 1] = end ? dayIn(end.value) : [];
  const length = Math.max(1, after - first);
  if (length > MAX_DAYS) throw new HolidayError(start.number, 'the event is longer than a year.');
  const starts = rule ? repetitions(first, rule) : [first];
  return starts
    .filter((day) => !except.includes(day))
    .flatMap((day) => Array.from({ length }, (_, more) => day + more));
}

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];
const KNOWN = ['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYMONTH', 'BYMONTHDAY', 'BYDAY', 'WKST'];

/** The first days of an event that comes every year: on its date, or as BYMONTH with BYDAY or BYMONTHDAY say. */
function repetitions(first: number, { value, number }: Line): number[] {
  const rule = new Map(
    value.split(';').map((part) => {
      const [key = '', its = ''] = part.split('=');
      return [key.toUpperCase(), its.toUpperCase()] as const;
    }),
  );
  const begin = new Date(first * DAY);
  const month = Number(rule.get('BYMONTH') ?? begin.getUTCMonth() + 1);
  const inMonth = dayInMonth(rule, begin.getUTCDate());
  const isKnown = [...rule.keys()].every((key) => KNOWN.includes(key));
  if (rule.get('FREQ') !== 'YEARLY' || !isKnown || !inMonth || !(month >= 1 && month <= 12))
    throw new HolidayError(
      number,
      'this repetition is not understood. Write an event for each year, or FREQ=YEARLY.',
    );
  const [until = Infinity] = dayIn(rule.get('UNTIL') ?? '');
  const count = Number(rule.get('COUNT') ?? Infinity);
  const step = Math.max(1, Number(rule.get('INTERVAL') ?? 1));
  const days: number[] = [];
  for (let year = begin.getUTCFullYear(); year <= LAST_YEAR; year += step) {
    const [day] = inMonth(year, month);
    if (day === undefined || day < first) continue;
    if (day > until || days.length >= count) break;
    days.push(day);
  }
  return days;
}

/** Which day of the month a rule means; `null` where it cannot be understood. */
function dayInMonth(
  rule: ReadonlyMap<string, string>,
  usual: number,
): ((year: number, month: number) => number[]) | null {
  const [byDay, byDate] = [rule.get('BYDAY'), rule.get('BYMONTHDAY')];
  if (byDay === undefined) {
    const date = Number(byDate ?? usual);
    return date >= 1 && date <= 31 ? (year, month) => dayOf(year, month, date) : null;
  }
  const [, which = '', name = ''] = /^([+-]?\d)([A-Z]{2})$/.exec(byDay) ?? [];
  const weekday = WEEKDAYS.indexOf(name);
  const nth = Number(which);
  if (weekday < 0 || nth === 0 || byDate !== undefined) return null;
  return (year, month) => nthWeekday(year, month, weekday, nth);
}

/** The nth such weekday of a month; counted from its end where `nth` is below zero. */
function nthWeekday(year: number, month: number, weekday: number, nth: number): number[] {
  const isFromEnd = nth < 0;
  const edge = new Date(Date.UTC(year, isFromEnd ? month : month - 1, isFromEnd ? 0 : 1));
  const distance = isFromEnd
    ? (edge.getUTCDay() - weekday + 7) % 7
    : (weekday - edge.getUTCDay() + 7) % 7;
  const weeks = 7 * (Math.abs(nth) - 1);
  const date = edge.getUTCDate() + (isFromEnd ? -distance - weeks : distance + weeks);
  return date < 1 ? [] : dayOf(year, month, date);
}
