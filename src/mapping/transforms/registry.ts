import { date } from './date/date.js';
import { number } from './number.js';
import { phone } from './phone/phone.js';
import { wholeNumber } from './phone/read-phone.js';
import { z } from 'zod';
import {
  bareTransform,
  type Compile,
  hasExponent,
  inOrder,
  InvalidValue,
  isLarge,
  type LargeTable,
  type LookupEntries,
  LOST_DIGITS,
  onText,
  type Rows,
  type Step,
  transform,
  type TransformContext,
  lowerCase,
  upperCase,
  comparedWord,
} from './step.js';
import { headerName, type Cell } from '../../core/table.js';
import { someText, filled, scalar, type Scalar } from '../../config/document.js';
import type { Path } from '../../config/document.js';
import { suggestion } from '../../core/text.js';
import { createRequire } from 'node:module';
import type * as Library from 're2js';

const NOT_DIGITS = /[^0-9]+/g;

/** A change of text without any options: `{ name: true }`. */
const always = (change: (text: string) => string | InvalidValue) =>
  bareTransform(
    z.literal(true),
    () => true as const,
    () => onText(change),
  );

/** A whole number may be written with an exponent or with the decimals of none, whose digits are not its own. */
const digits = always((text) => {
  if (!hasExponent(text)) return text.replace(NO_DECIMALS, '').replace(NOT_DIGITS, '');
  const whole = wholeNumber(text.trim());
  return whole === null || whole === text.trim() ? LOST_DIGITS : whole.replace(NOT_DIGITS, '');
});
const NO_DECIMALS = /(?<=^\s*[1-9]\d*)[.,](?:0|(?<=\d{5}.)00)\s*$/;

/** A letter after the beginning or after something that is neither letter nor mark; an apostrophe begins no word. */
const WORD_START = /(?<![\p{L}\p{M}\p{N}'’])\p{L}/gu;

const title = always((text) =>
  lowerCase(text).replace(WORD_START, (letter) => letter.toUpperCase()),
);

const lower = always(lowerCase);

const upper = always(upperCase);

/** What `collapse` changes: to ask first takes a quarter of the time of replacing spaces by spaces. */
const NOT_COLLAPSED = /\s\s|[^\S ]/u;

const BLANKS = /\s+/gu;

const collapse = always((text) => {
  const trimmed = text.trim();
  return NOT_COLLAPSED.test(trimmed) ? trimmed.replace(BLANKS, ' ') : trimmed;
});

const trim = always((text) => text.trim());

const options = z
  .strictObject({
    pattern: someText.optional(),
    text: someText.optional(),
    with: z.string().default(''),
  })
  .refine(
    ({ pattern, text }) => (pattern === undefined) !== (text === undefined),
    'give either "pattern" (a regular expression) or "text" (plain text).',
  );

const replace = transform(options, ({ pattern, text, with: put }, path, context) => {
  if (text !== undefined) return onText((value) => value.replaceAll(text, () => put));
  const expression = compilePattern(pattern ?? '', [...path, 'pattern'], context, put);
  for (const [reference, number] of put.matchAll(/\$(\d+)/g)) {
    if (Number(number) > expression.groups) {
      context.mistake(
        [...path, 'with'],
        `${reference} names a group that the pattern does not have.`,
      );
    }
  }
  return onText(expression.replaceAll);
});

const lookupOptions = z.strictObject({
  file: filled,
  key: filled,
  value: filled,
});

/** Replaces a value by what a table says of it. A value that is not in the table is unknown, as with `map`. */
const lookup = transform(lookupOptions, (lookupOptions, path, context) => {
  const { file, key, value } = lookupOptions;
  const table = context.table(file);
  const found =
    table && isLarge(table)
      ? table.entries({ key, value })
      : entriesOf(table, lookupOptions, path, context);
  if ('conflict' in found) {
    context.mistake(
      path,
      `row ${found.conflict} of ${file} says something else for a key that stands further up.`,
      'Keep one row for each key.',
    );
    return (text) => text;
  }
  const entries: LookupEntries = found;
  const wrong = new InvalidValue(
    'not_in_table',
    `This value is not in column "${key}" of ${file}, so there is no "${value}" for it.`,
    true,
  );
  return onText((text) => entries.get(text.trim()) ?? wrong);
});

/** Words that mean yes and no where the mapping names none. */
const YES = ['true', 'yes', 'y', '1', 'да'];
const NO = ['false', 'no', 'n', '0', 'нет'];

const boolean = bareTransform(
  z.strictObject({
    true: z.array(scalar).min(1).optional(),
    false: z.array(scalar).min(1).optional(),
  }),
  () => ({}),
  (words, path, context) => {
    const read = booleanReader(words.true, words.false, (word) => {
      context.mistake(path, `"${word}" means both true and false.`);
    });
    return onText((text) => {
      const value = read(text);
      return typeof value === 'boolean' ? String(value) : value;
    });
  },
);

/** Reads yes and no in words. `both` hears of a word that means both. */
export function booleanReader(
  written: readonly Scalar[] = YES,
  denying: readonly Scalar[] = NO,
  both: (word: string) => void = () => undefined,
): (text: string) => boolean | InvalidValue {
  const [yes, no] = [wordsOf(written), wordsOf(denying)];
  for (const word of no) if (yes.has(word)) both(word);
  const wrong = new InvalidValue(
    'not_a_boolean',
    `This is neither yes nor no. Write ${[...yes].join(', ')} or ${[...no].join(', ')}.`,
  );
  return (text) => {
    const word = lowerCase(text.trim());
    return yes.has(word) || (no.has(word) ? false : wrong);
  };
}

/** Takes the place of a value that is missing or that the map or table before it does not know; never of a wrong one. */
export const byDefault = transform(scalar, (constant) => {
  const text = String(constant) || null;
  return (value) =>
    value === null || (value instanceof InvalidValue && value.unmapped) ? text : value;
});

/** Longest list of values that a message still spells out. */
const SHOWN = 12;

const mapOptions = z
  .record(z.string(), scalar)
  .refine((map) => Object.keys(map).length > 0, 'it must hold at least one pair.');

/**
 * Replaces a value by what the map says. A value that is one of the results already stays, so that a column may hold
 * both. Any other value is unknown: the default takes its place, or the row is rejected.
 */
export const map = transform(mapOptions, (pairs) => {
  const results = new Map(
    Object.entries(pairs).map(([key, result]) => [comparedWord(key), String(result)]),
  );
  for (const result of [...results.values()]) {
    if (!results.has(result)) results.set(result, result);
  }
  const known = Object.keys(pairs).slice(0, SHOWN);
  const wrong = new InvalidValue(
    'not_in_map',
    `The mapping does not know this value. It knows: ${known.join(', ')}${
      Object.keys(pairs).length > SHOWN ? ', …' : ''
    }.`,
    true,
  );
  return onText((text) => results.get(text.trim()) ?? wrong);
});

const template = transform(filled, (text, path, context) => {
  const pieces = templatePieces(text, path, context, true);
  return onText((value, cells) => fill(pieces, cells, value));
});

/** Keeps one part of the text; no value when there are fewer parts. */
const split = transform(someText, (separator, _path, _context, { part = 1 }) =>
  onText((text) => partOf(text, separator, part)),
);

/** Every transform, by the name that a mapping gives it. The schema of mappings is made of it. */
const TRANSFORMS = {
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

/** A step as a mapping writes it, whose options the schema has checked. */
type WrittenStep =
  | BareName
  | ({ readonly [Name in TransformName]?: unknown } & { readonly part?: number | undefined });

/** Compiles the steps that a mapping writes below `transform`, in order; `null` when there is none. */
export function compileTransforms(
  written: WrittenStep | readonly WrittenStep[] | undefined,
  path: Path,
  context: TransformContext,
): Step | null {
  if (written === undefined) return null;
  if (!isList(written)) return compileStep(written, path, context);
  return inOrder(written.map((step, index) => compileStep(step, [...path, index], context)));
}

const isList = (written: WrittenStep | readonly WrittenStep[]): written is readonly WrittenStep[] =>
  Array.isArray(written);

function compileStep(step: WrittenStep, path: Path, context: TransformContext): Step {
  const isName = typeof step === 'string';
  const name = isName ? step : TRANSFORM_NAMES.find((one) => step[one] !== undefined);
  if (name === undefined) throw new Error('a transform that was checked has a name');
  // The types of a table cannot say that the options are those of the name.
  const compile = TRANSFORMS[name].compile as Compile<unknown>;
  return isName
    ? compile(TRANSFORMS[step].bare(), path, context, {})
    : compile(step[name], [...path, name], context, step);
}

/** The schemas of all options, by the name of their transform. */
export const transformOptions = Object.fromEntries(
  TRANSFORM_NAMES.map((name) => [name, TRANSFORMS[name].options]),
) as { readonly [Name in TransformName]: Transforms[Name]['options'] };

function entriesOf(
  table: Rows | undefined,
  { file, key, value }: z.output<typeof lookupOptions>,
  path: Path,
  context: TransformContext,
): ReturnType<LargeTable['entries']> {
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
    if (entries.has(name) && entries.get(name) !== result) return { conflict: index + 1 };
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

let loaded: Pick<typeof Library, 'RE2JS' | 'RE2JSException'> | undefined;

/**
 * A regular expression whose time is linear in the text, whatever the pattern; notes a mistake when it is wrong, and matches
 * nothing then.
 * @param put what takes the place of each match; `$1` is what is in the first brackets
 */
export function compilePattern(
  pattern: string,
  path: Path,
  context: Pick<TransformContext, 'mistake'>,
  put = '',
) {
  const plain = /[$\\]/.test(put) ? null : plainPattern(pattern);
  if (plain !== null) {
    const all = new RegExp(plain, 'gu');
    return {
      test: (text: string) => plain.test(text),
      replaceAll: (text: string) => text.replace(all, () => put),
      /** The number of brackets that `put` may name. */
      groups: 0,
    };
  }
  // Loaded for the first pattern that needs it: its tables are large.
  loaded ??= createRequire(import.meta.url)('re2js') as typeof Library;
  const { RE2JS, RE2JSException } = loaded;
  try {
    const expression = RE2JS.compile(pattern);
    const test = (text: string): boolean => expression.test(text);
    return {
      test,
      replaceAll: (text: string) => (test(text) ? expression.matcher(text).replaceAll(put) : text),
      groups: expression.groupCount(),
    };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const reason = error.message.replace(/^error parsing regexp: /, '');
    context.mistake(
      path,
      `this regular expression cannot be used: ${reason}.`,
      'The syntax is that of RE2: without look-around and back-references.',
    );
    return { test: () => false, replaceAll: (text: string) => text, groups: Infinity };
  }
}

const SIGNS = '$()*+./?[\\\\\\]^{|}';
const IN_CLASS = `0-9|a-z|A-Z|а-я|А-Я|[^\\\\\\][^-]|\\\\[-dD${SIGNS}]`;
const ATOM = `(?:[^\\\\^$.|?*+()[\\]{}]|\\\\[dD${SIGNS}]|\\[\\^?(?:${IN_CLASS})+\\])`;
const CHOICE = `${ATOM}+`;
const PARTS = `(?:${ATOM}\\??|\\(${CHOICE}(?:\\|${CHOICE})*\\)\\??)*`;
const REPEATED = `${ATOM}[+*]`;
const PLAIN = RegExp(`^(?:\\^${PARTS}(?:${REPEATED})?\\$?|${PARTS}(?:${REPEATED}|\\$)?)$`, 'u');
/** Each optional part, and each alternative, may double the time. */
const CHOICES = 4;

/**
 * A pattern that the language's own engine reads as RE2 does, in a twentieth of the time and linear too: nothing in it is
 * repeated but at its end, or optional within what is optional, and choices are few. `null` for all others.
 */
function plainPattern(pattern: string): RegExp | null {
  if (!PLAIN.test(pattern) || pattern.split(/[?|]/).length > CHOICES + 1) return null;
  return new RegExp(pattern, 'u');
}

/** A piece of a template: plain text, the position of a column, or the value so far. */
type TemplatePiece = string | number | typeof SO_FAR;
const SO_FAR = Symbol('value so far');

/**
 * Takes a template apart: `{Column}` is a cell, `{{` and `}}` are plain brackets, and `{value}` is the value so far
 * where there is one (`soFar`).
 */
export function templatePieces(
  template: string,
  path: Path,
  context: TransformContext,
  soFar: boolean,
): TemplatePiece[] {
  const pieces: TemplatePiece[] = [];
  for (const [token, name] of template.matchAll(/\{\{|\}\}|\{([^{}]*)\}|[^{}]+|[{}]/g)) {
    if (name !== undefined) {
      pieces.push(soFar && name.trim() === 'value' ? SO_FAR : context.column(name, path));
    } else if (token === '{' || token === '}') {
      context.mistake(
        path,
        `a "${token}" stands alone in the template.`,
        `Write "${token}${token}".`,
      );
    } else {
      pieces.push(token === '{{' || token === '}}' ? token.charAt(0) : token);
    }
  }
  return pieces;
}

/** The text of a template for one row. Empty cells leave nothing behind. */
export function fill(
  pieces: readonly TemplatePiece[],
  cells: readonly Cell[],
  value: string,
): string {
  let text = '';
  for (const piece of pieces) {
    if (typeof piece === 'string') text += piece;
    else text += (piece === SO_FAR ? value : cells[piece]) ?? '';
  }
  return text;
}

/** Part number `part`, from 1, without white space at its ends; `null` when there is none. */
export function partOf(text: string, separator: string, part: number): string | null {
  return text.split(separator)[part - 1]?.trim() ?? null;
}

function wordsOf(words: readonly Scalar[]): Set<string> {
  return new Set(words.map((word) => lowerCase(comparedWord(word))));
}

/** Names in a template that may be columns. */
export function columnsInTemplate(template: string): string[] {
  return [...template.matchAll(/\{\{|\}\}|\{([^{}]*)\}/g)].flatMap(([, name]) =>
    name === undefined ? [] : [name],
  );
}
