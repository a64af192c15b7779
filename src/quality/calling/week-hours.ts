export const WEEK = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

/** A part of a day in minutes since midnight; `to` itself is outside. */
export interface DayPart {
  readonly from: number;
  readonly to: number;
}

/** The parts of each day in which calls are allowed, Monday first, in their order. */
export type WeekHours = readonly (readonly DayPart[])[];

/** Hours as they are written, by days such as `Mon-Fri`. */
export type WrittenHours = Readonly<Record<string, string | readonly string[]>>;

export const DAY_MINUTES = 24 * 60;
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
export const clockText = (minute: number): string =>
  `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;

/** Days as people write them, such as `Mon-Fri, Sun`; in the order of the week. */
export function daysText(days: readonly number[]): string {
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
export function weekText(week: WeekHours): string {
  const days = new Map<string, number[]>();
  for (const [day, parts] of week.entries()) {
    const text = parts.map(({ from, to }) => `${clockText(from)}-${clockText(to)}`).join(' and ');
    if (text !== '') days.set(text, [...(days.get(text) ?? []), day]);
  }
  return [...days].map(([text, its]) => `${daysText(its)} ${text}`).join(', ') || 'no hours';
}
