import { dateByForm } from './date-forms.js';

/** Look of a date that is understood without any pattern, of one that has no pattern, and between two patterns. */
export const NEEDS_NO_PATTERN = 'none needed';
export const NO_DATE = 'no date';
const OR = '|';

/** Day, month and year in figures, in this order or with the month first, maybe with a time of day. */
const NUMERIC =
  /^(\d{1,2})([-./ ])(\d{1,2})\2(\d{4}|\d{2})(?:(,? |T)(\d{1,2}):\d\d(:\d\d)?(?:([ \u00a0\u202f]?)[ap]\.?m\.?)?)?$/i;

/** Patterns that fit a text that was not understood, as one text. */
export function dateLook(text: string): string {
  const found = NUMERIC.exec(text);
  if (found === null) return dateByForm(text) === null ? NO_DATE : NEEDS_NO_PATTERN;
  const [, first = '', sign = '', second = '', third = '', between, ...clock] = found;
  const time = between === undefined ? '' : timeOf(between, clock);
  const year = sign + 'y'.repeat(third.length) + time;
  const [a, b] = [Number(first), Number(second)];
  const orders = [
    ...(a <= 31 && b <= 12 ? [wide(first, 'd') + sign + wide(second, 'M') + year] : []),
    ...(a <= 12 && b <= 31 ? [wide(first, 'M') + sign + wide(second, 'd') + year] : []),
  ];
  return orders.length === 0 ? NO_DATE : orders.join(OR);
}

const wide = (digits: string, letter: string): string => letter.repeat(digits.length);

/** `half`: what stands before am or pm; absent where neither is there. */
function timeOf(
  between: string,
  [hour = '', seconds, half]: readonly (string | undefined)[],
): string {
  const hours = wide(hour, half === undefined ? 'H' : 'h');
  const end = half === undefined ? '' : `${half === '' ? '' : ' '}a`;
  return `${between === 'T' ? `'T'` : between}${hours}:mm${seconds === undefined ? '' : ':ss'}${end}`;
}

/** Patterns by how many texts they fit, the most fitting first. One that takes one digit takes two as well. */
export function patternsOf(
  looks: Readonly<Record<string, number>>,
): { readonly pattern: string; readonly count: number }[] {
  const found = new Map<string, { pattern: string; count: number }>();
  for (const [look, count] of Object.entries(looks)) {
    if (look === NO_DATE || look === NEEDS_NO_PATTERN) continue;
    for (const pattern of look.split(OR)) {
      const family = pattern.replaceAll(/dd|MM|HH|hh/g, (two) => two.charAt(0));
      const same = found.get(family);
      if (same === undefined) found.set(family, { pattern, count });
      else {
        same.count += count;
        if (same.pattern !== pattern) same.pattern = family;
      }
    }
  }
  return [...found.values()].sort((one, other) => other.count - one.count);
}
