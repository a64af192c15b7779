import { z } from 'zod';
import { createRequire } from 'node:module';
import type * as Library from 'libphonenumber-js/core';
import metadata from 'libphonenumber-js/min/metadata';
import type { CountryCode } from 'libphonenumber-js/core';
import { bareTransform } from '../kind.js';
import { ownCode } from './own-code.js';
import { phoneShortcut } from './phone-shortcut.js';
import { InvalidValue, onText } from '../step.js';

/** E.164 form of the text, with `;ext=` and the extension where there is one; `null` when no such number can exist. */
export type PhoneReader = (text: string) => string | null;

const options = z
  .strictObject({
    country: z
      .string()
      .optional()
      .describe(
        'Country of numbers without a country code, two letters such as RU. Default: none.',
      ),
    format: z
      .enum(['E164', 'digits'])
      .default('E164')
      .describe('E164: +79161234567; digits: 79161234567. Default: E164.'),
    extension: z
      .enum(['drop', 'keep'])
      .default('drop')
      .describe(
        'What becomes of an extension: drop: it is left out, with a remark in the report; keep: it follows the number ' +
          'as ";ext=12" (RFC 3966), for a contact center that dials it. Default: drop.',
      ),
  })
  .describe('Reads a phone number, checks that it can exist, and writes it in one form.');

/**
 * Phone numbers by libphonenumber-js with its smaller metadata: that checks the length and the leading digits of every
 * country, and does not refuse ranges that were opened after the library was released.
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
    const read = phoneReader(code);
    const wrong = new InvalidValue(
      'not_a_phone',
      code === undefined
        ? 'This is not a phone number. Write it with "+" and the country code, or name a country in the mapping.'
        : `This is not a phone number of ${code}, nor an international one. Check the digits.`,
    );
    const own = code === undefined ? null : ownCode(code, metadata);
    const from = format === 'digits' ? 1 : 0;
    const { label } = context;
    return onText((text, _cells, remarks) => {
      const number = read(text);
      if (number === null) return wrong;
      if (own?.isEither(text, number) === true) remarks.remark(label, TWO_NUMBERS, text);
      const end = number.indexOf(EXTENSION);
      if (end < 0 || extension === 'keep') return number.slice(from);
      remarks.remark(label, EXTENSION_DROPPED, number.slice(end + EXTENSION.length));
      return number.slice(from, end);
    });
  },
);

/** What stands before an extension (RFC 3966). */
export const EXTENSION = ';ext=';
const EXTENSION_DROPPED = new InvalidValue(
  'phone_extension',
  'The extension is left out: a dialler may not take it for a part of the number.',
);
const TWO_NUMBERS = new InvalidValue(
  'ambiguous_phone',
  'The digits begin with the country code of their own country, and can be two numbers. They were taken for a number ' +
    'without a country code. Write the number with "+".',
);
/** Labels of extensions that the library does not know, each with its digits. */
const OTHER_LABELS =
  /[\s,(]{0,9}(?:внутр|вн|durchwahl|dw|poste|wewn|dahili)[.: ]{0,3}(\d{1,7})\)?$/iu;

let loaded: Pick<typeof Library, 'parsePhoneNumberFromString'> | undefined;

/** Loaded for the first number that the shortcut leaves to it: most lists have none, and it is made of many files. */
function library(): NonNullable<typeof loaded> {
  return (loaded ??= createRequire(import.meta.url)('libphonenumber-js/core') as typeof Library);
}

export function isCountry(code: string): code is CountryCode {
  return Object.hasOwn(metadata.countries, code);
}

/** Reads with the shortcut where it is sure of the answer, else with the library. */
export function phoneReader(country: CountryCode | undefined): PhoneReader {
  const slow = libraryReader(country);
  const fast = country === undefined ? null : phoneShortcut(country, metadata);
  return fast === null ? slow : (text) => fast(text) ?? slow(text);
}

/** Reads with the library alone; of digits that can be two numbers, the more likely one. */
export function libraryReader(country: CountryCode | undefined): PhoneReader {
  const options = country === undefined ? {} : { defaultCountry: country };
  const own = country === undefined ? null : ownCode(country, metadata);
  return (text) => {
    if (!TWO_DIGITS.test(text)) return null;
    const written = text.replace(OTHER_LABELS, ' ext. $1');
    const number = library().parsePhoneNumberFromString(written, options, metadata);
    if (number?.isValid() !== true) return null;
    const e164 = own?.choose(text, number.number) ?? number.number;
    return number.ext === undefined ? e164 : e164 + EXTENSION + number.ext;
  };
}

/** No number has fewer; the library throws within itself for what is none, which takes three times as long. */
const TWO_DIGITS = /\p{Nd}[^]*\p{Nd}/u;
