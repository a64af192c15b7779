import { boolean } from './boolean.js';
import { date } from './date/date.js';
import { byDefault } from './default.js';
import { map } from './map.js';
import { number } from './number.js';
import { phone } from './phone/phone.js';
import { split } from './split.js';
import { template } from './template.js';
import { z } from 'zod';
import { onText, InvalidValue } from './step.js';
import { lowerCase, upperCase, headerName } from '../../core/cell-text.js';
import { bareTransform, transform, type TransformContext } from './kind.js';
import { someText, filled } from '../../config/scalar.js';
import { compilePattern } from './pattern.js';
import type { Path } from '../../config/path.js';
import { suggestion } from '../../config/nearest.js';
import { isLarge, type LookupEntries, type Rows } from '../table.js';

const NOT_DIGITS = /[^0-9]+/g;

/** A change of text without any options: `{ name: true }`. */
const always = (description: string, change: (text: string) => string) =>
  bareTransform(
    z.literal(true).describe(description),
    () => true as const,
    () => onText(change),
  );

const digits = always('Keeps the digits 0 to 9 alone.', (text) => text.replace(NOT_DIGITS, ''));

/** A letter after the beginning or after something that is neither letter nor mark; an apostrophe begins no word. */
const WORD_START = /(?<![\p{L}\p{M}\p{N}'’])\p{L}/gu;

const title = always('Turns the first letter of each word into a capital.', (text) =>
  lowerCase(text).replace(WORD_START, (letter) => letter.toUpperCase()),
);

const lower = always('Turns letters into small ones.', lowerCase);

const upper = always('Turns letters into capitals.', upperCase);

/** What `collapse` changes: to ask first takes a quarter of the time of replacing spaces by spaces. */
const NOT_COLLAPSED = /\s\s|[^\S ]/u;

const BLANKS = /\s+/gu;

const collapse = always('Turns every run of white space into one space and trims.', (text) => {
  const trimmed = text.trim();
  return NOT_COLLAPSED.test(trimmed) ? trimmed.replace(BLANKS, ' ') : trimmed;
});

const trim = always('Cuts white space off both ends.', (text) => text.trim());

const options = z
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
  .describe('Replaces every occurrence.');

const replace = transform(options, (options, path, context) => {
  const { pattern, text, with: put } = options;
  if (text !== undefined) return onText((value) => value.replaceAll(text, () => put));
  const expression = compilePattern(pattern ?? '', [...path, 'pattern'], context);
  const groups = expression.groupCount();
  for (const [reference, number] of put.matchAll(/\$(\d+)/g)) {
    if (Number(number) > groups) {
      context.mistake(
        [...path, 'with'],
        `${reference} names a group that the pattern does not have.`,
      );
    }
  }
  return onText((value) =>
    expression.test(value) ? expression.matcher(value).replaceAll(put) : value,
  );
});

const lookupOptions = z
  .strictObject({
    file: filled.describe('CSV file with a header, relative to the mapping file.'),
    key: filled.describe('Column of that file which is compared with the value.'),
    value: filled.describe('Column of that file which takes the place of the value.'),
  })
  .describe('Replaces the value by what a table says of it.');

/** Replaces a value by what a table says of it. A value that is not in the table is unknown, as with `map`. */
const lookup = transform(lookupOptions, (lookupOptions, path, context) => {
  const { file, key, value } = lookupOptions;
  const table = context.table(file);
  const entries =
    table && isLarge(table)
      ? orMistake(table.entries({ key, value }), file, path, context)
      : entriesOf(table, lookupOptions, path, context);
  const wrong = new InvalidValue(
    'not_in_table',
    `This value is not in column "${key}" of ${file}, so there is no "${value}" for it.`,
    true,
  );
  return onText((text) => entries.get(text.trim()) ?? wrong);
});

/** Every transform, by the name that a mapping gives it. The schema of mappings is made of it. */
export const TRANSFORMS = {
  trim,
  collapse,
  upper,
  lower,
  title,
  digits,
  replace,
  split,
  date,
  number,
  boolean,
  phone,
  map,
  lookup,
  default: byDefault,
  template,
};

type Transforms = typeof TRANSFORMS;
export type TransformName = keyof Transforms;

/** Transforms that need no options, and may be written as a bare name. */
type BareName = {
  [Name in TransformName]: 'bare' extends keyof Transforms[Name] ? Name : never;
}[TransformName];

export const TRANSFORM_NAMES = Object.keys(TRANSFORMS) as TransformName[];

export function isBare(name: TransformName): name is BareName {
  return 'bare' in TRANSFORMS[name];
}

/** The schemas of all options, by the name of their transform. */
export const transformOptions = Object.fromEntries(
  TRANSFORM_NAMES.map((name) => [name, TRANSFORMS[name].options]),
) as { readonly [Name in TransformName]: Transforms[Name]['options'] };

function orMistake(
  found: LookupEntries | { readonly conflict: number },
  file: string,
  path: Path,
  context: TransformContext,
): LookupEntries {
  if ('get' in found) return found;
  noteConflict(found.conflict, file, path, context);
  return new Map();
}

/** @param row number of the second one, from 1 */
function noteConflict(row: number, file: string, path: Path, context: TransformContext): void {
  context.mistake(
    path,
    `row ${row} of ${file} says something else for a key that stands further up.`,
    'Keep one row for each key.',
  );
}

function entriesOf(
  table: Rows | undefined,
  { file, key, value }: z.output<typeof lookupOptions>,
  path: Path,
  context: TransformContext,
): Map<string, string> {
  const entries = new Map<string, string>();
  if (table === undefined) return entries;
  const header = (table[0] ?? []).map(headerName);
  const [from, to] = [
    position(header, key, file, [...path, 'key'], context),
    position(header, value, file, [...path, 'value'], context),
  ];
  if (from < 0 || to < 0) return entries;
  for (const [index, row] of table.entries()) {
    const name = row[from]?.trim() ?? '';
    if (index === 0 || name === '') continue;
    const result = row[to] ?? '';
    if (entries.has(name) && entries.get(name) !== result) {
      noteConflict(index + 1, file, path, context);
      return entries;
    }
    entries.set(name, result);
  }
  return entries;
}

function position(
  header: readonly string[],
  name: string,
  file: string,
  path: Path,
  context: TransformContext,
): number {
  const at = header.indexOf(headerName(name));
  if (at < 0) context.mistake(path, `${file} has no column "${name}".`, suggestion(name, header));
  return at;
}
