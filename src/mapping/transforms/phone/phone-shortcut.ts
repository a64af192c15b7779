import type { CountryCode, MetadataJson } from 'libphonenumber-js/core';
import { ownCode } from './own-code.js';

/**
 * The commonest shapes of phone numbers, checked by the library's own metadata with one or two regular expressions, since
 * the library itself takes several microseconds a number. It answers only where it is sure to answer the same, and
 * says `null` otherwise: then the library is asked. A test compares the two over every country.
 */
export type PhoneShortcut = (text: string) => string | null;

/** Positions in the library's minified numbering plan (its `NumberingPlan` class). */
const CALLING_CODE = 0;
const IDD_PREFIX = 1;
const NUMBER_PATTERN = 2;
const LENGTHS = 3;
const NATIONAL_PREFIX = 5;
const PREFIX_FOR_PARSING = 7;
const LEADING_DIGITS = 10;
const TYPES = 11;

type Plan = readonly unknown[];

/** Signs between digits that mean nothing; whatever else a text holds is left to the library. */
const PUNCTUATION: ReadonlySet<number> = new Set(
  [' ', '(', ')', '.', '-', '\u00a0'].map((sign) => sign.charCodeAt(0)),
);
const [PLUS, ZERO, NINE] = [0x2b, 0x30, 0x39];
const LONGEST = 40;
/** Digits that a number may have. */
const DIGITS = { fewest: 5, max: 17 } as const;

/** The shortcut for numbers of a country, or `null` when its numbering plan is too uncommon for one. */
export function phoneShortcut(country: CountryCode, metadata: MetadataJson): PhoneShortcut | null {
  const plan = planOf(country, metadata);
  const rules = plan && rulesOf(plan, metadata, ownCode(country, metadata) !== null);
  if (!rules) return null;
  const { international } = rules;
  return (text) => {
    const compact = text.length > LONGEST ? null : compactOf(text);
    if (compact === null) return null;
    if (compact.startsWith('+')) {
      if (!compact.startsWith(international)) return null;
      const rest = compact.slice(international.length);
      return isAsLong(rest) && rules.bare.test(rest) ? compact : null;
    }
    const national = isAsLong(compact) ? nationalNumber(compact, rules) : null;
    return national === null ? null : international + national;
  };
}

/** Digits, maybe with a plus before them, without the punctuation; `null` where there is anything else. */
function compactOf(text: string): string | null {
  let compact = '';
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= ZERO && code <= NINE) continue;
    if (code === PLUS && compact === '' && at === from) continue;
    if (!PUNCTUATION.has(code)) return null;
    if (at > from) compact += text.slice(from, at);
    from = at + 1;
  }
  return from < text.length ? compact + text.slice(from) : compact;
}

function isAsLong({ length }: string): boolean {
  return length >= DIGITS.fewest && length <= DIGITS.max;
}

interface Rules {
  /** `+` and the calling code. */
  readonly international: string;
  readonly callingCode: string;
  /** Whether digits that begin with the calling code can be two numbers. */
  readonly isTwoNumbers: boolean;
  /** Digits before a national number, where they are plain digits. */
  readonly prefix: string | null;
  /** Begins like a call abroad. */
  readonly abroad: RegExp;
  /** Begins with what may be a national prefix. */
  readonly prefixed: RegExp;
  /** May be a national number, checked without the types. */
  readonly pattern: RegExp;
  /** A valid national number. */
  readonly valid: RegExp;
  /** A valid national number from which nothing would be cut off. */
  readonly bare: RegExp;
}

/** The national number in the digits that someone in the country would write; `null` when that is not sure. */
function nationalNumber(digits: string, rules: Rules): string | null {
  if (rules.abroad.test(digits)) return null;
  if (rules.prefix !== null && digits.startsWith(rules.prefix)) {
    const rest = digits.slice(rules.prefix.length);
    if (rules.valid.test(rest)) return rest;
  }
  if (rules.prefixed.test(digits)) return null;
  const hasOwnCode = digits.startsWith(rules.callingCode);
  if (rules.bare.test(digits)) return hasOwnCode && rules.isTwoNumbers ? null : digits;
  if (!hasOwnCode || rules.pattern.test(digits)) return null;
  const rest = digits.slice(rules.callingCode.length);
  return rules.bare.test(rest) ? rest : null;
}

function rulesOf(plan: Plan, metadata: MetadataJson, isTwoNumbers: boolean): Rules | null {
  const callingCode = textAt(plan, CALLING_CODE);
  const abroad = textAt(plan, IDD_PREFIX);
  const pattern = textAt(plan, NUMBER_PATTERN);
  if (callingCode === null || abroad === null || pattern === null) return null;
  const family = familyOf(callingCode, metadata);
  if (family.length > 1 && !isReported(plan)) return null;
  const valid = belongsTo(plan, family) + validNumber(plan, pattern);
  const own = prefixOf(plan);
  const prefixes = [own, ...family.slice(0, 1).map(prefixOf)];
  return {
    international: `+${callingCode}`,
    callingCode,
    isTwoNumbers,
    prefix: own !== null && /^\d+$/.test(own) ? own : null,
    abroad: new RegExp(`^(?:${abroad})`),
    prefixed: own === null ? NEVER : new RegExp(`^(?:${own})`),
    pattern: new RegExp(`^(?:${pattern})$`),
    valid: new RegExp(`^${valid}`),
    bare: new RegExp(`^${notBeginning(prefixes)}${valid}`),
  };
}

const NEVER = /(?!)/;

/** Whether the library can distinguish numbers of this country from those of others with the same calling code. */
function isReported(plan: Plan): boolean {
  return textAt(plan, LEADING_DIGITS) !== null || typesOf(plan).length > 0;
}

/**
 * Look-aheads for the country being the one that the library finds. It asks the countries of a calling code in order:
 * one with leading digits takes every number that begins with them, valid or not; one without takes what is valid.
 */
function belongsTo(plan: Plan, family: readonly Plan[]): string {
  const before = family
    .slice(0, family.indexOf(plan))
    .map((other) => textAt(other, LEADING_DIGITS));
  const own = family.length > 1 ? textAt(plan, LEADING_DIGITS) : null;
  return notBeginning(before) + (own === null ? '' : `(?=${own})`);
}

/** Numbering plans of the countries that share a calling code, the leading one first. */
function familyOf(callingCode: string, metadata: MetadataJson): Plan[] {
  const countries = metadata.country_calling_codes[callingCode] ?? [];
  return countries.map((country) => planOf(country, metadata)).filter((plan) => plan !== null);
}

function planOf(country: CountryCode, metadata: MetadataJson): Plan | null {
  return metadata.countries[country] ?? null;
}

/** What the library strips from the front of a national number. */
function prefixOf(plan: Plan): string | null {
  return textAt(plan, PREFIX_FOR_PARSING) ?? textAt(plan, NATIONAL_PREFIX);
}

/** A look-ahead at the whole text for the pattern, the lengths, and one of the types where the plan has them. */
function validNumber(plan: Plan, pattern: string): string {
  const types = typesOf(plan);
  const lengths = lengthsOf(plan[LENGTHS]);
  const ofType = types.length === 0 ? '' : `(?:${types.join('|')})`;
  return `(?=(?:${pattern})$)${lengths}${ofType}`;
}

function typesOf(plan: Plan): string[] {
  return listOf(plan[TYPES]).flatMap((type) => {
    const [pattern, lengths] = listOf(type);
    return typeof pattern === 'string' && pattern !== ''
      ? [`(?:${lengthsOf(lengths)}(?:${pattern})$)`]
      : [];
  });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function lengthsOf(lengths: unknown): string {
  const each = listOf(lengths).map((length) => `\\d{${String(length)}}`);
  return each.length === 0 ? '' : `(?=(?:${each.join('|')})$)`;
}

function notBeginning(prefixes: readonly (string | null)[]): string {
  const given = [...new Set(prefixes.filter((prefix) => prefix !== null))];
  return given.length === 0 ? '' : `(?!${given.map((prefix) => `(?:${prefix})`).join('|')})`;
}

function textAt(plan: Plan, position: number): string | null {
  const text = plan[position];
  return typeof text === 'string' && text !== '' ? text : null;
}
