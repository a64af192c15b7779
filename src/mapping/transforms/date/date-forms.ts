import { asciiDigits } from '../digits.js';
import { exists, hourOf24, type Moment, setCentury } from './date-pattern.js';
import { monthOf } from './month-names.js';

/** Longer texts are no dates, and are not looked at. */
const LONGEST = 64;

const TIME = String.raw`(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?(?: ?([ap])\.?m\.?)?(?: ?(?:Z|UTC|GMT)?(?:[+-]\d\d(?::?\d\d)?)?)?(?: \([^()]*\))?(?: uhr)?`;
/** A time behind a date in words, with or without a word before it. */
const AT = String.raw`(?:,?(?: (?:at|в|о|а|um|u|a|à|às|as|alle|las|kl|klo|ob|om|o|saat)\.?)* ${TIME})?`;
const WEEKDAY = String.raw`(?:[\p{L}\p{M}]{2,14}\.?,? )?`;
/** A month in words, maybe with words of the language beside it. */
const MONTH = String.raw`([\p{L}\p{M}][\p{L}\p{M}'’. ]{1,30}?)`;
const DAY = String.raw`(\d{1,2})(?:st|nd|rd|th|er|º)?`;
const YEAR_WORD = String.raw`(?: ?(?:г|р|ж|год|года|року|god|godine|й|жыл)\.?)?`;

type Order = 'ymd' | 'mdy' | 'dmy' | 'ydm';
type Form = readonly [order: Order, form: RegExp];

/** Forms in which year, month and day cannot be taken for each other. In groups: three of the day, four of the time. */
const OF_DIGITS: readonly Form[] = [
  ['ymd', form(String.raw`(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ] ?${TIME})?`)],
  ['ymd', form(String.raw`((?:19|20)\d\d)(\d\d)(\d\d)(?:[T ]?(\d\d)(\d\d)(\d\d)?()Z?)?`)],
];
/** Those with words. */
const OF_WORDS: readonly Form[] = [
  ['mdy', form(String.raw`${WEEKDAY}${MONTH}[. -] ?${DAY}[, -] ?(\d{4})${AT}`)],
  [
    'dmy',
    form(
      String.raw`${WEEKDAY}(?:(?:le|el|den|il) )?${DAY}(?:\. |[ ./-])${MONTH}[.,]?[ ./-](\d{4}|\d\d)${YEAR_WORD}${AT}`,
    ),
  ],
  ['ymd', form(String.raw`(\d{4})[.,]?(?: m\.| ж\.)?[ -]${MONTH}[. -] ?${DAY}\.?(?: d\.)?${AT}`)],
  ['ydm', form(String.raw`(\d{4})(?:\. gada| ж\.| жылғы) ${DAY}\.? ${MONTH}${AT}`)],
  ['ymd', form(String.raw`(\d{4}) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일]?(?: ?${TIME})?`)],
  ['dmy', form(String.raw`(?:ngày )?(\d{1,2}) tháng (\d{1,2}),?(?: năm)? (\d{4})${AT}`)],
];

function form(source: string): RegExp {
  return new RegExp(`^${source}$`, 'iu');
}

/** What every form of words has. The engine takes as long to compile them as to map a thousand rows. */
const HAS_WORD = /\p{L}{3}|[^\0-\x7f]/u;

/** Seconds and milliseconds since 1970, from 2001 to 2033. */
const EPOCH = /^1\d{9}(?:\d{3})?$/;
const SECONDS_DIGITS = 10;

/**
 * The moment of a text whose form says what is year, month and day: ISO 8601 with time and zone, the year first, the
 * month as a word of any language, or the time since 1970. It is what the clock of the text shows: a zone is read, nothing
 * is converted.
 * @param latest day that a year of two digits may not go beyond, as `20261231`. @default none
 */
export function dateByForm(text: string, latest = Infinity): Moment | null {
  if (text.length > LONGEST) return null;
  if (EPOCH.test(text)) return sinceEpoch(text);
  const usual = ASCII.test(text) ? text : asciiDigits(text);
  const found = momentIn(usual, OF_DIGITS, latest);
  return found ?? (HAS_WORD.test(usual) ? momentIn(usual, OF_WORDS, latest) : null);
}

function momentIn(text: string, forms: readonly Form[], latest: number): Moment | null {
  for (const [order, pattern] of forms) {
    const found = pattern.exec(text);
    const moment = found && momentOf(order, found, latest);
    if (moment) return moment;
  }
  return null;
}

const ASCII = /^[\0-\x7f]*$/;

function sinceEpoch(text: string): Moment {
  const date = new Date(Number(text) * (text.length === SECONDS_DIGITS ? 1000 : 1));
  const day = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()] as const;
  return [...day, date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()];
}

/** Where year, month and day stand in each order. */
const PLACES: Readonly<Record<Order, readonly [year: number, month: number, day: number]>> = {
  ymd: [1, 2, 3],
  ydm: [1, 3, 2],
  mdy: [3, 1, 2],
  dmy: [3, 2, 1],
};

function momentOf(order: Order, found: RegExpExecArray, latest: number): Moment | null {
  const [year = '', month = '', day = ''] = PLACES[order].map((place) => found[place] ?? '');
  const [, , , , hour = '0', minute = '0', seconds = '0', half] = found;
  const clock = half ? hourOf24(Number(hour), half) : Number(hour);
  const number = /^\d/.test(month) ? Number(month) : monthOf(month);
  const moment: Moment = [
    Number(year),
    ...([number, Number(day), clock, Number(minute), Number(seconds)] as const),
  ];
  if (year.length === 2) setCentury(moment, latest);
  return exists(moment) ? moment : null;
}
