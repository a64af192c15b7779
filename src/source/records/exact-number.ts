import { numberText } from '../xlsx/cells/number.js';

/** Digits of a binary number at most; one with more was not made from one. */
const BINARY_DIGITS = 17;
/** Digits that a number has left when what binary fractions add to it is rounded away, such as `0.30000000000000004`. */
const ROUND_DIGITS = 12;
const PLAIN = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * A number with all digits that are written, but for those that are a trace of binary fractions: `0.1 + 0.2` is `0.3`.
 * A number with an exponent is a binary one, and is shown with 15 digits as in a spreadsheet.
 */
export function exactNumber(text: string): string {
  const [, sign = '', whole, fraction] = PLAIN.exec(text) ?? [];
  if (whole === undefined) return numberText(text);
  if (fraction === undefined) return text;
  const rounded = numberText(text);
  const isBinary = significantDigits(text) <= BINARY_DIGITS;
  if (isBinary && significantDigits(rounded) <= ROUND_DIGITS) return rounded;
  const kept = fraction.replace(/0+$/, '');
  return kept === '' ? `${sign}${whole}` : `${sign}${whole}.${kept}`;
}

const significantDigits = (text: string): number => text.replaceAll(/^-?[0.]+|[-.]/g, '').length;
