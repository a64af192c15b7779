import { z } from 'zod';
import { onText } from './step.js';
import { lowerCase, upperCase } from '../../core/cell-text.js';
import { bareTransform } from './kind.js';

/** A change of text without any options: `{ name: true }`. */
const always = (description: string, change: (text: string) => string) =>
  bareTransform(
    z.literal(true).describe(description),
    () => true as const,
    () => onText(change),
  );

const BLANKS = /\s+/gu;
/** What `collapse` changes: to ask first takes a quarter of the time of replacing spaces by spaces. */
const NOT_COLLAPSED = /\s\s|[^\S ]/u;
const NOT_DIGITS = /[^0-9]+/g;
/** A letter after the beginning or after something that is neither letter nor mark; an apostrophe begins no word. */
const WORD_START = /(?<![\p{L}\p{M}\p{N}'’])\p{L}/gu;

export const trim = always('Cuts white space off both ends.', (text) => text.trim());
export const collapse = always(
  'Turns every run of white space into one space and trims.',
  (text) => {
    const trimmed = text.trim();
    return NOT_COLLAPSED.test(trimmed) ? trimmed.replace(BLANKS, ' ') : trimmed;
  },
);
export const upper = always('Turns letters into capitals.', upperCase);
export const lower = always('Turns letters into small ones.', lowerCase);
export const title = always('Turns the first letter of each word into a capital.', (text) =>
  lowerCase(text).replace(WORD_START, (letter) => letter.toUpperCase()),
);
export const digits = always('Keeps the digits 0 to 9 alone.', (text) =>
  text.replace(NOT_DIGITS, ''),
);
