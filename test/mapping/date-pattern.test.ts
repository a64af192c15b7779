import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileDate } from '../../src/mapping/transforms/date/date-pattern.js';

const PATTERNS = [
  ['dd.MM.yyyy', /^\d{2}\.\d{2}\.\d{4}$/],
  ["yyyy-MM-dd'T'HH:mm:ss", /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/],
  ['d.M.yyyy', /^\d{1,2}\.\d{1,2}\.\d{4}$/],
] as const;

test.each(PATTERNS)('%s reads exactly the texts of its form that name a day', (pattern, form) => {
  const { read, write } = compileDate(pattern);
  const near = fc.stringMatching(/^[0-3]?\d.[01]?\d.20\d\d.?$/u);
  const whole = fc.stringMatching(form);
  fc.assert(
    fc.property(fc.oneof(near, whole, fc.string()), (text) => {
      const moment = read(text);
      if (!form.test(text)) expect(moment).toBeNull();
      if (moment === null) return;
      const digits = (of: string): number[] => (of.match(/\d+/g) ?? []).map(Number);
      expect(digits(write(moment))).toEqual(digits(text));
    }),
  );
  expect(read(write([2024, 2, 29, 9, 8, 7]))).not.toBeNull();
  expect(read(write([2023, 2, 29, 9, 8, 7]))).toBeNull();
});
