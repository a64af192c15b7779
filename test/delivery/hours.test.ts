import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type PermittedHours,
  nextPermitted,
  parseHours,
  permittedTime,
} from '../../src/core/time.js';
import { tablesIn } from '../kit/tables.js';

const CASES = tablesIn(import.meta.dirname, 'hours.yaml') as {
  readonly zones: string[];
  readonly refused: [string, string][];
};

const MINUTE = 60_000;
const YEAR = { from: Date.UTC(2026, 0, 1), minutes: 366 * 24 * 60 };
/** Changed in spring and autumn, by half an hour, at midnight, around Ramadan; never, with quarters of hours. */
const ZONES = CASES.zones;

/** Clocks are changed at these minutes of an hour alone. */
const QUARTER = 15;

/** What clocks show at each minute of the year, by Intl alone: minutes since midnight. */
const shown = new Map<string, Uint16Array>();
function minutesOf(zone: string): Uint16Array {
  const known = shown.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const all = new Uint16Array(YEAR.minutes);
  for (let quarter = 0; quarter < all.length; quarter += QUARTER) {
    const [hour = 0, minute = 0] = format
      .format(YEAR.from + quarter * MINUTE)
      .split(':')
      .map(Number);
    for (let at = 0; at < QUARTER; at++) all[quarter + at] = hour * 60 + minute + at;
  }
  shown.set(zone, all);
  return all;
}

const isWithin = ({ from, to }: PermittedHours, minute: number): boolean =>
  from < to ? minute >= from && minute < to : minute >= from || minute < to;

/** The first permitted minute from `index` on, looked for one by one; the length when the year ends before. */
function bruteForce(hours: PermittedHours, index: number): number {
  const minutes = minutesOf(hours.zone);
  let at = index;
  while (at < minutes.length && !isWithin(hours, minutes[at] ?? 0)) at++;
  return at;
}

const hoursOf = fc
  .record({
    zone: fc.constantFrom(...ZONES),
    from: fc.integer({ min: 0, max: 1439 }),
    to: fc.integer({ min: 0, max: 1440 }),
  })
  .filter(({ from, to }) => from !== to && to - from !== 1440);

/** Minutes of the year, many of them near a change of clocks. */
function changesOf(zone: string): number[] {
  const minutes = minutesOf(zone);
  return [...minutes.keys()].filter((index) => {
    const step = ((minutes[index] ?? 0) - (minutes[index - 1] ?? 0) + 1440) % 1440;
    return index > 0 && step !== 1;
  });
}

const moments = new Map(
  ZONES.map((zone) => {
    const anywhere = fc.nat(YEAR.minutes - 3 * 1440);
    const changes = changesOf(zone);
    if (changes.length === 0) return [zone, anywhere];
    const near = fc
      .tuple(fc.constantFrom(...changes), fc.integer({ min: -1600, max: 200 }))
      .map(([index, step]) => index + step)
      .filter((index) => index >= 0 && index < YEAR.minutes - 3 * 1440);
    return [zone, fc.oneof(anywhere, near)];
  }),
);

const cases = hoursOf.chain((hours) =>
  fc.tuple(fc.constant(hours), moments.get(hours.zone) ?? fc.nat(0)),
);

describe('the next permitted moment', () => {
  test(
    'is the first minute at which clocks show it, over a year with all its changes of clocks',
    { timeout: 120_000 },
    () => {
      fc.assert(
        fc.property(cases, fc.nat(MINUTE - 1), ([hours, index], rest) => {
          const now = YEAR.from + index * MINUTE + rest;
          const found = bruteForce(hours, index);
          const expected = found === index ? now : YEAR.from + found * MINUTE;
          expect(nextPermitted(hours, now)).toBe(expected);
          expect(nextPermitted(hours, expected)).toBe(expected);
        }),
        { numRuns: 2000 },
      );
    },
  );

  test('comes later than that, where clocks skip the hours in spring', () => {
    const hours: PermittedHours = { from: 130, to: 170, zone: 'Europe/Berlin' };
    // 2026-03-29: 02:00 is followed by 03:00.
    expect(nextPermitted(hours, Date.UTC(2026, 2, 29, 0, 0))).toBe(Date.UTC(2026, 2, 30, 0, 10));
    const longer = { ...hours, to: 200 };
    expect(nextPermitted(longer, Date.UTC(2026, 2, 29, 0, 0))).toBe(Date.UTC(2026, 2, 29, 1, 0));
  });
});

test(
  'the permitted time between two moments is what minutes add up to',
  { timeout: 120_000 },
  () => {
    fc.assert(
      fc.property(cases, fc.nat(4000), ([hours, index], length) => {
        const minutes = minutesOf(hours.zone).subarray(index, index + length);
        const expected = minutes.filter((minute) => isWithin(hours, minute)).length * MINUTE;
        const since = YEAR.from + index * MINUTE;
        expect(permittedTime(hours, since, since + minutes.length * MINUTE)).toBe(expected);
        expect(permittedTime(undefined, since, since + 5)).toBe(5);
      }),
      { numRuns: 500 },
    );
  },
);

test.each<[string, PermittedHours]>([
  ['20:00-06:00 Europe/Moscow', { from: 1200, to: 360, zone: 'Europe/Moscow' }],
  ['09:30 - 24:00  UTC', { from: 570, to: 1440, zone: 'UTC' }],
  ['00:00–08:05 America/New_York', { from: 0, to: 485, zone: 'America/New_York' }],
])('%s are hours', (text, hours) => {
  expect(parseHours(text)).toEqual(hours);
});

test.each(CASES.refused)('%s are none, and it says why', (text, why) => {
  expect(parseHours(text)).toEqual({ mistake: expect.stringContaining(why) as string });
});
