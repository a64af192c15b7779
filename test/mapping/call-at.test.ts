import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CallbackPayload } from '../../src/core/client.js';
import type { Cell } from '../../src/core/table.js';
import { compiled } from './files.js';

/** A function from cells of the columns `At` and `TZ` to the moment of the callback, or the code of the problem. */
async function callAtBy(spec: string): Promise<(at: Cell, zone?: Cell) => string> {
  const yaml = `mode: callbacks
client: { fields: { id: { value: 1 } } }
callback:
  name: { value: x }
  description: { value: x }
  phone: { value: 123 }
  operatorId: { value: 1 }
  callAt: ${spec}
  callAutomatically: true
`;
  const { map } = await compiled(yaml, { headers: ['At', 'TZ', 'Time'] });
  return (at, zone = null) => {
    const row = map([at, zone, '10:30:00']);
    if (row.status === 'client') return (row.payload as CallbackPayload).callAt;
    return row.problems.map(({ column, code }) => `${column ?? ''}: ${code}`).join(', ');
  };
}

describe('ISO 8601 with an offset needs nothing else', async () => {
  const callAt = await callAtBy('At');

  test.each([
    ['2026-11-21T10:00:00+03:00', '2026-11-21T10:00:00+03:00'],
    ['2026-11-21T10:00+0300', '2026-11-21T10:00:00+03:00'],
    ['2026-11-21 10:00:05-05', '2026-11-21T10:00:05-05:00'],
    [' 2026-11-21t10:00:00z ', '2026-11-21T10:00:00+00:00'],
    ['2026-11-21T10:00:00.999Z', '2026-11-21T10:00:00+00:00'],
    ['2026-11-21T10:00:00-00:00', '2026-11-21T10:00:00+00:00'],
    ['2026-11-21T10:00:00+14:00', '2026-11-21T10:00:00+14:00'],
    ['2028-02-29T00:00:00+05:45', '2028-02-29T00:00:00+05:45'],
  ])('%j', (cell, expected) => {
    expect(callAt(cell)).toBe(expected);
  });

  test.each([
    ['2026-11-21T10:00:00', 'At: no_time_zone'],
    ['2026-11-21', 'At: no_time'],
    ['2026-11-21T10', 'At: not_a_time'],
    ['2026-11-21T24:00:00Z', 'At: not_a_time'],
    ['2026-02-29T10:00:00Z', 'At: not_a_time'],
    ['2026-11-21T10:00:60Z', 'At: not_a_time'],
    ['2026-11-21T10:00:00+15:00', 'At: not_a_time'],
    ['2026-11-21T10:00:00+03:60', 'At: not_a_time'],
    ['21.11.2026 10:00', 'At: not_a_time'],
    ['tomorrow', 'At: not_a_time'],
    ['46347.41', 'At: not_a_time'],
    ['1999-12-31T23:59:59Z', 'At: long_past'],
    ['1900-01-01T10:00:00+03:00', 'At: long_past'],
    [null, 'At: required'],
  ])('%j is a problem: %s', (cell, expected) => {
    expect(callAt(cell)).toBe(expected);
  });
});

describe('a time zone of the mapping', async () => {
  const callAt = await callAtBy('{ column: At, timeZone: europe/berlin }');

  test.each([
    ['2026-11-21T10:00:00', '2026-11-21T10:00:00+01:00'],
    ['2026-07-21 10:00', '2026-07-21T10:00:00+02:00'],
    // What the cell says counts first.
    ['2026-07-21T10:00:00Z', '2026-07-21T10:00:00+00:00'],
  ])('%s is %s', (cell, expected) => {
    expect(callAt(cell)).toBe(expected);
  });

  test('clocks skip an hour in spring: there is no such time', () => {
    expect(callAt('2026-03-29T01:59:59')).toBe('2026-03-29T01:59:59+01:00');
    expect(callAt('2026-03-29T02:00:00')).toBe('At: no_such_time');
    expect(callAt('2026-03-29T02:59:59')).toBe('At: no_such_time');
    expect(callAt('2026-03-29T03:00:00')).toBe('2026-03-29T03:00:00+02:00');
    // With its offset it is a moment like every other.
    expect(callAt('2026-03-29T02:30:00+01:00')).toBe('2026-03-29T02:30:00+01:00');
  });

  test('an hour comes twice in autumn: the first is meant', () => {
    expect(callAt('2026-10-25T01:59:59')).toBe('2026-10-25T01:59:59+02:00');
    expect(callAt('2026-10-25T02:00:00')).toBe('2026-10-25T02:00:00+02:00');
    expect(callAt('2026-10-25T02:59:59')).toBe('2026-10-25T02:59:59+02:00');
    expect(callAt('2026-10-25T03:00:00')).toBe('2026-10-25T03:00:00+01:00');
  });

  test.each([
    ['Australia/Lord_Howe', '2026-10-04T02:15:00', 'At: no_such_time'],
    ['Australia/Lord_Howe', '2026-10-04T02:30:00', '2026-10-04T02:30:00+11:00'],
    ['Australia/Lord_Howe', '2026-04-05T01:45:00', '2026-04-05T01:45:00+11:00'],
    // A whole day that never was.
    ['Pacific/Apia', '2011-12-30T12:00:00', 'At: no_such_time'],
    ['Pacific/Apia', '2011-12-29T23:59:59', '2011-12-29T23:59:59-10:00'],
    ['Pacific/Apia', '2011-12-31T00:00:00', '2011-12-31T00:00:00+14:00'],
    ['UTC', '2026-03-29T02:30:00', '2026-03-29T02:30:00+00:00'],
    ['Asia/Kathmandu', '2026-03-29T02:30:00', '2026-03-29T02:30:00+05:45'],
    ['America/St_Johns', '2026-01-01T00:00:00', '2026-01-01T00:00:00-03:30'],
  ])('in %s, %s is %s', async (zone, cell, expected) => {
    expect((await callAtBy(`{ column: At, timeZone: ${zone} }`))(cell)).toBe(expected);
  });
});

describe('a time zone of the row', async () => {
  const callAt = await callAtBy(
    '{ column: At, timeZone: { column: TZ, map: { MSK: Europe/Moscow } } }',
  );
  const free = await callAtBy('{ column: At, timeZone: { column: TZ } }');

  test('is needed where the time names no offset, and only there', () => {
    expect(callAt('2026-11-21T10:00:00', 'MSK')).toBe('2026-11-21T10:00:00+03:00');
    expect(free('2026-11-21T10:00:00', ' Asia/Omsk ')).toBe('2026-11-21T10:00:00+06:00');
    expect(free('2026-11-21T10:00:00', null)).toBe('TZ: no_time_zone');
    expect(free('2026-11-21T10:00:00Z', null)).toBe('2026-11-21T10:00:00+00:00');
  });

  test.each(['Moscow time', '+03:00', '-05', 'Europe/Moskow', '__proto__'])(
    '%s is none',
    (zone) => {
      expect(free('2026-11-21T10:00:00', zone)).toBe('TZ: not_a_time_zone');
    },
  );

  test('what a map does not know is told', () => {
    expect(callAt('2026-11-21T10:00:00', 'X')).toBe('TZ: not_in_map');
  });
});

describe('patterns', () => {
  const spec = (pattern: string) => `{ column: At, pattern: ${pattern}, timeZone: Europe/Moscow }`;

  test.each([
    ['dd.MM.yyyy HH:mm', '21.11.2026 10:00', '2026-11-21T10:00:00+03:00'],
    ['[dd.MM.yyyy HH:mm, "d.M.yy, H:mm"]', '1.2.27, 9:05', '2027-02-01T09:05:00+03:00'],
    ["yyyyMMdd'T'HHmmss", '20261121T101500', '2026-11-21T10:15:00+03:00'],
    // What a workbook gives for a date and time, whatever the pattern.
    ['dd.MM.yyyy HH:mm', '2026-11-21T10:00:00', '2026-11-21T10:00:00+03:00'],
    ['dd.MM.yyyy HH:mm', '2026-11-21T10:00:00Z', '2026-11-21T10:00:00+00:00'],
    // With a space it might have another order, as here, and is read by the pattern or not at all.
    ['yyyy-dd-MM HH:mm', '2026-05-04 10:00', '2026-04-05T10:00:00+03:00'],
    ['yyyy-dd-MM HH:mm', '2026-05-13 10:00', 'At: not_a_time'],
    ['dd.MM.yyyy HH:mm', '2026-11-21', 'At: no_time'],
    ['dd.MM.yyyy HH:mm', '31.11.2026 10:00', 'At: not_a_time'],
    ['dd.MM.yyyy HH:mm', '21.11.2026', 'At: not_a_time'],
    ['d.M.yy H:mm', '1.1.99 10:00', 'At: long_past'],
  ])('%s reads %s as %s', async (pattern, cell, expected) => {
    expect((await callAtBy(spec(pattern)))(cell)).toBe(expected);
  });

  test('day and time may stand in two columns', async () => {
    const callAt = await callAtBy('{ columns: [At, Time], timeZone: UTC }');
    expect(callAt('2026-11-21')).toBe('2026-11-21T10:30:00+00:00');
  });

  test('a problem names the column, the value, and the forms that are understood', async () => {
    const { map } = await compiled(
      `mode: callbacks
client: { fields: { id: { value: 1 } } }
callback:
  { name: At, description: At, phone: { value: 123 }, operatorId: { value: 1 }, callAutomatically: true,
    callAt: ${spec('dd.MM.yyyy HH:mm')} }
`,
      { headers: ['At'] },
    );
    expect(map(['soon'])).toMatchObject({
      problems: [
        {
          column: 'At',
          code: 'not_a_time',
          message:
            'This is not a date with a time. Write it as dd.MM.yyyy HH:mm or 2026-11-21T10:00:00+03:00.',
          value: 'soon',
        },
      ],
    });
  });
});

describe('every zone', async () => {
  const callAt = await callAtBy('{ column: At, timeZone: { column: TZ } }');
  const [MINUTE, HOUR, WEEK] = [60_000, 3_600_000, 7 * 86_400_000];
  const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC', 'Etc/GMT+12'];

  const formats = new Map<string, Intl.DateTimeFormat>();
  /** What a clock in the zone shows, as Swedes write it: `2026-11-21 10:00:00`. */
  function clock(instant: number, timeZone: string): string {
    const known = formats.get(timeZone);
    const format =
      known ??
      new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
    formats.set(timeZone, format);
    return format.format(instant);
  }
  const offset = (instant: number, timeZone: string): number =>
    Date.parse(`${clock(instant, timeZone).replace(' ', 'T')}Z`) - instant;

  /** Zones where clocks change, and times about when most of them do: the first hours of a Sunday. */
  const changing = zones.filter(
    (zone) => offset(Date.UTC(2027, 0), zone) !== offset(Date.UTC(2027, 6), zone),
  );
  const sunday = fc
    .tuple(
      fc.integer({ min: 2000, max: 2037 }),
      fc.constantFrom(2, 3, 8, 9, 10),
      fc.integer({ min: 0, max: 4 }),
      fc.integer({ min: 0, max: 240 }),
    )
    .map(([year, month, week, minute]) => {
      const first = new Date(Date.UTC(year, month)).getUTCDay();
      const day = Date.UTC(year, month, 1 + ((7 - first) % 7));
      return day + week * WEEK + minute * MINUTE;
    });
  const anyTime = fc
    .integer({ min: Date.UTC(2000, 0, 2) / 1000, max: Date.UTC(2099, 11, 31) / 1000 })
    .map((seconds) => seconds * 1000);
  /** A zone, and a time on its clocks, as if it were UTC. */
  const moment = fc.oneof(
    fc.tuple(fc.constantFrom(...zones), anyTime),
    fc.tuple(fc.constantFrom(...changing), sunday),
  );

  test('a clock that is read and written back shows the same instant', () => {
    let twice = 0;
    fc.assert(
      fc.property(moment, ([zone, local]) => {
        const instant = local - offset(local, zone);
        const shown = clock(instant, zone);
        const written = callAt(shown, zone);
        expect(written).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/);
        expect(written.slice(0, 19)).toBe(shown.replace(' ', 'T'));
        const read = Date.parse(written);
        expect(clock(read, zone)).toBe(shown);
        if (read === instant) return;
        // Of two instants with one time on the clock, the first.
        expect(read).toBeLessThan(instant);
        twice++;
      }),
      { numRuns: 5_000 },
    );
    expect(twice).toBeGreaterThan(0);
  });

  test('a time is refused only when no clock in the zone ever shows it', () => {
    let refused = 0;
    fc.assert(
      fc.property(moment, ([zone, local]) => {
        const shown = new Date(local).toISOString().slice(0, 19).replace('T', ' ');
        const written = callAt(shown, zone);
        if (written !== 'At: no_such_time') {
          expect(clock(Date.parse(written), zone)).toBe(shown);
          return;
        }
        refused++;
        for (let ahead = -14 * HOUR; ahead <= 14 * HOUR; ahead += HOUR / 4) {
          expect(clock(local - ahead, zone)).not.toBe(shown);
        }
      }),
      { numRuns: 5_000 },
    );
    expect(refused).toBeGreaterThan(0);
  });
});
