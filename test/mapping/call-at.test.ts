import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Payloads } from '../../src/core/client.js';
import type { Cell } from '../../src/core/table.js';
import { compiled } from './files.js';
import { tablesIn } from '../kit/tables.js';

/** What maps the columns At, TZ and Time to a callback at that moment. */
async function mapOf(spec: string) {
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
  return (await compiled(yaml, { headers: ['At', 'TZ', 'Time'] })).map;
}

/** A function from cells to the moment of the callback, or the code of the problem. */
async function callAtBy(spec: string): Promise<(at: Cell, zone?: Cell) => string> {
  const map = await mapOf(spec);
  return (at, zone = null) => {
    const row = map([at, zone, '10:30:00']);
    if (row.status === 'client') return (row.payload as Payloads['callbacks']).callAt;
    return row.problems.map(({ column, code }) => `${column ?? ''}: ${code}`).join(', ');
  };
}

const MOMENTS = tablesIn(import.meta.dirname, 'call-at.yaml') as Readonly<
  Record<string, readonly (readonly [at: Cell, moment: string, zone?: Cell])[]>
>;

describe.each(Object.entries(MOMENTS))('%s', async (spec, rows) => {
  const callAt = await callAtBy(spec);
  test.each(rows.map(([at, moment, zone = null]) => ({ at, zone, moment })))(
    '$at $zone: $moment',
    ({ at, zone, moment }) => {
      expect(callAt(at, zone)).toBe(moment);
    },
  );
});

test('a problem names the column, the value, and the forms that are understood', async () => {
  const row = (await mapOf('{ column: At, pattern: dd.MM.yyyy HH:mm, timeZone: UTC }'))(['soon']);
  expect(row).toMatchObject({
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
