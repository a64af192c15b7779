/** Days of a week as people write them, Sunday first, as `Date` numbers them. */
export const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

/** Numbers of days, 0 for Sunday. */
export type Weekdays = ReadonlySet<number>;

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
