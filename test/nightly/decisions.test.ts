import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  lastTimeOfDay,
  nextTimeOfDay,
  parseTimeOfDay,
  EVERY_DAY,
  parseWeekdays,
  WEEKDAYS,
} from '../../src/core/time.js';
import { lateAt } from '../../src/nightly/watch/due.js';
import { pauseAfter } from '../../src/nightly/watch/watch-pickups.js';
import { unexpectedRows, unusualIn } from '../../src/nightly/watch/take-file.js';
import { fitsPattern, digestIn } from '../../src/nightly/places/place.js';

const DAY = 86_400_000;

function time(text: string) {
  const read = parseTimeOfDay(text);
  if ('mistake' in read) throw new Error(read.mistake);
  return read;
}

describe('a time of day', () => {
  const zones = ['UTC', 'Europe/Moscow', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'];
  const instants = fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2028, 0) });

  it('comes once a day, also when clocks change', () => {
    fc.assert(
      fc.property(instants, fc.constantFrom(...zones), fc.nat(1439), (after, zone, minute) => {
        const at = { ...time(`00:00 ${zone}`), minute };
        const next = nextTimeOfDay(at, EVERY_DAY, after);
        expect(next).toBeGreaterThan(after);
        expect(next - after).toBeLessThanOrEqual(DAY + 3_600_000);
        expect(lastTimeOfDay(at, EVERY_DAY, next)).toBe(next);
        expect(lastTimeOfDay(at, EVERY_DAY, next - 1)).toBeLessThan(next);
      }),
    );
  });

  it('falls on the days that are named', () => {
    const at = time('02:00 Europe/Moscow');
    const days = parseWeekdays('Mon-Fri') ?? EVERY_DAY;
    // A Friday at noon: the next is Monday.
    expect(new Date(nextTimeOfDay(at, days, Date.UTC(2026, 10, 20, 12))).toISOString()).toBe(
      '2026-11-22T23:00:00.000Z',
    );
  });
});

it('reads days', () => {
  const names = (text: string) => [...(parseWeekdays(text) ?? [])].map((day) => WEEKDAYS[day]);
  expect(names('Mon-Fri')).toEqual(['Mon', 'Tue', 'Wed', 'Thu', 'Fri']);
  expect(names('sat-mon, Wednesday')).toEqual(['Sat', 'Sun', 'Mon', 'Wed']);
  for (const wrong of ['', 'Mon-', 'Mon-Tue-Wed', 'someday'])
    expect(parseWeekdays(wrong)).toBeUndefined();
});

describe('late', () => {
  const expected = {
    files: 'leads-*.csv',
    expect: { by: time('02:00 UTC'), days: undefined, rows: undefined },
  };
  const due = Date.UTC(2026, 10, 23, 2);

  it('is a file that has not come since the day before', () => {
    const since = due - 10 * DAY;
    expect(lateAt(expected, due - 1000, due - DAY + 1, null)).toBeNull();
    expect(lateAt(expected, due + 1000, since, due - 2 * DAY)).toMatchObject({ due });
    expect(lateAt(expected, due + 1000, since, due - 3_600_000)).toBeNull();
    expect(lateAt(expected, due + 1000, since, null)?.sentence).toBe(
      'leads-*.csv has not come by 02:00 UTC.',
    );
    // Nobody had looked yet when it was due.
    expect(lateAt(expected, due + 1000, due + 500, null)).toBeNull();
  });
});

describe('unusual', () => {
  const usual = Array.from({ length: 5 }, () => ({ rows: 1000, badRows: 10 }));
  it('is half as many rows, or many more bad ones', () => {
    expect(unusualIn({ rows: 990, badRows: 20 }, usual)).toBeNull();
    expect(unusualIn({ rows: 400, badRows: 0 }, usual)).toContain(
      '400 rows, where 1,000 are usual',
    );
    expect(unusualIn({ rows: 1000, badRows: 200 }, usual)).toContain('20 % of its rows');
    // Of one or two files, a difference of some rows says nothing, nor do rows that ended badly.
    expect(unusualIn({ rows: 1, badRows: 1 }, [{ rows: 8, badRows: 0 }])).toBeNull();
    expect(unusualIn({ rows: 1000, badRows: 200 }, usual.slice(0, 2))).toBeNull();
    expect(unusualIn({ rows: 400, badRows: 0 }, usual.slice(0, 1))).toContain('it has 400 rows');
    expect(unusualIn({ rows: 0, badRows: 0 }, usual)).toContain('a header and no rows');
    expect(unusualIn({ rows: 0, badRows: 0 }, [])).toContain('a header and no rows');
    expect(unusualIn({ rows: 5, badRows: 0 }, [])).toBeNull();
  });
  it('is what was not expected', () => {
    expect(unexpectedRows(5, { min: 5, max: 5 })).toBeNull();
    expect(unexpectedRows(4, { min: 5 })).toContain('at least 5');
    expect(unexpectedRows(6, { max: 5 })).toContain('at most 5');
    expect(unexpectedRows(1, { min: 5 })).toContain('it has 1 row, where');
  });
});

it('reads manifests as sha256sum writes them', () => {
  const digest = 'a'.repeat(64);
  for (const line of [
    `${digest}  x.csv`,
    `${digest} *x.csv`,
    `${digest}  sub/x.csv\r`,
    digest.toUpperCase(),
  ])
    expect(digestIn(`${'b'.repeat(64)}  y.csv\n${line}\n`, 'x.csv')).toBe(digest);
  expect(digestIn(`${digest}  y.csv\n`, 'x.csv')).toBeUndefined();
});

it('knows files by their names', () => {
  expect(fitsPattern('leads-1.csv', 'leads-*.csv')).toBe(true);
  expect(fitsPattern('leads-1.csv.tmp', 'leads-*.csv')).toBe(false);
  expect(fitsPattern('leads-1xcsv', 'leads-?.csv')).toBe(false);
  expect(fitsPattern('.leads-1.csv', '*')).toBe(false);
});

it('waits longer after each failure, and not for ever', () => {
  const pauses = [1, 2, 3, 50].map(pauseAfter);
  expect(pauses).toEqual([30_000, 60_000, 120_000, 1_800_000]);
});
