import { dateByForm } from './date-forms.js';
import type { Watch } from '../watch.js';
import type { Moment } from './date-pattern.js';

/** Look of a date that is understood without any pattern, of one that has no pattern, and between two patterns. */
export const NEEDS_NO_PATTERN = 'none needed';
const NO_DATE = 'no date';
const OR = '|';

/** Looks of dates that were read: as a program stores them, or by a pattern, with a day that may be a month or not. */
export const DAY_LOOKS = {
  stored: 'stored',
  storedOver12: 'stored, day over 12',
  written: 'written',
  writtenOver12: 'written, day over 12',
} as const;
/** Look of a date that two patterns of the mapping read as two days. */
export const EITHER_ORDER = 'day or month first';
/** Look, beside its own, of a date that a pattern of the mapping would read with day and month in the other order. */
export const OTHER_ORDER = 'day and month the other way';
const NOT_UNREAD = new Set<string>([...Object.values(DAY_LOOKS), EITHER_ORDER, OTHER_ORDER]);

/**
 * Counts how dates that were read look.
 * @returns what to call for each; `isWritten`: a pattern of the mapping has read it
 */
export function dayLooks(watch: Watch): (isWritten: boolean, moment: Moment) => void {
  const early = watch.counterOf(DAY_LOOKS.stored);
  const late = watch.counterOf(DAY_LOOKS.storedOver12);
  const earlyWritten = watch.counterOf(DAY_LOOKS.written);
  const lateWritten = watch.counterOf(DAY_LOOKS.writtenOver12);
  return (isWritten, moment) => {
    const isLate = moment[2] > 12;
    (isWritten ? (isLate ? lateWritten : earlyWritten) : isLate ? late : early).count++;
  };
}

/** The looks of texts that were not understood. */
export const unreadLooks = (looks: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(looks).filter(([look]) => !NOT_UNREAD.has(look)));

/** Day, month and year in figures, in this order or with the month first, maybe with a time of day. */
const NUMERIC =
  /^(\d{1,2})([-./ ])(\d{1,2})\2(\d{4}|\d{2})(?:(,? |T)(\d{1,2}):\d\d(:\d\d)?(?:([ \u00a0\u202f]?)[ap]\.?m\.?)?)?$/i;

/** Whether a text is a date in figures that a pattern is needed for. */
export const looksWritten = (text: string): boolean =>
  text.length < 32 && NUMERIC.test(text.trim());

/**
 * Patterns that fit a text that was not understood, as one text.
 * @param known patterns that the mapping has: what looks like one of them is a day that does not exist
 */
export function dateLook(text: string, known: readonly string[] = []): string {
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
  const isKnown = orders.some((order) => known.some((pattern) => takes(pattern, order)));
  return isKnown || orders.length === 0 ? NO_DATE : orders.join(OR);
}

/** Whether a look is that of a pattern with day and month in the other order. */
export const isOtherOrder = (look: string, known: readonly string[]): boolean =>
  !look.includes(OR) && known.some((pattern) => takes(swapped(pattern), look));

const swapped = (pattern: string): string =>
  pattern.replace(/[dM]/g, (letter) => (letter === 'd' ? 'M' : 'd'));

const PARTS_OF_TWO = /dd?|MM?|HH?|hh?|[^]/g;

/** Whether a pattern reads what has another one: one digit may be two. */
function takes(pattern: string, other: string): boolean {
  const [own, others] = [pattern, other].map((text) => text.match(PARTS_OF_TWO) ?? []);
  return (
    own?.length === others?.length &&
    own?.every((part, at) => part === others?.[at] || part + part === others?.[at]) === true
  );
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
