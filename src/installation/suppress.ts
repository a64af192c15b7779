import { z } from 'zod';
import { filled } from '../config/scalar.js';
import { parseDuration } from '../core/time.js';

const duration = z.string().transform((text, context) => {
  const milliseconds = parseDuration(text);
  if (milliseconds !== undefined) return milliseconds;
  context.addIssue({ code: 'custom', message: 'write a number and a unit: 12h, 31d, 4w or 5y.' });
  return z.NEVER;
});

const name = filled.describe('Name of the list, for reports.');
const country = z
  .string()
  .regex(/^[A-Za-z]{2}$/, 'use two letters, such as RU.')
  .transform((code) => code.toUpperCase())
  .optional()
  .describe(
    'Country of numbers without a country code, two letters. Default: all numbers have one; US with ftc.',
  );
const scope = z
  .enum(['phone', 'row'])
  .default('phone')
  .describe(
    'phone: a number on the list is left out, and the row where no other is left; row: the whole row is. ' +
      'Default: phone.',
  );

/** A list that comes as a file. */
const fileList = z
  .strictObject({
    name,
    file: filled.describe('File with the numbers, relative to this file; .gz too.'),
    format: z
      .enum(['numbers', 'csv', 'ftc'])
      .describe(
        'numbers: one a line; csv: a table with a header; ftc: area code and number a line, as the national ' +
          'registry of the United States has them.',
      ),
    column: filled.optional().describe('With csv: the column with the numbers.'),
    country,
    scope,
    maxAge: duration
      .optional()
      .describe('How old the list may be, such as 31d: h, d, w or y. Default: any age.'),
    old: z
      .enum(['stop', 'warn'])
      .default('stop')
      .describe(
        'What becomes of a run when the list is older: stop: nothing is sent; warn. Default: stop.',
      ),
  })
  .refine(({ format, column }) => (format === 'csv') === (column !== undefined), {
    message: '"column" belongs to format csv, which needs it.',
  })
  .refine(({ format, country }) => format !== 'ftc' || country === undefined, {
    message: 'format ftc has numbers of the United States alone. Remove "country".',
  });

/** A list that "cardline suppress" keeps. */
const storeList = z.strictObject({
  name,
  store: filled.describe(
    'File in which "cardline suppress" keeps the list, relative to this file.',
  ),
  ttl: duration
    .optional()
    .describe('How long a number stays on it, such as 5y: h, d, w or y. Default: for ever.'),
  country,
  scope,
});

const list = z.union([fileList, storeList]);

/** The section `suppress` of an installation. */
export const suppress = z
  .array(list)
  .min(1)
  .refine((lists) => isEachOnce(lists.map((one) => one.name)), {
    message: 'two lists have the same name.',
  })
  .refine((lists) => isEachOnce(lists.flatMap((one) => ('store' in one ? [one.store] : []))), {
    message: 'two lists have the same store.',
  })
  .optional()
  .describe('Lists of numbers that must not be called. Default: none.');

function isEachOnce(texts: readonly string[]): boolean {
  return new Set(texts).size === texts.length;
}
