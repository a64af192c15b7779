import { phoneMetadata, planOf } from './library.js';

/** Digits by which it is seen whether a number is plain. */
const START_DIGITS = 4;
/** Fewest digits with a calling code of a number that is compared without parsing; shorter ones are parsed. */
const MIN_DIGITS = 8;
export const MAX_DIGITS = 15;

/** A national prefix of one digit, such as 0 in Germany. */
const ONE_DIGIT = /^\d$/;

/**
 * Whether international digits surely are the number that the library makes of them, if it makes any: it changes them
 * only where a national prefix or the calling code itself stands behind the calling code. A test compares the two.
 */
export type IsPlain = (value: number, digits: number) => boolean;

export function plainDigits(): IsPlain {
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
    const shortest = Math.min(...plan.lengths.filter((length) => length >= MIN_REWRITTEN));
    const doubled = code + code;
    for (const start of startsOf(code)) {
      if (start[code.length] === prefix || REWRITTEN.test(start)) continue;
      const isDoubled = start.startsWith(doubled) || doubled.startsWith(start);
      starts[Number(start)] = isDoubled ? doubled.length + shortest - 1 : MAX_DIGITS;
    }
  }
  return starts;
}

/** A zero behind the calling code, and mobile numbers of Mexico until 2019: the transform reads them as another number. */
const REWRITTEN = /^(?:\d\d00|\d\d\d0|521)/;
/** So does it with numbers of so many digits or more behind the same calling code twice. */
const MIN_REWRITTEN = 6;

/** All starts with a calling code. */
function startsOf(code: string): string[] {
  const free = START_DIGITS - code.length;
  return Array.from({ length: 10 ** free }, (_, rest) => code + String(rest).padStart(free, '0'));
}
