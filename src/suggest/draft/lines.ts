import { type Plain, flow, quoted } from '../../config/yaml-text.js';
import type { Column, Candidate } from '../choose/columns.js';
import type { Concept, Language } from '../words.js';

/** Lines of YAML, indented by their depth. */
export class Lines {
  readonly #lines: string[] = [];

  add(depth: number, text: string, comment?: string): void {
    const line = '  '.repeat(depth) + text;
    this.#lines.push(comment === undefined ? line : `${line} # ${oneLine(comment)}`);
  }

  /** A line that a person takes the sign off to use it, or that only says something. */
  note(depth: number, text: string): void {
    this.#lines.push(`${'  '.repeat(depth)}# ${oneLine(text)}`);
  }

  blank(): void {
    if (this.#lines.at(-1) !== '') this.#lines.push('');
  }

  toString(): string {
    return `${this.#lines.join('\n').trimEnd()}\n`;
  }
}

/** Nothing of a file breaks out of a comment. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u0085\u2028\u2029]+/gu, ' ');
}

/** Longest line before a value is written over several. */
const WIDE = 110;

/** `key: value`, with a map of values one pair a line. */
export function pairLines(key: string, value: Plain): string[] {
  const short = `${quoted(key)}: ${flow(value)}`;
  if (
    typeof value !== 'object' ||
    !('map' in value) ||
    (short.length <= WIDE && !short.includes('map'))
  )
    return [short];
  return [`${quoted(key)}:`, ...keyLines(value).map((line) => `  ${line}`)];
}

/** An entry of a list. */
export function entryLines(value: Plain): string[] {
  if (typeof value !== 'object' || !('map' in value)) return [`- ${flow(value)}`];
  return keyLines(value).map((line, index) => (index === 0 ? `- ${line}` : `  ${line}`));
}

function keyLines(value: object): string[] {
  return Object.entries(value).flatMap(([key, inner]: [string, Plain]) =>
    key === 'map' && typeof inner === 'object'
      ? [
          'map:',
          ...Object.entries(inner).map(
            ([from, to]: [string, Plain]) => `  ${quoted(from)}: ${flow(to)}`,
          ),
        ]
      : [`${key}: ${flow(inner)}`],
  );
}

/** Placeholders that are codes as well: `NA` and `ND` are a country and a state. */
const CODES: ReadonlySet<string> = new Set(['na', 'nd']);
const SHORT = 3;

/** The key `blank` for the words that stand for nothing in these columns; those that a list has are values. */
export function blankOf(
  columns: readonly Column[],
  values: readonly string[] = [],
): Record<string, Plain> {
  const own = new Set(values.map((value) => value.toLowerCase()));
  const words = new Set(columns.flatMap(placeholdersOf));
  const blank = [...words].filter((word) => !own.has(word));
  return blank.length === 0 ? {} : { blank };
}

/** Words of errors, such as `#N/A`, are left to be rejected: what should stand there is not known. */
function placeholdersOf(column: Column): string[] {
  const { cells } = column;
  const holdsCodes = cells.shareOf((text) => text.length <= SHORT) > 0.5;
  const names = namesLikeNothing(column);
  return cells.placeholders
    .filter((text) => !names.includes(text))
    .map((text) => text.toLowerCase())
    .filter((word) => !word.startsWith('#') && !(holdsCodes && CODES.has(word)));
}

const NAMES: readonly Concept[] = ['firstName', 'middleName', 'lastName', 'fullName', 'name'];

/** Words of a column of names that stand for nothing elsewhere, and are names of people as well. */
export function namesLikeNothing({ meanings, cells }: Column): string[] {
  const [best] = meanings;
  if (!best || !NAMES.includes(best.concept)) return [];
  return cells.placeholders.filter((text) => /^(?:null|none|na|nil|nd)$/i.test(text));
}

/** A value of the mapping, with what a person should know of it. */
export interface DraftedValue {
  /** Keys beside the column: `transform`, `map`, … */
  readonly keys: Readonly<Record<string, Plain>>;
  /** Values of the column that the map lacks. */
  readonly unknown?: ReadonlyMap<string, number>;
  /** What only a person can decide. */
  readonly decision?: Decision;
  readonly note?: string;
  /** Cells that the transform rejects, and what they should be. */
  readonly odd?: { readonly count: number; readonly what: string };
}

/** Two ways to read a column, between which its cells do not decide. */
interface Decision {
  readonly sentence: string;
  readonly choices: readonly {
    readonly note: string;
    readonly keys: Readonly<Record<string, Plain>>;
  }[];
}

export const plainValue: DraftedValue = { keys: {} };

const FAMILY_FIRST: ReadonlySet<Language> = new Set<Language>(['ru', 'uk', 'kk', 'zh', 'ja', 'vi']);
const GIVEN: readonly Concept[] = ['firstName', 'middleName', 'lastName'];
const FAMILY: readonly Concept[] = ['lastName', 'middleName', 'firstName'];
const FAMILY_THEN_GIVEN: readonly Concept[] = ['lastName', 'firstName', 'middleName'];

const NEAR_TO_FAR: readonly Concept[] = [
  'address',
  'street',
  'house',
  'apartment',
  'district',
  'city',
  'region',
  'state',
  'postcode',
  'country',
];
const CODE_BEFORE_CITY: readonly Concept[] = [
  'address',
  'street',
  'house',
  'apartment',
  'district',
  'postcode',
  'city',
  'region',
  'state',
  'country',
];
const FAR_TO_NEAR: readonly Concept[] = [
  'postcode',
  'country',
  'region',
  'state',
  'city',
  'district',
  'address',
  'street',
  'house',
  'apartment',
];

const ADDRESS_ORDERS: Partial<Record<Language, readonly Concept[]>> = {
  ...{ ru: FAR_TO_NEAR, uk: FAR_TO_NEAR, kk: FAR_TO_NEAR, zh: FAR_TO_NEAR, ja: FAR_TO_NEAR },
  ...{
    de: CODE_BEFORE_CITY,
    fr: CODE_BEFORE_CITY,
    it: CODE_BEFORE_CITY,
    pl: CODE_BEFORE_CITY,
    es: CODE_BEFORE_CITY,
  },
  ...{ tr: CODE_BEFORE_CITY, he: CODE_BEFORE_CITY },
};

/** First and last name in the order of the language; the patronymic behind the first name. */
export function nameOrder(parts: readonly Candidate[], language: Language): Candidate[] {
  const order = !FAMILY_FIRST.has(language)
    ? GIVEN
    : language === 'vi'
      ? FAMILY
      : FAMILY_THEN_GIVEN;
  return inOrder(parts, order);
}

/** The parts of an address as letters are addressed where the language is spoken. */
export function addressOrder(parts: readonly Candidate[], language: Language): Candidate[] {
  return inOrder(parts, ADDRESS_ORDERS[language] ?? NEAR_TO_FAR);
}

function inOrder(parts: readonly Candidate[], order: readonly Concept[]): Candidate[] {
  const place = ({ part }: Candidate): number =>
    part === undefined ? order.length : order.indexOf(part);
  return parts.toSorted((a, b) => place(a) - place(b) || a.column.index - b.column.index);
}

/** One column, or several with a sign between them. */
export function joined(parts: readonly Candidate[], join: string): Record<string, Plain> {
  const names = parts.map(({ column }) => column.header);
  const [only = ''] = names;
  if (names.length === 1) return { column: only };
  return { columns: names, ...(join === ' ' ? {} : { join }) };
}
