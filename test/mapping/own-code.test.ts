import examples from 'libphonenumber-js/examples.mobile.json';
import max from 'libphonenumber-js/max/metadata';
import { type CountryCode, getCountries, parsePhoneNumberFromString } from 'libphonenumber-js/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { phoneReader } from '../../src/mapping/transforms/phone/phone.js';
import { ownCode } from '../../src/mapping/transforms/phone/plans.js';
import { textReader } from '../../src/mapping/transforms/phone/read-phone.js';

const countries = getCountries(max).filter((country) => country in examples);

test.each<[CountryCode, string, string]>([
  ['DE', '4916020000003', '+4916020000003'],
  ['DE', '491601234567', '+491601234567'],
  ['DE', '49 151 12345678', '+4915112345678'],
  ['DE', '49151-12345678', '+4915112345678'],
  ['DE', '492111234567', '+492111234567'],
  ['AT', '436641234567', '+436641234567'],
  ['IT', '393331234567', '+393331234567'],
  ['FI', '358401234567', '+358401234567'],
  ['LU', '352621123456', '+352621123456'],
  ['ID', '62812345678', '+62812345678'],
  ['XK', '38344123456', '+38344123456'],
])('%s: %s begins with the calling code', (country, text, number) => {
  expect(phoneReader(country)(text)).toBe(number);
  expect(textReader(country)(text)).toMatchObject({ number, notes: [] });
});

test.each<[CountryCode, string, string]>([
  ['DE', '04921 112345', '+494921112345'],
  ['DE', '+49 4921 112345', '+494921112345'],
  ['PL', '48 126 10 38', '+48481261038'],
  ['SK', '421587002', '+421421587002'],
  ['NL', '318441098', '+31318441098'],
  ['IT', '393 331 234', '+39393331234'],
  ['FI', '358401234', '+358358401234'],
])('%s: %s is surely a number without it', (country, text, number) => {
  expect(phoneReader(country)(text)).toBe(number);
  expect(textReader(country)(text)).toMatchObject({ number, notes: [] });
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
