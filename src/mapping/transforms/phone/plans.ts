import { createRequire } from 'node:module';
import {
  parsePhoneNumberFromString,
  type CountryCode,
  type Examples,
  type MetadataJson,
  type PhoneNumber,
  type PhoneNumberType,
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

/** With regular expressions as texts; what a plan lacks is `null` or empty. */
export type NumberingPlan = NonNullable<ReturnType<typeof planOf>>;

/** The numbering plan of a country. */
export function planOf(country: CountryCode) {
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
    /** What any number of the country looks like, whether anybody has it or not. */
    pattern,
    /** Digits that a number may have. */
    lengths: numbersOf(plan[AT.lengths]),
    /** What is dialled before a number within the country, such as 0. */
    nationalPrefix,
    /** What the library takes off the front of a national number. */
    parsedPrefix: textAt(AT.prefixForParsing) ?? nationalPrefix,
    leadingDigits: textAt(AT.leadingDigits),
    /** The kinds of numbers, each with its own lengths where it has some. */
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

interface OwnChoice {
  readonly number: string;
  /**
   * sure: nothing else is meant; either: the other number is about as likely; rewritten: the calling code was taken off,
   * although the plus or a zero behind it says something else.
   */
  readonly is: 'sure' | 'either' | 'rewritten';
}

/** Longer numbers without their calling code are rare wherever lengths vary. */
const USUAL_MAX = 11;
/** Fewer digits are hardly written with a calling code. */
const USUAL_MIN = 7;

/**
 * Digits that begin with the calling code of their own country can be two numbers where the lengths of a country vary:
 * `4915112345678` is +49 151 12345678, and 04915 112345678. The library always takes the second.
 * `null` for a country none of whose numbers can be another one with the calling code before it.
 */
export function ownCode(country: CountryCode) {
  const plan = planOf(country);
  if (plan === null || !hasTwoLengths(plan.lengths, plan.callingCode.length)) return null;
  const { callingCode: code, nationalPrefix } = plan;
  const doubled = `+${code}${code}`;
  const ofCountry = { country, code };
  return {
    /** What `written` most likely is, when the library made `number` of its digits. */
    choose: (written: string, number: string): OwnChoice => {
      if (!number.startsWith(doubled)) return { number, is: 'sure' };
      const digits = written.replace(/\D/g, '');
      const behind = number.slice(doubled.length);
      const other = `+${code}${behind}`;
      const unless = (isDoubled: boolean): OwnChoice =>
        isDoubled && choice(number, other, ofCountry) === 'international'
          ? { number: other, is: 'rewritten' }
          : { number, is: 'sure' };
      if (written.startsWith('+') || digits === number.slice(1))
        return unless(digits.startsWith(code + code));
      if (nationalPrefix !== null && digits.startsWith(nationalPrefix + code)) {
        // `049 151…`, of which a zero is missing; `0491 6050…` is an area code.
        const front = nationalPrefix.length + code.length;
        const isInGroups = /\d\D+\d/.test(written);
        const isLong = digits.length - nationalPrefix.length > USUAL_MAX;
        return unless(isInGroups ? setsOff(written, front) : isLong);
      }
      if (!digits.startsWith(code)) return { number, is: 'sure' };
      if (nationalPrefix !== null && behind.startsWith(nationalPrefix)) {
        const without = `+${code}${behind.slice(nationalPrefix.length)}`;
        if (kindOf(without) !== 'other') return { number: without, is: 'rewritten' };
      }
      const likelier = choice(number, other, ofCountry);
      return likelier === 'international'
        ? { number: other, is: 'sure' }
        : { number, is: likelier === 'either' ? 'either' : 'sure' };
    },
  };
}

/** Whether something stands behind so many of the first digits. */
const setsOff = (written: string, digits: number): boolean =>
  new RegExp(`^\\D*(?:\\d\\D*){${digits}}(?<=\\D)\\d`).test(written);

function hasTwoLengths(lengths: readonly number[], difference: number): boolean {
  const all = new Set(lengths);
  return lengths.some((length) => all.has(length + difference));
}

type Kind = 'mobile' | 'fixed' | 'other';

/** Which of two numbers is more likely, by their kinds and lengths. */
function choice(
  national: string,
  international: string,
  { country, code }: { readonly country: CountryCode; readonly code: string },
): 'national' | 'international' | 'either' {
  const [own, other] = [kindOf(national), kindOf(international)];
  if (other === 'other') return 'national';
  const digits = international.length - 1 - code.length;
  const usual = examplePhones()[country].length;
  if (other === 'mobile' && own !== 'mobile' && digits >= usual - 1) return 'international';
  if (digits < USUAL_MIN) return 'national';
  if (own === 'other' || national.length - 1 - code.length > USUAL_MAX) return 'international';
  return 'either';
}

const KINDS: Partial<Record<PhoneNumberType, Kind>> = {
  MOBILE: 'mobile',
  FIXED_LINE_OR_MOBILE: 'mobile',
  FIXED_LINE: 'fixed',
};

/** `other` also for what is no number. */
export function kindOf(number: string): Kind {
  const type = parsePhone(number, undefined)?.getType();
  return (type && KINDS[type]) ?? 'other';
}

/**
 * The commonest shapes of phone numbers, checked by the library's own numbering plans with one or two regular
 * expressions, since the library itself takes several microseconds a number. It answers only where it is sure of the
 * number, and says `null` otherwise: then the text is looked at closely. A test compares the two over every country.
 */
type PhoneShortcut = (text: string) => string | null;

/** The signs between digits that mean nothing; whatever else a text holds is looked at closely. */
const [PLUS, ZERO, NINE, DOT, HYPHEN] = [0x2b, 0x30, 0x39, 0x2e, 0x2d];
const [BLANK, OPEN, CLOSE, NO_BREAK] = [0x20, 0x28, 0x29, 0xa0];
const LONGEST = 40;
/** Digits that a number may have. */
const DIGITS = { fewest: 5, max: 17 } as const;
/** So many digits without a plus or a prefix may as well begin with the code of another country. */
export const LONG_WITHOUT_PREFIX = 11;
/** So few without one may as well lack their area code, where numbers have many lengths. */
export const LOCAL_DIGITS = 7;

/** The shortcut for numbers of a country, or `null` when its numbering plan is too uncommon for one. */
export function phoneShortcut(country: CountryCode): PhoneShortcut | null {
  const plan = planOf(country);
  const rules = plan && rulesOf(plan, ownCode(country) !== null);
  if (!rules) return null;
  const { international } = rules;
  return (text) => {
    const compact = text.length > LONGEST ? null : compactOf(text, rules.isVarying);
    if (compact === null) return null;
    if (compact.charCodeAt(0) === PLUS) {
      if (!compact.startsWith(international)) return null;
      const rest = compact.slice(international.length);
      if (rules.isTwoNumbers && rest.startsWith(rules.callingCode)) return null;
      return isAsLong(rest) && rules.isBare(rest) ? compact : null;
    }
    const national = isAsLong(compact) ? nationalNumber(compact, rules) : null;
    return national === null ? null : international + national;
  };
}

/**
 * Digits, maybe with a plus before them, without the punctuation; `null` where there is anything else, and where the
 * points and hyphens may be those of a date, an amount or a network address, or put off a second number.
 * @param isVarying whether a number may as well have more digits
 */
function compactOf(text: string, isVarying: boolean): string | null {
  let compact = '';
  let from = 0;
  let [dots, hyphens, last, opened] = [0, 0, -1, -1];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= ZERO && code <= NINE) continue;
    if (code === PLUS && compact === '' && at === from) continue;
    if (code === DOT) dots++;
    else if (code === HYPHEN) hyphens++;
    else if (code !== BLANK && code !== OPEN && code !== CLOSE && code !== NO_BREAK) return null;
    if (code === DOT || code === HYPHEN) last = at;
    if (at > from) compact += text.slice(from, at);
    from = at + 1;
    // A zero behind one or two digits begins a number, and they are those of a list: `2. 030 123456`.
    if (compact.length < 3 && text.charCodeAt(from) === ZERO && isCount(compact)) return null;
    // Empty brackets: an area code is missing. At the end, digits in brackets may say something else.
    if (code === OPEN) opened = compact.length;
    else if (code === CLOSE && (opened < 0 || opened === compact.length || at === text.length - 1))
      return null;
  }
  const all = from < text.length ? compact + text.slice(from) : compact;
  return last >= 0 && maySayElse(text, all, { dots, hyphens, last }, isVarying) ? null : all;
}

const isCount = (digits: string): boolean =>
  digits !== '' && digits.charCodeAt(0) !== ZERO && digits.charCodeAt(0) !== PLUS;

function maySayElse(
  text: string,
  digits: string,
  { dots, hyphens, last }: Readonly<Record<'dots' | 'hyphens' | 'last', number>>,
  isVarying: boolean,
): boolean {
  if (text.charCodeAt(0) === HYPHEN) return true;
  const behind = text.length - 1 - last;
  if (behind <= 1 || (behind <= 3 && dots + hyphens === 1 && dots === 1)) return true;
  if (digits.length <= 8 && dots + hyphens === 2) return true;
  if (isVarying && hyphens > 1 && digits.length > 10) return true;
  const first = digits.charCodeAt(0);
  return dots > 1 && hyphens === 0 && first !== ZERO && first !== PLUS;
}

function isAsLong({ length }: string): boolean {
  return length >= DIGITS.fewest && length <= DIGITS.max;
}

type Rules = NonNullable<ReturnType<typeof rulesOf>>;

/** The national number in the digits that someone in the country would write; `null` when that is not sure. */
function nationalNumber(digits: string, rules: Rules): string | null {
  if (rules.abroad.test(digits)) return null;
  if (rules.prefix !== null && digits.startsWith(rules.prefix)) {
    const rest = digits.slice(rules.prefix.length);
    if (rules.isTwoNumbers && rest.startsWith(rules.callingCode)) return null;
    if (rules.isValid(rest)) return rest;
  }
  if (rules.prefixed.test(digits)) return null;
  const hasOwnCode = digits.startsWith(rules.callingCode);
  if (rules.isBare(digits)) {
    if (hasOwnCode && rules.isTwoNumbers) return null;
    if (digits.length <= LOCAL_DIGITS && rules.isVarying) return null;
    return digits.length < LONG_WITHOUT_PREFIX || rules.mobile.test(digits) ? digits : null;
  }
  if (!hasOwnCode || rules.pattern.test(digits)) return null;
  const rest = digits.slice(rules.callingCode.length);
  if (rules.isTwoNumbers && rest.startsWith(rules.callingCode)) return null;
  return rules.isBare(rest) ? rest : null;
}

function rulesOf(plan: NumberingPlan, isTwoNumbers: boolean) {
  const { callingCode, iddPrefix, pattern, parsedPrefix } = plan;
  if (iddPrefix === null) return null;
  const family = plansOf(callingCode);
  const own = belongsTo(plan, family);
  const prefixes = [parsedPrefix, ...family.slice(0, 1).map((leading) => leading.parsedPrefix)];
  return {
    international: `+${callingCode}`,
    callingCode,
    /** Whether numbers have many lengths, so that digits of a second one may be taken for those of the first. */
    isVarying: plan.lengths.length > 3,
    /** Whether digits that begin with the calling code can be two numbers. */
    isTwoNumbers,
    /** Digits before a national number, where they are plain digits. */
    prefix: parsedPrefix !== null && /^\d+$/.test(parsedPrefix) ? parsedPrefix : null,
    // Two zeros are dialled before numbers abroad in most countries, and written so in all.
    abroad: new RegExp(`^(?:00|${iddPrefix})`),
    prefixed: parsedPrefix === null ? NEVER : new RegExp(`^(?:${parsedPrefix})`),
    /** May be a national number, checked without the types. */
    pattern: new RegExp(`^(?:${pattern})$`),
    isValid: validFor(plan, own),
    /** Whether digits are a valid national number, and nothing would be cut off from them. */
    isBare: validFor(plan, notBeginning(prefixes) + own),
    mobile: plan.mobile === null ? NEVER : new RegExp(`^(?:${plan.mobile})$`),
  };
}

const NEVER = /(?!)/;

/**
 * Look-aheads for the country being the one that the library finds. It asks the countries of a calling code in order:
 * one with leading digits takes every number that begins with them, valid or not; one without takes what is valid.
 */
function belongsTo(plan: NumberingPlan, family: readonly NumberingPlan[]): string {
  const before = family
    .slice(
      0,
      family.findIndex(({ country }) => country === plan.country),
    )
    .map(({ leadingDigits }) => leadingDigits);
  const own = family.length > 1 ? plan.leadingDigits : null;
  return notBeginning(before) + (own === null ? '' : `(?=${own})`);
}

function notBeginning(prefixes: readonly (string | null)[]): string {
  const given = [...new Set(prefixes.filter((prefix) => prefix !== null))];
  return given.length === 0 ? '' : `(?!${given.map((prefix) => `(?:${prefix})`).join('|')})`;
}
