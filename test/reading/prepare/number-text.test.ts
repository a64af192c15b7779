import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberText } from '../../../src/core/text.js';

test.each([0, -0, 1, 999, 1000, 1001, 999_999, 1_000_000, 10_000_050, 999_999_999, 1_000_000_000])(
  'gives %d as the language does, its negative, and a multiple of it',
  (value) => {
    for (const number of [value, -value, value * 1_000_003, value / 8])
      expect(numberText(number)).toBe(String(number));
  },
);

test('gives any number as the language does', () => {
  const numbers = fc.oneof(fc.double(), fc.maxSafeInteger(), fc.integer(), fc.nat(2_000_000));
  fc.assert(
    fc.property(numbers, (value) => {
      expect(numberText(value)).toBe(String(value));
    }),
    { numRuns: 2000 },
  );
});
