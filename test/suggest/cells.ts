import { compileDate } from '../../src/mapping/transforms/date/dates.js';
import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';
import { type Random, randomOf } from './random.js';
import { tablesIn } from '../kit/tables.js';

type Words = 'first' | 'last' | 'cities' | 'regions' | 'streets' | 'jobs' | 'companies' | 'texts';
type Place = Readonly<Record<Words, readonly string[]>> & {
  readonly country: string;
  readonly middle?: readonly string[];
};
const PLACES = tablesIn(import.meta.dirname, 'people.yaml') as Readonly<Record<string, Place>>;

/** Beginnings of numbers that exist, mobile and fixed, by country; the last four digits are drawn. */
const NUMBERS = tablesIn(import.meta.dirname, 'cells.yaml') as Readonly<
  Record<string, readonly [mobile: string, fixed: string]>
>;

type Found = NonNullable<ReturnType<typeof parsePhoneNumberFromString>>;

const pools = new Map<string, readonly Found[]>();
const POOL = 40;

/** A number of the country that its numbering plan knows. */
function number(country: string, isMobile: boolean, random: Random): Found {
  const key = `${country} ${isMobile ? 'mobile' : 'fixed'}`;
  const pool = pools.get(key) ?? makeNumbers(country, isMobile);
  pools.set(key, pool);
  return random.of(pool);
}

function makeNumbers(country: string, isMobile: boolean): Found[] {
  const start = NUMBERS[country]?.[isMobile ? 0 : 1] ?? '';
  const random = randomOf(start.length);
  const pool: Found[] = [];
  for (let turn = 0; turn < 4000 && pool.length < POOL; turn++) {
    const found = parsePhoneNumberFromString(start + random.digits(3 + (turn % 4)));
    if (found?.isValid() === true && found.country === (country as CountryCode)) pool.push(found);
  }
  if (pool.length === 0) throw new Error(`no number of ${country} begins with ${start}`);
  return pool;
}

/** What draws the cells of one column; `seed` words come from the kind behind the header. */
export function cellMaker(
  kind: string,
  language: string,
  country: string,
): (row: number, random: Random) => string {
  const [, name = '', blanks] = /^(.*?)(?:\?(\d+))?$/.exec(kind) ?? [];
  const make = makerOf(name, PLACES[language] ?? fail(language), country);
  const empty = Number(blanks ?? 0) / 100;
  return (row, random) => (random.next() < empty ? '' : make(row, random));
}

function fail(language: string): never {
  throw new Error(`no words of ${language}`);
}

type Maker = (row: number, random: Random) => string;

function makerOf(name: string, place: Place, country: string): Maker {
  const [kind = '', ...rest] = name.split(':');
  const option = rest.join(':');
  const phone = PHONE_STYLES[kind];
  if (phone) return (_, random) => phone(number(country, kind.startsWith('mob'), random));
  const fixed = PLAIN[kind];
  if (fixed) return (row, random) => fixed(row, random, place);
  const withOption = OPTIONS[kind];
  if (withOption) return withOption(option);
  throw new Error(`no cells of the kind ${name}`);
}

const e164 = (found: Found): string => found.number;
const PHONE_STYLES: Readonly<Record<string, (found: Found) => string>> = {
  mob: (found) => found.formatNational(),
  land: (found) => found.formatNational(),
  'mob+': (found) => found.formatInternational(),
  'land+': (found) => found.formatInternational(),
  mobE: e164,
  mobd: (found) => found.nationalNumber,
  mobn: (found) => found.formatNational().replace(/\D/g, ''),
};

type PlacedMaker = (row: number, random: Random, place: Place) => string;
const full: PlacedMaker = (_, random, { first, last }) => `${random.of(first)} ${random.of(last)}`;

const PLAIN: Readonly<Record<string, PlacedMaker>> = {
  blank: () => '',
  first: (_, random, { first }) => random.of(first),
  last: (_, random, { last }) => random.of(last),
  middle: (_, random, { middle }) => random.of(middle ?? ['']),
  full,
  fullL: (_, random, { first, last, middle }) =>
    [random.of(last), random.of(first), ...(middle ? [random.of(middle)] : [])].join(' '),
  company: (_, random, { companies }) => random.of(companies),
  job: (_, random, { jobs }) => random.of(jobs),
  city: (_, random, { cities }) => random.of(cities),
  region: (_, random, { regions }) => random.of(regions),
  country: (_, _random, { country }) => country,
  street: (_, random, { streets }) => `${random.of(streets)} ${random.whole(1, 200)}`,
  fulladdr: (_, random, { streets, cities }) =>
    `${random.of(cities)}, ${random.of(streets)}, ${random.whole(1, 200)}`,
  text: (_, random, { texts }) => random.of(texts),
  words: (_, random, { companies, cities }) => `${random.of(companies)} ${random.of(cities)}`,
  zip: (_, random) => String(random.whole(10_000, 99_999)),
  email: (row, random) => `lead${row}.${random.digits(4)}@example.com`,
  url: (row, random) => `https://www.${random.of(['flats', 'shop', 'auto'])}${row}.example.net`,
  domain: (_, random) => `${random.of(['flats', 'shop', 'auto'])}.example.net`,
  uuid: (_, random) => uuid(random),
  ip: (_, random) => `192.0.2.${random.whole(1, 254)}`,
  device: (_, random) => random.of(['iPhone 14', 'Samsung Galaxy S23', 'Pixel 8', 'Xiaomi 13']),
  time: (_, random) => `${random.whole(8, 19)}:${String(random.whole(0, 59)).padStart(2, '0')}`,
  zone: (_, random) =>
    random.of(['Europe/Moscow', 'Asia/Yekaterinburg', 'Europe/London', 'America/New_York']),
};

function uuid(random: Random): string {
  const hex = (length: number): string =>
    Array.from({ length }, () => random.whole(0, 15).toString(16)).join('');
  return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
}

/** The day before which dates are drawn, so that the same seed gives the same cells. */
const DAY = 24 * 60;

const OPTIONS: Readonly<Record<string, (option: string) => Maker>> = {
  pick: (option) => (_, random) => random.of(option.split('|')),
  seq: (option) => (row) => String(Number(option) + row),
  code: (option) => (row, random) => `${option}${row}${random.digits(5)}`,
  digits: (option) => (row, random) =>
    `${random.whole(1, 9)}${random.digits(Number(option) - 4)}${String(row % 1000).padStart(3, '0')}`,
  uuids: () => (row) => `00000000-0000-4000-8000-00000000000${row % 4}`,
  int: (option) => {
    const [from = 0, to = 1] = option.split('-').map(Number);
    return (_, random) => String(random.whole(from, to));
  },
  date: (pattern) => {
    const { write } = compileDate(pattern);
    return (_, random) => {
      const day = new Date(
        Date.UTC(1970 + random.whole(0, 55), 0, 1) + random.whole(0, 364 * DAY) * 60_000,
      );
      return write([
        day.getUTCFullYear(),
        day.getUTCMonth() + 1,
        day.getUTCDate(),
        day.getUTCHours(),
        day.getUTCMinutes(),
        7,
      ]);
    };
  },
  amt: (style) => (_, random) => amount(style, random.whole(1_000, 2_000_000), random.whole(0, 99)),
};

function amount(style: string, whole: number, cents: number): string {
  const two = String(cents).padStart(2, '0');
  const grouped = (sign: string): string => String(whole).replace(/\B(?=(?:\d{3})+$)/g, sign);
  if (style === 'ru' || style === 'fr') return `${grouped(' ')},${two}`;
  if (style === 'de') return `${grouped('.')},${two}`;
  return style === 'en' ? `${grouped(',')}.${two}` : `${whole}.${two}`;
}
