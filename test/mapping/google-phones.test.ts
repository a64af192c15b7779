import { createRequire } from 'node:module';
import { parsePhoneNumberFromString, type CountryCode } from 'libphonenumber-js/max';
import { afterAll, expect, test } from 'vitest';
import { phoneShortcut } from '../../src/mapping/transforms/phone/plans.js';
import { textReader, type PhoneResult } from '../../src/mapping/transforms/phone/read-phone.js';
import { randomOf, type Random } from '../suggest/random.js';

/**
 * What is sent, held against Google's library: a text that it calls no number of the country is never sent in silence, and
 * what it calls one is read. `PHONE_SAMPLES` is the number of numbers that are drawn of each country (default 12, of which
 * each is written in ten ways, and each of these damaged in five), `PHONE_SEED` draws others, and with `PHONE_TABLE` a
 * table by country is printed.
 */
const SAMPLES = Number(process.env['PHONE_SAMPLES'] ?? 12);
const SEED = Number(process.env['PHONE_SEED'] ?? 1);
const COUNTRIES =
  'US CA GB IE DE AT CH FR BE NL ES PT IT DK SE NO FI PL CZ HU RO GR TR RU UA BY KZ IL SA AE IN ID TH VN JP KR CN AU NZ BR AR MX CO ZA NG'.split(
    ' ',
  ) as CountryCode[];

/** Google's library, as far as it is used here: it brings no types. */
interface Google {
  readonly PhoneNumberFormat: Readonly<Record<'E164' | 'NATIONAL' | 'INTERNATIONAL', number>>;
  readonly PhoneNumberUtil: { getInstance(): Util };
}

interface GoogleNumber {
  getCountryCodeOrDefault(): number;
}

interface Util {
  parse(text: string, country?: string): GoogleNumber;
  format(number: GoogleNumber, format: number): string;
  isValidNumber(number: GoogleNumber): boolean;
  isValidNumberForRegion(number: GoogleNumber, country: string): boolean;
  getExampleNumberForType(country: string, type: number): GoogleNumber | null;
  getNationalSignificantNumber(number: GoogleNumber): string;
  getCountryCodeForRegion(country: string): number;
}

const google = createRequire(import.meta.url)('google-libphonenumber') as Google;
const Format = google.PhoneNumberFormat;
const util = google.PhoneNumberUtil.getInstance();

/** What Google's library makes of a text; `null` where it is no number of the country, or with a plus none at all. */
function byGoogle(text: string, country: CountryCode): string | null {
  try {
    const number = util.parse(text, country);
    const isAbroad = number.getCountryCodeOrDefault() !== util.getCountryCodeForRegion(country);
    const isValid =
      isAbroad || /^[\s(\u200e]*(?:\+|00)/.test(text)
        ? util.isValidNumber(number)
        : util.isValidNumberForRegion(number, country);
    return isValid ? util.format(number, Format.E164) : null;
  } catch {
    return null;
  }
}

/** National numbers of every kind that the library has an example of, with other digits at their ends. */
function* numbersOf(country: CountryCode, random: Random) {
  const kinds = Array.from({ length: 11 }, (_, type) =>
    util.getExampleNumberForType(country, type),
  ).filter((example) => example !== null);
  const examples = kinds.map((example) => util.getNationalSignificantNumber(example));
  const code = util.getCountryCodeForRegion(country);
  for (let made = 0, turn = 0; made < SAMPLES && turn < 50 * SAMPLES; turn++) {
    // Most people have a mobile or a fixed line: the first two kinds.
    const example = random.of(turn % 3 === 0 ? examples : examples.slice(0, 2));
    const drawn = Math.min(example.length - 1, random.whole(2, 7));
    const number = util.parse(`+${code}${example.slice(0, -drawn)}${random.digits(drawn)}`);
    if (!util.isValidNumberForRegion(number, country)) continue;
    made++;
    yield number;
  }
}

function formsOf(number: GoogleNumber): string[] {
  const national = util.format(number, Format.NATIONAL);
  const international = util.format(number, Format.INTERNATIONAL);
  const code = number.getCountryCodeOrDefault();
  const significant = util.getNationalSignificantNumber(number);
  return [
    util.format(number, Format.E164),
    national,
    national.replace(/\D/g, ''),
    international,
    `${code}${significant}`,
    `00${code}${significant}`,
    national.replaceAll(' ', '-'),
    international.replace(/[- ]/g, '.'),
    national.replace(/^([^ (-]+)[ -]/, '($1) '),
    `\u200e${international.replaceAll(' ', '\u00a0')} `,
  ];
}

/** A digit removed, added, exchanged; two of them swapped; and the beginning left out, as a local number has none. */
function damaged(text: string, random: Random): string[] {
  const places = Array.from(text.matchAll(/\d/g), ({ index }) => index);
  const at = random.of(places);
  const from = places[random.whole(1, Math.min(5, places.length - 1))] ?? 0;
  return [
    text.slice(0, at) + text.slice(at + 1),
    text.slice(0, at) + random.digits(1) + text.slice(at),
    text.slice(0, at) + random.digits(1) + text.slice(at + 1),
    text.slice(0, at) +
      text
        .slice(at, at + 2)
        .split('')
        .reverse()
        .join('') +
      text.slice(at + 2),
    text.slice(from),
  ];
}

interface Tally {
  clean: number;
  refused: number;
  /** Numbers of ranges that only the metadata of Google's version have: the two are not of the same day. */
  unknown: number;
  wrong: number;
  /** What was sent without a remark and is no number. */
  sentInSilence: string[];
  /** Numbers that were sent without a remark, and are some, though Google's library does not find them in the text. */
  otherwise: string[];
  /** All texts. */
  looked: number;
}

function tallyOf(country: CountryCode): Tally {
  const random = randomOf(SEED * 1000 + COUNTRIES.indexOf(country));
  const close = textReader(country);
  const fast = phoneShortcut(country);
  const tally: Tally = {
    clean: 0,
    refused: 0,
    unknown: 0,
    wrong: 0,
    sentInSilence: [],
    otherwise: [],
    looked: 0,
  };
  for (const number of numbersOf(country, random)) {
    for (const form of formsOf(number)) {
      const expected = byGoogle(form, country);
      const reading = readingOf(form);
      if (expected !== null) {
        tally.clean++;
        if (reading.number === null) tally[isKnown(expected) ? 'refused' : 'unknown']++;
        if (isSilent(reading) && reading.number !== expected && !isOwnCode(form, expected))
          tally.wrong++;
      }
      for (const text of [form, ...damaged(form, random)]) {
        const other = readingOf(text);
        tally.looked++;
        if (!isSilent(other)) continue;
        const found = `${text} -> ${other.number ?? ''}`;
        if (byGoogle(other.number ?? '', country) === null) tally.sentInSilence.push(found);
        else if (byGoogle(text, country) === null) tally.otherwise.push(found);
      }
    }
  }
  return tally;

  /** As the transform does it. */
  function readingOf(text: string): PhoneResult {
    const sure = fast?.(text) ?? null;
    return sure === null ? close(text) : { number: sure, extension: null, notes: [] };
  }
}

const isKnown = (e164: string): boolean => parsePhoneNumberFromString(e164)?.isValid() === true;

/** `4915112345678` of DE is +49 151 12345678 here, and 04915 112345678 there. */
function isOwnCode(text: string, expected: string): boolean {
  const digits = text.replace(/\D/g, '');
  return !/[+]/.test(text) && expected.endsWith(digits) && expected.length > digits.length + 1;
}

const isSilent = (reading: PhoneResult): boolean =>
  reading.number !== null && reading.notes.length === 0 && reading.extension === null;

const tallies = new Map(COUNTRIES.map((country) => [country, tallyOf(country)]));

test.each(COUNTRIES)('%s: nothing is sent in silence that Google calls no number', (country) => {
  const { sentInSilence, otherwise, looked } = tallies.get(country) as Tally;
  expect(sentInSilence).toEqual([]);
  expect(otherwise.length, otherwise.join(', ')).toBeLessThanOrEqual(looked / 5_000);
});

test.each(COUNTRIES)('%s: what Google calls a number is read as that number', (country) => {
  const { clean, refused, wrong } = tallies.get(country) as Tally;
  expect(clean).toBeGreaterThan(7 * SAMPLES);
  expect(wrong).toBe(0);
  expect(refused / clean).toBeLessThanOrEqual(0.005);
});

afterAll(() => {
  if (process.env['PHONE_TABLE'] === undefined) return;
  for (const [country, tally] of tallies) {
    const { clean, refused, unknown, wrong, sentInSilence, otherwise, looked } = tally;
    console.log(
      `${country} clean ${clean} refused ${refused} (${((100 * refused) / clean).toFixed(2)} %) ` +
        `not in the metadata ${unknown} other number ${wrong} of all ${looked} ` +
        `sent in silence ${sentInSilence.length} read otherwise ${otherwise.length}`,
    );
  }
});
