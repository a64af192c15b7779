import examples from 'libphonenumber-js/examples.mobile.json';
import max from 'libphonenumber-js/max/metadata';
import { type CountryCode, getCountries, parsePhoneNumberFromString } from 'libphonenumber-js/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { phoneReader } from '../../src/mapping/transforms/phone/phone.js';
import { ownCode } from '../../src/mapping/transforms/phone/plans.js';
import { textReader } from '../../src/mapping/transforms/phone/read-phone.js';
import { tablesIn } from '../kit/tables.js';

const CASES = tablesIn(import.meta.dirname, 'own-code.yaml') as Record<
  string,
  [CountryCode, string, string][]
>;
const countries = getCountries(max).filter((country) => country in examples);

describe.each(Object.entries(CASES))('%s', (_, cases) => {
  test.each(cases)('%s: %s', (country, text, number) => {
    expect(phoneReader(country)(text)).toBe(number);
    expect(textReader(country)(text)).toMatchObject({ number, notes: [] });
  });
});

test('an area code that begins like the calling code stands behind one', () => {
  for (const text of ['+4949023456789', '4949023456789', '004949023456789', '049023456789'])
    expect([text, phoneReader('DE')(text)]).toEqual([text, '+4949023456789']);
});

test.each<[CountryCode, string, string]>([
  ['DE', '4921112345', '+494921112345'],
  ['SE', '468123456', '+46468123456'],
])('%s: %s can be two numbers', (country, text, number) => {
  expect(phoneReader(country)(text)).toBe(number);
  expect(textReader(country)(text)).toMatchObject({ number, notes: ['either'] });
});

test('countries whose numbers have one length cannot have such numbers', () => {
  for (const country of ['US', 'CA', 'RU', 'KZ', 'FR', 'ES'] as const)
    expect([country, ownCode(country)]).toEqual([country, null]);
});

/** A mobile number of any country: that of its example, with other last digits. */
const mobiles = fc
  .tuple(fc.constantFrom(...countries), fc.nat({ max: 9999 }))
  .map(([country, last]) => {
    const national = examples[country].slice(0, -4) + String(last).padStart(4, '0');
    const number = parsePhoneNumberFromString(national, { defaultCountry: country }, max);
    return { country, number };
  })
  .filter(({ country, number }) => number?.country === country && number.isValid());

test('mobile numbers are the same with "+", without it, and as they are written in the country', () => {
  fc.assert(
    fc.property(mobiles, ({ country, number }) => {
      const read = phoneReader(country);
      const e164 = number?.number ?? '';
      const forms = [e164, e164.slice(1), number?.formatNational() ?? ''];
      expect([country, ...forms.map(read)]).toEqual([country, e164, e164, e164]);
    }),
    { numRuns: 800 },
  );
});
