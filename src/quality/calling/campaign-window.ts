import {
  clockText,
  DAY_MINUTES,
  type DayPart,
  daysText,
  WEEK,
  weekText,
  type WeekHours,
} from './week-hours.js';

/** What a campaign says of when it calls (interface.md 2.4), as it is listed. */
export interface CampaignWindow {
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
