import type { Candidate } from '../choose/candidate.js';
import type { Concept } from '../words/concepts.js';
import type { Language } from '../words/language.js';
import type { Plain } from '../../config/yaml-text.js';

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
