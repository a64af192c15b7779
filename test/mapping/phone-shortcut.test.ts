import examples from 'libphonenumber-js/examples.mobile.json';
import metadata from 'libphonenumber-js/max/metadata';
import { type CountryCode, getCountries } from 'libphonenumber-js/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { closeReader, phoneReader } from '../../src/mapping/transforms/phone/phone.js';
import { phoneShortcut } from '../../src/mapping/transforms/phone/plans.js';

const countries = getCountries(metadata);

/** National numbers near a real one: some digits changed, sometimes one more or one less. */
function nationalNumber(country: CountryCode): fc.Arbitrary<string> {
  const family = metadata.country_calling_codes[metadata.countries[country]?.[0] as string] ?? [];
  const seeds = [country, country, ...family].map((member) => examples[member]);
  return fc
    .tuple(
      fc.constantFrom(...seeds),
      fc.array(fc.tuple(fc.nat({ max: 12 }), fc.nat({ max: 9 })), { maxLength: 6 }),
      fc.constantFrom('', '', '', '', '0', '77', 'shorter'),
    )
    .map(([seed, changes, tail]) => {
      const digits = Array.from(seed);
      for (const [at, digit] of changes) if (at < digits.length) digits[at] = String(digit);
      return tail === 'shorter' ? digits.slice(1).join('') : digits.join('') + tail;
    });
}

/** Ways to write a number, right and wrong. */
function written(country: CountryCode): fc.Arbitrary<string> {
  const plan = metadata.countries[country] ?? [];
  const [code, prefix] = [String(plan[0]), String(plan[5] ?? '')];
  const abroad = String(plan[1] ?? '')
    .replace(/\D/g, '')
    .slice(0, 3);
  const fronts = [
    `+${code}`,
    prefix,
    code,
    '',
    `+${code}${prefix}`,
    prefix + code,
    abroad,
    '+',
    '+1',
    abroad + code,
  ];
  const shapes: ((text: string) => string)[] = [
    (text) => text,
    (text) => text.replace(/(\d{3})(\d{2})/, '($1) $2-'),
    (text) => text.replace(/(\d\d)/g, '$1 '),
    (text) => `(${text})`,
    (text) => text.replace(/(\d{3})/, ' $1.--'),
    (text) => `\u00a0${text}\u00a0`,
    (text) => `${text} ext. 5`,
    (text) => text.replace('+', '++'),
  ];
  return fc
    .tuple(fc.constantFrom(...fronts), nationalNumber(country), fc.constantFrom(...shapes))
    .map(([front, number, shape]) => shape(front + number));
}

test('where the shortcut answers, it answers as the close reading does, in every country', () => {
  let answered = 0;
  for (const country of countries) {
    const shortcut = phoneShortcut(country);
    const closely = closeReader(country);
    if (!shortcut) continue;
    fc.assert(
      fc.property(written(country), (text) => {
        const answer = shortcut(text);
        if (answer === null) return;
        answered++;
        expect([country, text, answer]).toEqual([country, text, closely(text)]);
      }),
      { numRuns: 60 },
    );
  }
  // So that the test cannot pass by a shortcut that never answers.
  expect(answered).toBeGreaterThan(1_250);
});

test.each<CountryCode>(['RU', 'KZ', 'US', 'CA', 'DE', 'GB', 'UA', 'BY', 'FR', 'IT', 'BR', 'IN'])(
  'thousands of numbers of %s are read as closely',
  (country) => {
    const [read, closely] = [phoneReader(country), closeReader(country)];
    fc.assert(
      fc.property(written(country), (text) => read(text) === closely(text)),
      { numRuns: 1_000 },
    );
  },
);

test.each<[CountryCode, string]>([
  ['RU', '8 (916) 123-45-67'],
  ['RU', '+79161234567'],
  ['RU', '79161234567'],
  ['RU', '9161234567'],
  ['DE', '030 901820'],
  ['GB', '+44 20 7946 0958'],
  ['US', '(212) 555-0123'],
  ['FR', '01 42 68 53 00'],
])('a common number of %s, %s, takes the shortcut', (country, text) => {
  expect(phoneShortcut(country)?.(text)).toBe(closeReader(country)(text));
});

test('any text at all is read without throwing', () => {
  const read = phoneReader('RU');
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      expect(read(text)).toBe(closeReader('RU')(text));
    }),
  );
});
