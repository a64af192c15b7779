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
  const { limitTimeCalls, disableLimitForFirstCall } = campaign;
  const days = campaignDays(campaign.weekDays);
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
  return [...first, ...tooMuch(name, calls, days, week)];
}

/** Days on which a campaign calls; all of them where it names none. */
function campaignDays(names: CampaignWindow['weekDays']): number[] {
  const all = [...WEEK.keys()];
  if (!names || names.length === 0) return all;
  return all.filter((day) => names.includes(WEEK[day] ?? ''));
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

/** What is too much on one day: the words before and behind the day. */
interface Excess {
  readonly calls: string;
  readonly allowed: string;
}

function tooMuch(
  name: string,
  calls: readonly DayPart[],
  days: readonly number[],
  week: WeekHours,
): string[] {
  const closed: number[] = [];
  const found = new Map<string, Map<string, number[]>>();
  for (const day of days) {
    const allowed = week[day] ?? [];
    if (allowed.length === 0) closed.push(day);
    else
      for (const { calls: its, allowed: what } of calls.flatMap((part) =>
        excessOf(part, allowed),
      )) {
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
  return [...messages, ...never];
}

/** Where a part of the campaign's day goes beyond what is allowed. */
function excessOf({ from, to }: DayPart, allowed: readonly DayPart[]): Excess[] {
  const opens = allowed[0]?.from ?? 0;
  const closes = allowed.at(-1)?.to ?? 0;
  if (to <= opens || from >= closes)
    return [
      {
        calls: `from ${clockText(from)} to ${clockText(to)}`,
        allowed: `${clockText(opens)}-${clockText(closes)}`,
      },
    ];
  const early: Excess[] =
    from < opens ? [{ calls: `from ${clockText(from)}`, allowed: clockText(opens) }] : [];
  const late: Excess[] =
    to > closes ? [{ calls: `until ${clockText(to)}`, allowed: clockText(closes) }] : [];
  const breaks = allowed.slice(1).flatMap((next, at): Excess[] => {
    const [begin, end] = [allowed[at]?.to ?? 0, next.from];
    const isCalled = begin < end && from < end && to > begin;
    if (!isCalled) return [];
    return [
      { calls: `from ${clockText(begin)} to ${clockText(end)}`, allowed: 'a break at that time' },
    ];
  });
  return [...early, ...late, ...breaks];
}

const WEEK = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** A part of a day in minutes since midnight; `to` itself is outside. */
export interface DayPart {
  readonly from: number;
  readonly to: number;
}

/** The parts of each day in which calls are allowed, Monday first, in their order. */
export type WeekHours = readonly (readonly DayPart[])[];

/** Hours as they are written, by days such as `Mon-Fri`. */
type WrittenHours = Readonly<Record<string, string | readonly string[]>>;

const DAY_MINUTES = 24 * 60;
const PART = /^(\d{1,2}):(\d\d)\s*[-–]\s*(\d{1,2}):(\d\d)$/;
const DAYS_FORM = 'Write days like Mon-Fri or Sat.';

/** Reads hours such as `{ Mon-Fri: 09:00-20:00 }`; calls `mistake` with all that is wrong. */
export function parseWeek(
  written: WrittenHours,
  mistake: (key: string, message: string) => void,
): WeekHours {
  const week: DayPart[][] = WEEK.map(() => []);
  const seen = new Set<number>();
  for (const [key, hours] of Object.entries(written)) {
    const days = daysOf(key);
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
function daysOf(key: string): number[] | null {
  const days: number[] = [];
  for (const part of key.split(',')) {
    const [first = '', last = first, ...more] = part.split(/[-–]/);
    const [from, to] = [dayOf(first), dayOf(last)];
    if (from < 0 || to < 0 || more.length > 0) return null;
    for (let day = from; ; day = (day + 1) % WEEK.length) {
      days.push(day);
      if (day === to) break;
    }
  }
  return days;
}

const dayOf = (name: string): number =>
  WEEK.findIndex((day) => day.toLowerCase() === name.trim().toLowerCase());

/** The parts in their order, or what is wrong with them. */
function partsOf(texts: readonly string[]): DayPart[] | string {
  const parts: DayPart[] = [];
  for (const text of texts) {
    const part = partOf(text);
    if (!part) return `"${text}" are no hours of a day. Write them like 09:00-20:00.`;
    parts.push(part);
  }
  parts.sort((a, b) => a.from - b.from);
  const overlaps = parts.some(({ from }, at) => from < (parts[at - 1]?.to ?? 0));
  return overlaps ? 'two parts of a day overlap.' : parts;
}

function partOf(text: string): DayPart | null {
  const [, ...found] = PART.exec(text.trim()) ?? [];
  const [fromHour = NaN, fromMinute = NaN, toHour = NaN, toMinute = NaN] = found.map(Number);
  const from = minutes(fromHour, fromMinute);
  const to = minutes(toHour, toMinute);
  return from < to && to <= DAY_MINUTES ? { from, to } : null;
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
