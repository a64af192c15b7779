import { z } from 'zod';
import { filled, scalar, someText } from '../../config/scalar.js';

/** Options of every transform, by its name: what stands behind the name in `{ name: options }`. */
export const transformOptions = {
  trim: z.literal(true).describe('Cuts white space off both ends.'),
  collapse: z.literal(true).describe('Turns every run of white space into one space and trims.'),
  upper: z.literal(true).describe('Turns letters into capitals.'),
  lower: z.literal(true).describe('Turns letters into small ones.'),
  title: z.literal(true).describe('Turns the first letter of each word into a capital.'),
  digits: z.literal(true).describe('Keeps the digits 0 to 9 alone.'),
  replace: z
    .strictObject({
      pattern: someText
        .optional()
        .describe(
          'Regular expression in RE2 syntax (linear time, no look-around, no back-references).',
        ),
      text: someText.optional().describe('Plain text to look for, in place of a pattern.'),
      with: z
        .string()
        .default('')
        .describe('What takes its place; $1 is the first group of a pattern. Default: nothing.'),
    })
    .refine(
      ({ pattern, text }) => (pattern === undefined) !== (text === undefined),
      'give either "pattern" (a regular expression) or "text" (plain text).',
    )
    .describe('Replaces every occurrence.'),
  split: someText.describe('Text between the parts; "part" beside it says which part is kept.'),
  date: z
    .strictObject({
      from: z
        .union([filled, z.array(filled).min(1)])
        .default('yyyy-MM-dd')
        .describe(
          'Pattern or patterns of the cell, of yyyy yy MM M dd d HH H mm ss; dates of Excel and ISO dates are ' +
            'understood without one. Default: yyyy-MM-dd.',
        ),
      to: filled.default('yyyy-MM-dd').describe('Pattern of the result. Default: yyyy-MM-dd.'),
    })
    .describe('Reads a date and writes it in another form.'),
  number: z
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
    .describe('Reads a number as people write it: 1 234,50 becomes 1234.50.'),
  boolean: z
    .strictObject({
      true: z
        .array(scalar)
        .min(1)
        .optional()
        .describe('Words that mean yes. Default: true, yes, y, 1, да.'),
      false: z
        .array(scalar)
        .min(1)
        .optional()
        .describe('Words that mean no. Default: false, no, n, 0, нет.'),
    })
    .describe('Reads yes and no in words, in any case of letters: gives true or false.'),
  phone: z
    .strictObject({
      country: z
        .string()
        .optional()
        .describe(
          'Country of numbers without a country code, two letters such as RU. Default: none.',
        ),
      format: z
        .enum(['E164', 'digits'])
        .default('E164')
        .describe('E164: +79161234567; digits: 79161234567. Default: E164.'),
    })
    .describe('Reads a phone number, checks that it can exist, and writes it in one form.'),
  map: z
    .record(z.string(), scalar)
    .refine((map) => Object.keys(map).length > 0, 'it must hold at least one pair.')
    .describe('Value of the cell to value of the card; a value that is a result already stays.'),
  lookup: z
    .strictObject({
      file: filled.describe('CSV file with a header, relative to the mapping file.'),
      key: filled.describe('Column of that file which is compared with the value.'),
      value: filled.describe('Column of that file which takes the place of the value.'),
    })
    .describe('Replaces the value by what a table says of it.'),
  default: scalar.describe('Used where there is no value, or none in the map or table before it.'),
  template: filled.describe(
    'Text with {Column} for cells of the row and {value} for the value so far; {{ and }} are plain brackets.',
  ),
} as const satisfies Record<string, z.ZodType>;

export type TransformName = keyof typeof transformOptions;
export type TransformOptions = {
  readonly [N in TransformName]: z.output<(typeof transformOptions)[N]>;
};

/** Transforms that need no options, and may be written as a bare name. */
export const BARE_TRANSFORMS = [
  'trim',
  'collapse',
  'upper',
  'lower',
  'title',
  'digits',
  'date',
  'number',
  'boolean',
  'phone',
] as const satisfies readonly TransformName[];

export type BareTransform = (typeof BARE_TRANSFORMS)[number];

const bare = z.enum(BARE_TRANSFORMS);

const withOptions = z
  .strictObject({
    trim: transformOptions.trim.optional(),
    collapse: transformOptions.collapse.optional(),
    upper: transformOptions.upper.optional(),
    lower: transformOptions.lower.optional(),
    title: transformOptions.title.optional(),
    digits: transformOptions.digits.optional(),
    replace: transformOptions.replace.optional(),
    split: transformOptions.split.optional(),
    part: z.int().min(1).optional().describe('Which part of a split is kept, from 1. Default: 1.'),
    date: transformOptions.date.optional(),
    number: transformOptions.number.optional(),
    boolean: transformOptions.boolean.optional(),
    phone: transformOptions.phone.optional(),
    map: transformOptions.map.optional(),
    lookup: transformOptions.lookup.optional(),
    default: transformOptions.default.optional(),
    template: transformOptions.template.optional(),
  } satisfies Record<TransformName | 'part', z.ZodType>)
  .refine(
    (step) => namesOf(step).length === 1,
    'one step does one thing: write each transform as an entry of its own.',
  )
  .refine(
    (step) => step.part === undefined || step.split !== undefined,
    '"part" belongs beside "split".',
  );

/** One step of a transform, as written. */
export const transform = z.union([bare, withOptions]).meta({ id: 'transform' });
export type TransformStep = z.output<typeof transform>;

/** One step or several, in order. */
export const transforms = z.union([transform, z.array(transform)]);

function namesOf(step: object): string[] {
  return Object.entries(step)
    .filter(([key, options]) => key !== 'part' && options !== undefined)
    .map(([key]) => key);
}
