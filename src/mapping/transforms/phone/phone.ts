import { z } from 'zod';
import type { CountryCode } from 'libphonenumber-js/core';
import { bareTransform, InvalidValue, onText } from '../step.js';
import { isCountry } from './library.js';
import { phoneShortcut } from './phone-shortcut.js';
import { textReader, type Note, type PhoneResult, type Refusal } from './read-phone.js';

/** E.164 form of the text, with `;ext=` and the extension where there is one; `null` when it is no phone. */
export type PhoneReader = (text: string) => string | null;

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
    const elsewhere = elsewhereOf(code);
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
      if (extension === 'keep') return withExtension(found, found.number.slice(from));
      remarks.remark(label, EXTENSION_DROPPED, found.extension);
      return found.number.slice(from);
    });
  },
);

/** What stands before an extension (RFC 3966). */
export const EXTENSION = ';ext=';
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

const elsewhereOf = (country: string | undefined): InvalidValue =>
  new InvalidValue(
    'phone_elsewhere',
    `This is no number of ${country ?? ''}, but one of another country with the same country code. Check the digits.`,
  );

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

const withExtension = (found: PhoneResult, number: string): string =>
  'extension' in found && found.extension !== null ? number + EXTENSION + found.extension : number;

/** Reads with the shortcut where it is sure of the answer, else closely. */
export function phoneReader(country: CountryCode | undefined): PhoneReader {
  const close = closeReader(country);
  const fast = country === undefined ? null : phoneShortcut(country);
  return fast === null ? close : (text) => fast(text) ?? close(text);
}

/** Reads without the shortcut. */
export function closeReader(country: CountryCode | undefined): PhoneReader {
  const read = textReader(country);
  return (text) => {
    const found = read(text);
    return found.number === null ? null : withExtension(found, found.number);
  };
}
