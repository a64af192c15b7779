import { onText } from './step.js';
import type { Kind } from './kind.js';

const always =
  (change: (text: string) => string): Kind<true> =>
  () =>
    onText(change);

const BLANKS = /\s+/gu;
const NOT_DIGITS = /[^0-9]+/g;
/** A letter after the beginning or after something that is neither letter nor mark; an apostrophe begins no word. */
const WORD_START = /(?<![\p{L}\p{M}\p{N}'’])\p{L}/gu;

export const trim = always((text) => text.trim());
export const collapse = always((text) => text.trim().replace(BLANKS, ' '));
export const upper = always((text) => text.toUpperCase());
export const lower = always((text) => text.toLowerCase());
export const title = always((text) =>
  text.toLowerCase().replace(WORD_START, (letter) => letter.toUpperCase()),
);
export const digits = always((text) => text.replace(NOT_DIGITS, ''));
