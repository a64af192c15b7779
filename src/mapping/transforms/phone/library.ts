import { createRequire } from 'node:module';
import {
  parsePhoneNumberFromString,
  type CountryCode,
  type Examples,
  type MetadataJson,
  type PhoneNumber,
} from 'libphonenumber-js/core';

/*
 * What libphonenumber-js brings. Its tables are loaded when they are needed for the first time: a command that reads no
 * phones pays for none of them.
 */

const load = createRequire(import.meta.url);

let metadata: MetadataJson | undefined;
let examples: Examples | undefined;

/** The numbering plans of all countries with the ranges of every kind of number: what is in none of them is no number. */
export function phoneMetadata(): MetadataJson {
  return (metadata ??= load('libphonenumber-js/max/metadata') as MetadataJson);
}

/** A number with its country by the numbering plans; `undefined` for what cannot be one. */
export function parsePhone(
  text: string,
  country: CountryCode | undefined,
): PhoneNumber | undefined {
  const options = country === undefined ? {} : { defaultCountry: country };
  return parsePhoneNumberFromString(text, options, phoneMetadata());
}

/** A mobile number of each country. */
export function examplePhones(): Examples {
  return (examples ??= load('libphonenumber-js/mobile/examples') as Examples);
}

/** @param code two capital letters */
export function isCountry(code: string): code is CountryCode {
  return Object.hasOwn(phoneMetadata().countries, code);
}

/** Positions in the library's minified numbering plan (its `NumberingPlan` class). */
const AT = {
  callingCode: 0,
  iddPrefix: 1,
  pattern: 2,
  lengths: 3,
  nationalPrefix: 5,
  prefixForParsing: 7,
  leadingDigits: 10,
  types: 11,
} as const;
/** Position of the mobile numbers among the types. */
const MOBILE = 1;

/** The numbering plan of a country, with regular expressions as texts; what it lacks is `null` or empty. */
export interface NumberingPlan {
  readonly country: CountryCode;
  readonly callingCode: string;
  readonly iddPrefix: string | null;
  /** What any number of the country looks like, whether anybody has it or not. */
  readonly pattern: string;
  /** Digits that a number may have. */
  readonly lengths: readonly number[];
  /** What is dialled before a number within the country, such as 0. */
  readonly nationalPrefix: string | null;
  /** What the library takes off the front of a national number. */
  readonly parsedPrefix: string | null;
  readonly leadingDigits: string | null;
  /** The kinds of numbers, each with its own lengths where it has some. */
  readonly types: readonly { readonly pattern: string; readonly lengths: readonly number[] }[];
  readonly mobile: string | null;
}

export function planOf(country: CountryCode): NumberingPlan | null {
  const plan: readonly unknown[] | undefined = phoneMetadata().countries[country];
  if (plan === undefined) return null;
  const textAt = (position: number): string | null => textOf(plan[position]);
  const [callingCode, pattern] = [textAt(AT.callingCode), textAt(AT.pattern)];
  if (callingCode === null || pattern === null) return null;
  const nationalPrefix = textAt(AT.nationalPrefix);
  const types = listOf(plan[AT.types]).map((type) => {
    const [typePattern, lengths] = listOf(type);
    return { pattern: textOf(typePattern) ?? '', lengths: numbersOf(lengths) };
  });
  return {
    country,
    callingCode,
    iddPrefix: textAt(AT.iddPrefix),
    pattern,
    lengths: numbersOf(plan[AT.lengths]),
    nationalPrefix,
    parsedPrefix: textAt(AT.prefixForParsing) ?? nationalPrefix,
    leadingDigits: textAt(AT.leadingDigits),
    types: types.filter((type) => type.pattern !== ''),
    mobile: textOf(types[MOBILE]?.pattern),
  };
}

/** Numbering plans of the countries that share a calling code, the leading one first. */
export function plansOf(callingCode: string): NumberingPlan[] {
  const countries = phoneMetadata().country_calling_codes[callingCode] ?? [];
  return countries.map(planOf).filter((plan) => plan !== null);
}

const forms = new Map<string, readonly RegExp[]>();

/** Whether a plan of its calling code has numbers of this form. */
export function hasForm(number: PhoneNumber): boolean {
  const { countryCallingCode: code, nationalNumber } = number;
  const known = forms.get(code) ?? plansOf(code).map(({ pattern }) => RegExp(`^(?:${pattern})$`));
  forms.set(code, known);
  return known.some((form) => form.test(nationalNumber));
}

/** Digits that a number may have. */
const MAX_DIGITS = 17;

/**
 * Tests whether digits surely are a number by the plan, of the right length and of one of its kinds: with one expression for
 * each length, which takes half the time of one for all.
 * @param before look-aheads for what else has to hold. @default none
 */
export function validFor(plan: NumberingPlan, before = ''): (digits: string) => boolean {
  const tests = Array.from({ length: MAX_DIGITS + 1 }, (_, digits) => {
    const valid = validNumber(plan, digits);
    return valid === null ? null : new RegExp(`^${before}${valid}`);
  });
  return (digits) => tests[digits.length]?.test(digits) ?? false;
}

/** What numbers of so many digits look like, as a regular expression; `null` where there are none. */
function validNumber({ pattern, lengths, types, mobile }: NumberingPlan, digits: number) {
  const isLong = (of: readonly number[]): boolean => of.length === 0 || of.includes(digits);
  const known = types.filter((type) => isLong(type.lengths));
  if (!isLong(lengths) || (types.length > 0 && known.length === 0)) return null;
  // Most numbers of lists are mobile ones, and the first of these that fits ends the search.
  const mobileFirst = known.sort(
    (one, other) => Number(other.pattern === mobile) - Number(one.pattern === mobile),
  );
  const kinds = mobileFirst.map((type) => `(?:${type.pattern})$`).join('|');
  return `(?=(?:${pattern})$)(?:${kinds})`;
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const numbersOf = (value: unknown): number[] =>
  listOf(value).filter((each) => typeof each === 'number');
