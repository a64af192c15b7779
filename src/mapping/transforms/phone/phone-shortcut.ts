import type { CountryCode } from 'libphonenumber-js/core';
import { planOf, plansOf, validFor, type NumberingPlan } from './library.js';
import { ownCode } from './own-code.js';

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

interface Signs {
  readonly dots: number;
  readonly hyphens: number;
  /** Where the last of them is. */
  readonly last: number;
}

function maySayElse(
  text: string,
  digits: string,
  { dots, hyphens, last }: Signs,
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

interface Rules {
  /** `+` and the calling code. */
  readonly international: string;
  readonly callingCode: string;
  /** Whether numbers have many lengths, so that digits of a second one may be taken for those of the first. */
  readonly isVarying: boolean;
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
  /** Whether digits are a valid national number. */
  readonly isValid: (digits: string) => boolean;
  /** Whether they are, and nothing would be cut off from them. */
  readonly isBare: (digits: string) => boolean;
  readonly mobile: RegExp;
}

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

function rulesOf(plan: NumberingPlan, isTwoNumbers: boolean): Rules | null {
  const { callingCode, iddPrefix, pattern, parsedPrefix } = plan;
  if (iddPrefix === null) return null;
  const family = plansOf(callingCode);
  const own = belongsTo(plan, family);
  const prefixes = [parsedPrefix, ...family.slice(0, 1).map((leading) => leading.parsedPrefix)];
  return {
    international: `+${callingCode}`,
    callingCode,
    isVarying: plan.lengths.length > 3,
    isTwoNumbers,
    prefix: parsedPrefix !== null && /^\d+$/.test(parsedPrefix) ? parsedPrefix : null,
    // Two zeros are dialled before numbers abroad in most countries, and written so in all.
    abroad: new RegExp(`^(?:00|${iddPrefix})`),
    prefixed: parsedPrefix === null ? NEVER : new RegExp(`^(?:${parsedPrefix})`),
    pattern: new RegExp(`^(?:${pattern})$`),
    isValid: validFor(plan, own),
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
