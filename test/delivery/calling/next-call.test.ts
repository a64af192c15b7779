import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timeZone, type TimeZone } from '../../../src/core/time.js';
import {
  CallTimes,
  type CallHours,
  nextCall,
  parseHolidays,
  parseWeek,
  compareWindow,
} from '../../../src/calling/hours.js';
import { tablesIn } from '../../kit/tables.js';

const MINUTE = 60_000;
const DAY = 86_400_000;

const zoneNamed = (name: string): TimeZone => timeZone(name)!;
const week = (written: Record<string, string | string[]>) =>
  parseWeek(written, (key, message) => {
    throw new Error(`${key}: ${message}`);
  });

type Week = Readonly<Record<string, string | string[]>>;
interface Holidays {
  readonly case: string;
  readonly events: readonly (readonly string[])[];
  readonly days: Readonly<Record<string, boolean>>;
  readonly last?: string | null;
}
const TABLES = tablesIn(import.meta.dirname, 'calling.yaml') as {
  windows: readonly [campaign: object, hours: Week, says: readonly string[]][];
  'no hours': readonly [hours: Week, what: string][];
  holidays: readonly Holidays[];
  'no holidays': readonly [text: string, what: string][];
};

/** What the clocks of a zone show. */
function shown(zone: TimeZone, instant: number): { day: number; weekday: number; minute: number } {
  const local = instant + zone.offsetAt(instant);
  const day = Math.floor(local / DAY);
  return { day, weekday: (((day + 3) % 7) + 7) % 7, minute: (local - day * DAY) / MINUTE };
}

function isOpen({ week: days, holidays }: CallHours, zone: TimeZone, instant: number): boolean {
  const { day, weekday, minute } = shown(zone, instant);
  return (
    !holidays?.has(day) && days[weekday]!.some(({ from, to }) => from <= minute && minute < to)
  );
}

/** Nights in which clocks change, by half an hour or a whole one, at midnight too, and zones that are not whole hours off. */
const NIGHTS = tablesIn(import.meta.dirname, 'next-call.yaml') as [string, string][];

const dayParts = fc
  .uniqueArray(fc.nat(96), { minLength: 2, maxLength: 4 })
  .map((quarters) => quarters.sort((a, b) => a - b).map((quarter) => quarter * 15))
  .map((minutes) =>
    minutes.flatMap((from, at) =>
      at % 2 === 0 && minutes[at + 1] !== undefined ? [[from, minutes[at + 1]!] as const] : [],
    ),
  )
  .map((parts) => parts.map(([from, to]) => ({ from, to })));
const anyWeek = fc.array(fc.oneof(dayParts, fc.constant([])), { minLength: 7, maxLength: 7 });

describe('when a client may be called next', () => {
  it('is the first minute that clocks show within the hours, in nights when they change too', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...NIGHTS),
        anyWeek,
        fc.integer({ min: -36 * 60, max: 12 * 60 }),
        fc.uniqueArray(fc.integer({ min: -2, max: 3 }), { maxLength: 2 }),
        ([name, night], days, before, closed) => {
          const zone = zoneNamed(name);
          const now = Date.parse(night) + before * MINUTE;
          const today = shown(zone, now).day;
          const holidays = { has: (day: number) => closed.includes(day - today), last: null };
          const hours = { week: days, holidays };
          const { when, at } = nextCall(hours, [zone], now);
          // Every minute of three days, one after the other.
          const end = now + 3 * DAY;
          let first: number | null = null;
          for (let minute = now; first === null && minute < end; minute += MINUTE)
            if (isOpen(hours, zone, minute)) first = minute;
          if (first === null) expect(at === null || at >= end).toBe(true);
          else expect(at).toBe(first);
          if (at === null) expect(when).toBe('never');
          else if (at === now) expect(when).toBe('now');
          else expect(when).toBe(shown(zone, at).day === today ? 'today' : 'later');
        },
      ),
      { numRuns: 80 },
    );
  });

  it('is never where all days of a year are holidays', () => {
    const always = { has: () => true, last: null };
    const hours = { week: week({ 'Mon-Sun': '00:00-24:00' }), holidays: always };
    expect(nextCall(hours, [zoneNamed('Asia/Tokyo')], 0)).toEqual({ when: 'never', at: null });
  });

  it('is the first minute that all zones allow where the client can be in any of some', () => {
    const zone = fc.constantFrom(...NIGHTS.map(([name]) => name));
    fc.assert(
      fc.property(
        fc.uniqueArray(zone, { minLength: 1, maxLength: 3 }),
        anyWeek,
        fc.nat(3 * 24 * 4),
        (names, days, quarters) => {
          const hours = { week: days };
          const [first, ...others] = names.map(zoneNamed);
          const now = Date.parse('2026-10-23T00:00Z') + quarters * 15 * MINUTE;
          const { when, at } = nextCall(hours, [first!, ...others], now);
          const end = now + 3 * DAY;
          let open: number | null = null;
          for (let minute = now; open === null && minute < end; minute += 15 * MINUTE)
            if ([first!, ...others].every((one) => isOpen(hours, one, minute))) open = minute;
          if (open === null) expect(at === null || at >= end).toBe(true);
          else expect(at).toBe(open);
          expect(when === 'now').toBe(at === now);
        },
      ),
      { numRuns: 80 },
    );
  });

  it('is said by the clocks of the client, once for each zone', () => {
    const asOf = Date.parse('2026-11-23T15:00Z');
    const times = new CallTimes({ week: week({ 'Mon-Fri': '09:00-20:00' }) }, asOf);
    expect(times.of('America/New_York')).toEqual({ when: 'now', why: null });
    expect(times.of('PST')).toMatchObject({
      when: 'today',
      why: {
        code: 'opens_today',
        message: 'The client may be called from 09:00 on (America/Los_Angeles).',
      },
    });
    expect(times.of('Asia/Kolkata')).toMatchObject({
      when: 'later',
      why: {
        code: 'opens_later',
        message: 'The client may be called from 2026-11-24 09:00 on (Asia/Kolkata).',
      },
    });
    expect(times.of('Neverland')).toMatchObject({ when: 'never', why: { code: 'never_open' } });
    expect(times.of('PST')).toBe(times.of('PST'));
  });
});

describe('hours', () => {
  it('take days that go over the week, and parts of a day', () => {
    const days = week({ 'Sat-Mon': '10:00-18:00', 'Tue, Wed': ['14:00-20:00', '10:00-13:00'] });
    expect(days.map((parts) => parts.map(({ from, to }) => [from, to]))).toEqual([
      [[600, 1080]],
      ...[1, 2].map(() => [
        [600, 780],
        [840, 1200],
      ]),
      ...[[], []],
      ...[[[600, 1080]], [[600, 1080]]],
    ]);
  });

  it.each(TABLES['no hours'])('%o are refused', (written, what) => {
    expect(() => week(written)).toThrow(what);
  });
});

const day = (text: string): number => Date.parse(`${text}T00:00Z`) / DAY;

describe('a calendar of holidays', () => {
  it.each(TABLES.holidays)('has $case', ({ events, days, last }) => {
    const lines = events.flatMap((event) => ['BEGIN:VEVENT', ...event, 'END:VEVENT']);
    const found = parseHolidays(['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\r\n'));
    const asked = Object.keys(days).map((on) => [on, found.has(day(on))] as const);
    expect(Object.fromEntries(asked)).toEqual(days);
    if (last !== undefined) expect(found.last).toBe(last && day(last));
  });

  it.each(TABLES['no holidays'])('is refused where nobody could rely on it (%#)', (text, what) => {
    expect(() => parseHolidays(text)).toThrow(what);
  });
});

it.each(TABLES.windows)('the window of a campaign %j is held against the hours %j', (...row) => {
  const [campaign, hours, says] = row;
  expect(compareWindow('Campaign 42', campaign, week(hours))).toEqual(says);
});
