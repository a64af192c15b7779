import { z } from 'zod';
import type { CountryCode } from 'libphonenumber-js/core';
import { bareTransform, InvalidValue, onText } from '../step.js';
import { isCountry, phoneShortcut, hasForm, parsePhone, phoneMetadata, planOf } from './plans.js';
import { textReader, type Note, type Refusal } from './read-phone.js';
import type { NumberReader } from '../../../lists/lists.js';

/** E.164 form of the text, with `;ext=` and the extension where there is one; `null` when it is no phone. */
type PhoneReader = (text: string) => string | null;

const options = z.strictObject({
  country: z.string().optional(),
  format: z.enum(['E164', 'digits']).default('E164'),
  extension: z.enum(['drop', 'keep']).default('drop'),
});

/**
 * Phone numbers by libphonenumber-js with its larger metadata: a number that is sent is one that the numbering plan of a
 * country knows. Whatever is done to a text beside taking it as it is written is said in a remark.
 */
export const phone = bareTransform(
  options,
  () => options.parse({}),
  ({ country, format, extension }, path, context) => {
    const code = country?.trim().toUpperCase();
    if (code !== undefined && !isCountry(code)) {
      context.mistake(
        [...path, 'country'],
        `"${country ?? ''}" is not a country.`,
        'Use two letters, such as RU.',
      );
      return onText((text) => text);
    }
    const fast = code === undefined ? null : phoneShortcut(code);
    const read = textReader(code);
    const refusals = refusalsOf(code);
    const elsewhere = new InvalidValue(
      'phone_elsewhere',
      `This is no number of ${code ?? ''}, but one of another country with the same country code. Check the digits.`,
    );
    const from = format === 'digits' ? 1 : 0;
    const { label } = context;
    return onText((text, _cells, remarks) => {
      const sure = fast === null ? null : fast(text);
      if (sure !== null) return sure.slice(from);
      const found = read(text);
      if (found.number === null) return refusals[found.refusal];
      for (const note of found.notes)
        remarks.remark(label, note === 'elsewhere' ? elsewhere : NOTES[note], text);
      if (found.extension === null) return found.number.slice(from);
      if (extension === 'keep') return found.number.slice(from) + EXTENSION + found.extension;
      remarks.remark(label, EXTENSION_DROPPED, found.extension);
      return found.number.slice(from);
    });
  },
);

/** What stands before an extension (RFC 3966). */
const EXTENSION = ';ext=';
const EXTENSION_DROPPED = new InvalidValue(
  'phone_extension',
  'The extension is left out: a dialler may not take it for a part of the number.',
);

const NOTES: Readonly<Record<Exclude<Note, 'elsewhere'>, InvalidValue>> = {
  either: new InvalidValue(
    'ambiguous_phone',
    'The digits begin with the country code of their own country, and can be two numbers. They were taken for a number ' +
      'without a country code. Write the number with "+".',
  ),
  local: new InvalidValue(
    'ambiguous_phone',
    'The digits are so few that their area code may be missing. They were taken for a number whose area code they begin with. ' +
      'Write it with its first zero or with "+".',
  ),
  words: new InvalidValue(
    'phone_words',
    'The words around the phone number are left out. Put them into a column of their own.',
  ),
  hours: new InvalidValue(
    'phone_words',
    'The words around the phone number are left out. They say on what days or at what hours nobody may call. Put them into a column ' +
      'of their own.',
  ),
  rewritten: new InvalidValue(
    'phone_rewritten',
    'The number is not written as its numbering plan has it, and was read as what it most likely means. Check it.',
  ),
};

/** Refused also where no transform reads phones. */
export const SEVERAL_PHONES = new InvalidValue(
  'not_a_phone',
  'This is more than one phone number. Write one number alone, or name in the mapping what stands between them, such as split: ";".',
);
export const ROUNDED = new InvalidValue(
  'not_a_phone',
  'This is a number with a fraction, or one that a program has rounded. Write all digits of the phone as text.',
);
export const NOBODY_CALLS = new InvalidValue(
  'not_a_phone',
  'The words say that this number must not be called, or that it is wrong. Remove the words where it may be called.',
);

function refusalsOf(country: string | undefined): Readonly<Record<Refusal, InvalidValue>> {
  const notAPhone = (message: string): InvalidValue => new InvalidValue('not_a_phone', message);
  return {
    none: notAPhone(
      country === undefined
        ? 'This is not a phone number. Write it with "+" and the country code, or name a country in the mapping.'
        : `This is not a phone number of ${country}, nor an international one. Check the digits.`,
    ),
    several: SEVERAL_PHONES,
    forbidden: NOBODY_CALLS,
    rounded: ROUNDED,
    foreign: notAPhone(
      `This may be a phone number of ${country ?? ''} without its first zero, or one of another country without "+". ` +
        'Write the number with "+".',
    ),
  };
}

/** Reads with the shortcut where it is sure of the answer, else closely. */
export function phoneReader(country: CountryCode | undefined): PhoneReader {
  const close = closeReader(country);
  const fast = country === undefined ? null : phoneShortcut(country);
  return fast === null ? close : (text) => fast(text) ?? close(text);
}

/** Sees whether a text holds numbers that exist, be they several, or such as its words say nobody may call. */
export function phoneSeeker(country: CountryCode | undefined): (text: string) => boolean {
  const read = textReader(country);
  return (text) => {
    const found = read(text);
    return found.number !== null || found.refusal === 'several' || found.refusal === 'forbidden';
  };
}

/** Reads without the shortcut. */
export function closeReader(country: CountryCode | undefined): PhoneReader {
  const read = textReader(country);
  return (text) => {
    const found = read(text);
    if (found.number === null) return null;
    return found.extension === null ? found.number : found.number + EXTENSION + found.extension;
  };
}

/** Digits with a plus before them, and maybe an extension behind. */
const E164 = /^\+(\d{2,15})(?:;ext=\d+)?$/;
/** How a call abroad begins in most countries. */
const ABROAD = /^00/;
const DIGIT_FIRST = /^\d/;
/** The calling code of the United States, Canada and others, whose numbers have ten digits and never begin with 0 or 1. */
const AMERICA = { code: '1', unit: 10_000_000_000, digits: 10, first: 2_000_000_000 } as const;

let isPlain: IsPlain | undefined;

/** Metadata by which numbers are compared: numbers that were read by another one are read again. */
export const numbersVersion = (): string =>
  `libphonenumber-js ${String(phoneMetadata().version)} max, 7`;

/**
 * Reads numbers as E.164 without the plus, so that they can be compared however they are written. Numbers without a
 * country code are those of `country`; digits that are none of its numbers, or all where there is no country, are taken
 * to begin with a country code. A number that a plan does not know is compared as well, whatever stands around it: a list
 * of numbers that must not be called is to hold for it.
 */
export function numberReader(country: CountryCode | undefined): NumberReader {
  const own = country === undefined ? null : phoneReader(country);
  const abroad = phoneReader(undefined);
  const plain = (isPlain ??= plainDigits());
  const isAmerican = country !== undefined && planOf(country)?.callingCode === AMERICA.code;
  const parse = (text: string): number => {
    const trimmed = text.trim();
    return valueOf(
      own?.(trimmed) ??
        abroad(withPlus(trimmed)) ??
        loosely(trimmed, country) ??
        loosely(withPlus(trimmed), undefined),
    );
  };
  return {
    plain: (value, digits, hasPlus) => {
      if (hasPlus || country === undefined) return plain(value, digits) ? value : 0;
      return isAmerican ? american(value, digits) : 0;
    },
    parse: (text) => {
      const sent = plainE164(text);
      if (sent > 0 && plain(sent, text.length - 1)) return sent;
      const digits = E164.exec(text)?.[1];
      if (digits === undefined) return parse(text);
      const value = Number(digits);
      return plain(value, digits.length) ? value : parse(text);
    },
  };
}

const [PLUS, ZERO] = [0x2b, 0x30];

/** The digits behind a plus as a number; 0 where there is anything else. Most phones are sent so. */
function plainE164(text: string): number {
  if (text.charCodeAt(0) !== PLUS || text.length > MAX_DIGITS + 1) return 0;
  let value = 0;
  for (let at = 1; at < text.length; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return 0;
    value = value * 10 + digit;
  }
  return value;
}

/** The number of E.164 text; 0 where there is none. */
function valueOf(text: string | null): number {
  if (text === null) return 0;
  const end = text.indexOf(EXTENSION);
  const digits = text.slice(1, end < 0 ? undefined : end);
  return digits.length > MAX_DIGITS ? 0 : Number(digits);
}

/** The first number in a text that is as long as one of its country. */
function loosely(text: string, country: CountryCode | undefined): string | null {
  if (!TWO_DIGITS.test(text)) return null;
  const number = parsePhone(text, country);
  if (number === undefined) return null;
  return hasForm(number) || number.isValid() ? number.number : null;
}

/** No number has fewer; the library throws within itself for what is none, which takes three times as long. */
const TWO_DIGITS = /\p{Nd}[^]*\p{Nd}/u;

function withPlus(text: string): string {
  return DIGIT_FIRST.test(text) ? `+${text.replace(ABROAD, '')}` : text;
}

function american(value: number, digits: number): number {
  const { unit, first } = AMERICA;
  const national =
    digits === AMERICA.digits ? value : digits === AMERICA.digits + 1 ? value - unit : 0;
  return national >= first && national < unit ? national + unit : 0;
}

/** Digits by which it is seen whether a number is plain. */
const START_DIGITS = 4;
/** Fewest digits with a calling code of a number that is compared without parsing; shorter ones are parsed. */
const MIN_DIGITS = 8;
const MAX_DIGITS = 15;

/** A national prefix of one digit, such as 0 in Germany. */
const ONE_DIGIT = /^\d$/;

/**
 * Whether international digits surely are the number that the library makes of them, if it makes any: it changes them
 * only where a national prefix or the calling code itself stands behind the calling code. A test compares the two.
 */
type IsPlain = (value: number, digits: number) => boolean;

function plainDigits(): IsPlain {
  const starts = plainStarts();
  const units = Array.from(
    { length: MAX_DIGITS + 1 },
    (_, digits) => 10 ** (digits - START_DIGITS),
  );
  return (value, digits) => {
    if (digits < MIN_DIGITS || digits > MAX_DIGITS) return false;
    return digits <= (starts[Math.floor(value / (units[digits] ?? 1))] ?? 0);
  };
}

/** By the first digits, how many digits a number may have that is surely taken as it is. */
function plainStarts(): Uint8Array {
  const starts = new Uint8Array(10 ** START_DIGITS);
  for (const [code, countries] of Object.entries(phoneMetadata().country_calling_codes)) {
    const [leading] = countries;
    const plan = leading === undefined ? null : planOf(leading);
    if (plan === null) continue;
    const prefix = plan.parsedPrefix;
    if (prefix !== null && !ONE_DIGIT.test(prefix)) continue;
    const shortest = Math.min(...plan.lengths);
    const doubled = code + code;
    const free = START_DIGITS - code.length;
    for (let rest = 0; rest < 10 ** free; rest++) {
      const start = code + String(rest).padStart(free, '0');
      const first = start[code.length];
      if (first === prefix || first === '0' || start.startsWith(OLD_MEXICO)) continue;
      const isDoubled = start.startsWith(doubled) || doubled.startsWith(start);
      // A whole number behind the same calling code twice is rewritten as well.
      starts[Number(start)] = isDoubled ? doubled.length + shortest - 1 : MAX_DIGITS;
    }
  }
  return starts;
}

/** Mobile numbers of Mexico until 2019: as with a zero behind a calling code, the transform reads them as others. */
const OLD_MEXICO = '521';
