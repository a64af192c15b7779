import { codeOf, InputError } from '../core/errors.js';
import { readSmallFile } from '../files/regular-file.js';

/** A calendar of holidays; more than this is something else. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Holidays as they were read. */
export interface ReadHolidays {
  readonly holidays: Holidays;
  readonly text: string;
}

/**
 * Reads a calendar of holidays.
 * @throws InputError where it cannot be read or understood
 */
export async function readHolidays(file: string): Promise<ReadHolidays> {
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
    throw new InputError(
      'not_readable',
      `the file cannot be read (${code}).`,
      { file },
      {
        cause: error,
      },
    );
  }
}

/** Days without calls, as days since 1970 on anybody's calendar. */
export interface Holidays {
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

const DAY = 86_400_000;
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
  const [until = Number.POSITIVE_INFINITY] = dayIn(rule.get('UNTIL') ?? '');
  const count = Number(rule.get('COUNT') ?? Number.POSITIVE_INFINITY);
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

type InMonth = (year: number, month: number) => number[];

/** Which day of the month a rule means; `null` where it cannot be understood. */
function dayInMonth(rule: ReadonlyMap<string, string>, usual: number): InMonth | null {
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
