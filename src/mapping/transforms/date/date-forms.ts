import { exists, fullYear, hourOf24, type Moment } from './date-pattern.js';

/** Longer texts are no dates, and are not looked at. */
const LONGEST = 64;

const TIME = String.raw`(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?(?: ?([ap])\.?m\.?)?(?: ?(?:Z|UTC|GMT)?(?:[+-]\d\d(?::?\d\d)?)?)?(?: \([^()]*\))?`;
const WEEKDAY = String.raw`(?:\p{L}{2,12}\.?,? )?`;
const MONTH = String.raw`(\p{L}{3,10})\.?`;
const DAY = String.raw`(\d{1,2})(?:st|nd|rd|th)?`;

type Form = readonly [order: 'ymd' | 'mdy' | 'dmy', form: RegExp];

/** Forms in which year, month and day cannot be taken for each other. In groups: three of the day, four of the time. */
const OF_DIGITS: readonly Form[] = [
  ['ymd', form(String.raw`(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ] ?${TIME})?`)],
  ['ymd', form(String.raw`((?:19|20)\d\d)(\d\d)(\d\d)(?:[T ]?(\d\d)(\d\d)(\d\d)?()Z?)?`)],
];
/** Those with the month as a word. */
const OF_WORDS: readonly Form[] = [
  ['mdy', form(String.raw`${WEEKDAY}${MONTH} ${DAY},? (\d{4})(?:,?(?: at)? ${TIME})?`)],
  [
    'dmy',
    form(
      String.raw`${WEEKDAY}${DAY}[ ./-]${MONTH},?[ ./-](\d{4}|\d\d)(?: ?г\.?)?(?:,?(?: at| в)? ${TIME})?`,
    ),
  ],
];

function form(source: string): RegExp {
  return new RegExp(`^${source}$`, 'iu');
}

/** What every month as a word has. The engine takes as long to compile the forms as to map a thousand rows. */
const HAS_WORD = /\p{L}{3}/u;

/** Seconds and milliseconds since 1970, from 2001 to 2033. */
const EPOCH = /^1\d{9}(?:\d{3})?$/;
const SECONDS_DIGITS = 10;

/**
 * The moment of a text whose form says what is year, month and day: ISO 8601 with time and zone, the year first, the
 * month as a word, or the time since 1970. It is what the clock of the text shows: a zone is read, nothing is converted.
 */
export function dateByForm(text: string): Moment | null {
  if (text.length > LONGEST) return null;
  if (EPOCH.test(text)) return sinceEpoch(text);
  return momentIn(text, OF_DIGITS) ?? (HAS_WORD.test(text) ? momentIn(text, OF_WORDS) : null);
}

function momentIn(text: string, forms: readonly Form[]): Moment | null {
  for (const [order, pattern] of forms) {
    const found = pattern.exec(text);
    const moment = found && momentOf(order, found);
    if (moment) return moment;
  }
  return null;
}

function sinceEpoch(text: string): Moment {
  const date = new Date(Number(text) * (text.length === SECONDS_DIGITS ? 1000 : 1));
  const day = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()] as const;
  return [...day, date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()];
}

function momentOf(order: 'ymd' | 'mdy' | 'dmy', found: RegExpExecArray): Moment | null {
  const [, first = '', second = '', third = '', hour = '0', minute = '0', seconds = '0', half] =
    found;
  const [year, month, day] =
    order === 'ymd'
      ? [first, Number(second), third]
      : order === 'mdy'
        ? [third, monthOf(first), second]
        : [third, monthOf(second), first];
  const clock = half ? hourOf24(Number(hour), half) : Number(hour);
  const moment: Moment = [
    year.length === 2 ? fullYear(Number(year)) : Number(year),
    ...([month, Number(day), clock, Number(minute), Number(seconds)] as const),
  ];
  return exists(moment) ? moment : null;
}

const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september'],
  ...['october', 'november', 'december'],
  ...['января', 'февраля', 'марта', 'апреля', 'мая', 'июня', 'июля', 'августа', 'сентября'],
  ...['октября', 'ноября', 'декабря'],
];

/** Number of a month by its name or the beginning of it, in English or Russian; 0 when it is none. */
function monthOf(name: string): number {
  const word = name.toLowerCase();
  const at = MONTHS.findIndex((month) => month.startsWith(word));
  return at < 0 ? 0 : (at % 12) + 1;
}
