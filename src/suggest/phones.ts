import type { CountryCode } from 'libphonenumber-js/core';
import { hasForm, isCountry, parsePhone, planOf } from '../mapping/transforms/phone/library.js';
import { phoneReader, type PhoneReader } from '../mapping/transforms/phone/phone.js';
import { plainSigns } from '../mapping/transforms/phone/read-phone.js';
import { isDate } from './contents.js';

/** What is between several numbers in one cell. A slash stands within one as well, with blanks around it less so. */
const SEPARATORS = [';', ',', ' / ', '/', '|'] as const;

const readers = new Map<string, PhoneReader>();

function readerOf(country: string | undefined): PhoneReader {
  const key = country ?? '';
  const known = readers.get(key);
  if (known) return known;
  const reader = phoneReader(country !== undefined && isCountry(country) ? country : undefined);
  readers.set(key, reader);
  return reader;
}

/** Whether a cell is a number that exists, read as somebody in the country would write it. */
export function isPhone(text: string, country: string | undefined): boolean {
  return readerOf(country)(text) !== null;
}

/**
 * Whether a cell is written as numbers of its country are, whether somebody has it or not: a column of numbers that are
 * mistyped, made up or out of use is a column of phones too.
 */
export function mayBePhone(text: string, country: string | undefined): boolean {
  return likelyNumber(text, country) !== null;
}

/** The number that a cell holds, or at least seems to hold; `null` where it holds none. */
function likelyNumber(text: string, country: string | undefined): string | null {
  const known = readerOf(country)(text);
  if (known !== null) return known;
  if (!SIGNS.test(text) || isDate(text)) return null;
  const code = country !== undefined && isCountry(country) ? country : undefined;
  const number = parsePhone(text, code);
  return number && hasForm(number) ? number.number : null;
}

/** Digits with what stands between those of a phone; points and slashes are those of other things as well. */
const SIGNS = /^(?:[\d\s()-]{6,}|(?:[+(]|0(?!\.))[\d\s()./-]{6,})$/;

/** The sign between several phones in one cell; `null` where cells hold one each, or the sign is within some as well. */
export function phoneSeparator(values: ReadonlyMap<string, number>): string | null {
  const cells = [...values.keys()];
  const isBetween = (separator: string): boolean =>
    cells.some((text) => holdsMore(text, separator));
  return (
    SEPARATORS.find(
      (separator) =>
        isBetween(separator) &&
        (!separator.includes('/') ||
          cells.every((text) => !text.includes(separator) || holdsMore(text, separator))),
    ) ?? null
  );
}

/** Whether every part of a cell between these signs has as many digits as a phone. */
function holdsMore(text: string, separator: string): boolean {
  const parts = text.split(separator).map((part) => part.replace(/\D/g, ''));
  return parts.length > 1 && parts.every((part) => part.length >= 7);
}

/** A number that is written for calls from abroad, with a plus; `null` for others. */
export function writtenAbroad(text: string): string | null {
  const plain = plainSigns(text).replace(/^[([]+/, '');
  if (plain.startsWith('+')) return plain;
  const zeros = plain.replace(ZEROS, '+');
  return zeros !== plain && countryOfPhone(zeros) !== null ? zeros : null;
}

/** How a call abroad begins in most countries. */
const ZEROS = /^00[\s)\]]*(?=[1-9])/;

/** The country of a number with a plus; `null` where there is none. */
export function countryOfPhone(number: string): CountryCode | null {
  const found = parsePhone(number, undefined);
  return found !== undefined && hasForm(found) ? (found.country ?? null) : null;
}

/** Numbers of a country of which about every second is a mobile one begin like this; elsewhere it does not show. */
const MOBILE: Readonly<Record<string, RegExp>> = {
  ...{
    RU: /^\+79/,
    KZ: /^\+77/,
    UA: /^\+380(?:39|50|6[3678]|7[37]|9[1-9])/,
    BY: /^\+375(?:25|29|33|44)/,
  },
  ...{
    DE: /^\+491[567]/,
    AT: /^\+436/,
    CH: /^\+417[4-9]/,
    FR: /^\+33[67]/,
    ES: /^\+34[67]/,
    IT: /^\+393/,
  },
  ...{
    PT: /^\+3519/,
    PL: /^\+48(?:4[5]|5[0137]|6[069]|7[2389]|88)/,
    TR: /^\+905/,
    GB: /^\+447/,
    IE: /^\+3538/,
  },
  ...{
    BR: /^\+55\d{2}9/,
    IL: /^\+9725/,
    SA: /^\+9665/,
    AE: /^\+9715/,
    CN: /^\+861[3-9]/,
    JP: /^\+81[789]0/,
  },
  ...{ VN: /^\+84[35789]/, IN: /^\+91[6-9]/, AU: /^\+614/, NL: /^\+316/, BE: /^\+324/ },
};

/** Whether most numbers are mobile ones; `null` where the numbers of their country do not show it. */
export function areMobile(
  values: ReadonlyMap<string, number>,
  country: string | undefined,
): boolean | null {
  let known = 0;
  let mobile = 0;
  for (const text of values.keys()) {
    const number = likelyNumber(text, country);
    const pattern =
      number === null
        ? undefined
        : Object.entries(MOBILE).find(([code]) => number.startsWith(callingCodeOf(code)));
    if (number === null || !pattern) continue;
    known++;
    if (pattern[1].test(number)) mobile++;
  }
  return known === 0 ? null : mobile >= known / 2;
}

const codes = new Map<string, string>();

/** With a plus. */
export function callingCodeOf(country: string): string {
  const known = codes.get(country);
  if (known !== undefined) return known;
  const code = isCountry(country) ? `+${planOf(country)?.callingCode ?? ''}` : '!';
  codes.set(country, code);
  return code;
}
