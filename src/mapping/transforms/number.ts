import { z } from 'zod';
import { bareTransform } from './kind.js';
import { InvalidValue, onText } from './step.js';

/** Spaces that people and programs put between thousands: plain, no-break, thin, narrow. */
const SPACES = '[ \\u00a0\\u2009\\u202f]';

const options = z
  .strictObject({
    decimal: z
      .enum(['.', ','])
      .default('.')
      .describe('Decimal sign of the cell. Default: a point.'),
    thousands: z
      .enum(['.', ',', "'"])
      .optional()
      .describe('Sign between thousands, beside spaces, which are always understood.'),
  })
  .refine(({ decimal, thousands }) => decimal !== thousands, 'decimal and thousands must differ.')
  .describe('Reads a number as people write it: 1 234,50 becomes 1234.50.');

/** `1 234 567,80` becomes `1234567.80`. Groups must have three digits, so that `12 34` is not taken for a number. */
export const number = bareTransform(
  options,
  () => options.parse({}),
  ({ decimal, thousands }) => {
    const between = thousands === undefined ? SPACES : `(?:${SPACES}|\\${thousands})`;
    const form = new RegExp(
      `^([-+\\u2212]?)(\\d{1,3}(?:${between}\\d{3})+|\\d+)(?:\\${decimal}(\\d+))?$`,
    );
    const wrong = new InvalidValue(
      'not_a_number',
      `This is not a number. Write digits, with "${decimal}" before decimals.`,
    );
    return onText((text) => {
      const found = form.exec(text.trim());
      if (found === null) return wrong;
      const [, sign, whole = '', decimals] = found;
      const minus = sign === '' || sign === '+' ? '' : '-';
      const digits = whole.replace(/\D/g, '');
      return `${minus}${digits}${decimals === undefined ? '' : `.${decimals}`}`;
    });
  },
);
