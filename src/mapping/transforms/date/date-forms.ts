import { type Watch, asciiDigits } from '../step.js';
import { type Moment, exists, hourOf24, setCentury } from './date-pattern.js';

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

/** Longer texts are no dates, and are not looked at. */
const LONGEST = 64;

const TIME = String.raw`(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?(?: ?([ap])\.?m\.?)?(?: ?(?:Z|UTC|GMT)?(?:[+-]\d\d(?::?\d\d)?)?)?(?: \([^()]*\))?(?: uhr)?`;
/** A time behind a date in words, with or without a word before it. */
const AT = String.raw`(?:,?(?: (?:at|в|о|а|um|u|a|à|às|as|alle|las|kl|klo|ob|om|o|saat)\.?)* ${TIME})?`;
const WEEKDAY = String.raw`(?:[\p{L}\p{M}-]{2,14}\.?[,،]? )?`;
const ASIAN_WEEKDAY = String.raw`(?: ?[(（]?(?:[月火水木金土日]|星期[一二三四五六日天]|[월화수목금토일])(?:曜日?|요일)?[)）]?)?`;
/** A month in words, maybe with words of the language beside it. */
const MONTH = String.raw`([\p{L}\p{M}][\p{L}\p{M}'’. ]{1,30}?)`;
const DAY = String.raw`(\d{1,2})(?:st|nd|rd|th|er|[º°])?`;
const YEAR_WORD = String.raw`(?: ?(?:г|р|ж|год|года|року|r|rok|roku|god|godine|a|й|жыл)\.?)?`;

type Order = 'ymd' | 'mdy' | 'dmy' | 'ydm';
type Form = readonly [order: Order, form: RegExp];

/** Forms in which year, month and day cannot be taken for each other. In groups: three of the day, four of the time. */
const OF_DIGITS: readonly Form[] = [
  [
    'ymd',
    form(String.raw`(\d{4})(?:[-/.]|\. )(\d{1,2})(?:[-/.]|\. )(\d{1,2})\.?(?:[T ] ?${TIME})?`),
  ],
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
  [
    'ymd',
    form(
      String.raw`(\d{4}) ?[年년] ?(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日일]?${ASIAN_WEEKDAY}(?: ?${TIME})?`,
    ),
  ],
  ['dmy', form(String.raw`(?:ngày )?(\d{1,2}) tháng (\d{1,2}),?(?: năm)? (\d{4})${AT}`)],
];

function form(source: string): RegExp {
  return new RegExp(`^${source}$`, 'iu');
}

/** What every form of words has. The engine takes as long to compile them as to map a thousand rows. */
const HAS_WORD = /\p{L}{3}|[^\0-\x7f]/u;
const HAS_DAY_AND_YEAR = /\d\D+\d/;

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
  const usual = ASCII.test(text) ? text : asciiDigits(text).replace(/[\u2010-\u2015\u2212]/g, '-');
  const found = momentIn(usual, OF_DIGITS, latest);
  if (found !== null) return found;
  const mayBe = HAS_DAY_AND_YEAR.test(usual) && HAS_WORD.test(usual);
  return mayBe ? momentIn(usual, OF_WORDS, latest) : null;
}

function momentIn(text: string, forms: readonly Form[], latest: number): Moment | null {
  for (const [order, pattern] of forms) {
    const found = pattern.exec(text);
    const moment = found && momentOf(order, found, latest);
    if (moment) return saysElse(text, moment) ? null : moment;
  }
  return null;
}

const ASCII = /^[\0-\x7f]*$/;

function sinceEpoch(text: string): Moment {
  const date = new Date(Number(text) * (text.length === SECONDS_DIGITS ? 1000 : 1));
  const day = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()] as const;
  return [...day, date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()];
}

const THAI = /\p{Script=Thai}/u;

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
  // Beside a month of Thailand, two digits are those of its calendar.
  if (year.length === 2 && THAI.test(month)) return null;
  if (year.length === 2) setCentury(moment, latest);
  return exists(moment) ? moment : null;
}

/** The weekday before a date, or behind one of East Asia. */
const NAMED_WEEKDAY =
  /^([\p{L}\p{M}-]{2,14})\.?[,،]? (?:(?:le|el|den|il) )?(?:\d{1,2}(?:st|nd|rd|th|er|[º°])?[. /-]+\p{L}{2}|\p{L}[\p{L}\p{M}.]*[. -] ?\d)|[日일] ?[(（]?((?:星期)?[月火水木金土日一二三四五六天월화수목금토일])/iu;

/** Words before a date that are no weekday and say nothing. */
const BEFORE_DATE = new Set('the on am den dne dnia le el il'.split(' '));

/**
 * Whether a word beside a date says that it is another one, or about when: a weekday, in any language that the system knows,
 * that the day is not, or any other word.
 */
function saysElse(text: string, [year, month, day]: Moment): boolean {
  const [, before, behind] = NAMED_WEEKDAY.exec(text) ?? [];
  const word = plain(before ?? behind ?? '');
  if (word === '' || BEFORE_DATE.has(word)) return false;
  const begun = (days: Weekdays): number[] =>
    days.filter(([name]) => name.startsWith(word)).map(([, at]) => at);
  let named = begun((weekdays ??= weekdaysOf(`${COMMON} ja zh ko`)));
  if (named.length === 0) named = begun((otherWeekdays ??= weekdaysOf(OTHERS)));
  return !named.includes(new Date(Date.UTC(year, month - 1, day)).getUTCDay());
}

type Weekdays = readonly (readonly [name: string, day: number])[];
let weekdays: Weekdays | undefined;
let otherWeekdays: Weekdays | undefined;

/** The names of weekdays, long and short, from that of Sunday on. */
const weekdaysOf = (languages: string): Weekdays =>
  Intl.DateTimeFormat.supportedLocalesOf(languages.split(' ')).flatMap((locale) =>
    (['long', 'short'] as const).flatMap((weekday) => {
      const format = new Intl.DateTimeFormat(locale, { weekday, timeZone: 'UTC' });
      return Array.from(
        { length: 7 },
        (_, at) => [plain(format.format(Date.UTC(2026, 1, 1 + at))), at] as const,
      );
    }),
  );

/** Languages whose months are looked up first: of a name that two languages give to two months, these count. */
const COMMON =
  'en ru de fr es pt it pl tr nl uk kk ar he vi hi cs hr ro hu el sv da nb fi bg sr sk sl lt lv et ca eu id ms';
/** The others that there are; those that this system does not know are left out. */
const OTHERS =
  'af ak am as az az-Cyrl be bm bn bo br bs bs-Cyrl ce ceb chv ckb cy dsb dz ee eo fa ff fil fo fur fy ga gd gl gsw gu gv ha haw hsb hy ia ig ii is jv ka ki kea kl km kn kok ks ku kw ky lb lg ln lo lu luo mai mfe mg mi mk ml mn mni mr mt mua my nd ne nn nus om or os pa ps qu rm rn rw sa sah sat sc sd se sg si smn sn so sq sr-Latn su sw ta te tg th ti tk to tt ug ur uz uz-Cyrl wo xh yi yo zgh zu ar-SY ar-MA ar-DZ';

/** Words between the parts of a date. */
const PARTICLES = new Set(
  'de del d di do da dos des the of den el la ta e na god goda gada m mis'.split(' '),
);

/** Month by name; 0 where languages do not agree. */
type Months = Map<string, number>;

let common: Months | undefined;
let all: Months | undefined;

const MIN_BEGINNING = 3;
/** "In", which Hebrew writes together with the month; no month begins so. */
const IN_HEBREW = /^ב(?=[א-ת]{3})/;

/**
 * Number of a month by its name in any language that the system knows, long or short, as it stands alone or beside a day,
 * or by a beginning that only one month has in the common ones; 0 when it is none, or several. Accents, case and what
 * stands between the parts of a date do not matter.
 */
function monthOf(name: string): number {
  const words = plain(name)
    .split(/[\s.’']+/)
    .filter((word) => word !== '')
    .map((word) => word.replace(IN_HEBREW, ''));
  const own = words.filter((word) => !PARTICLES.has(word));
  for (const key of new Set([words.join(' '), own.join(' ')])) {
    if (key === '') continue;
    common ??= monthsOf(COMMON);
    const month = common.get(key) ?? begunBy(key);
    if (month !== undefined) return month;
    all ??= monthsOf(OTHERS);
    const other = all.get(key);
    if (other !== undefined) return other;
  }
  return 0;
}

/** The month that all common names mean that begin so. */
function begunBy(word: string): number | undefined {
  if (word.length < MIN_BEGINNING || common === undefined) return undefined;
  const months = new Set<number>();
  for (const [name, month] of common) if (name.startsWith(word)) months.add(month);
  const [only] = months;
  return months.size === 1 ? only : undefined;
}

function monthsOf(languages: string): Months {
  const months: Months = new Map();
  for (const locale of Intl.DateTimeFormat.supportedLocalesOf(languages.split(' ')))
    for (const month of ['long', 'short'] as const)
      for (const day of [undefined, 'numeric'] as const) {
        const format = new Intl.DateTimeFormat(`${locale}-u-ca-gregory-nu-latn`, {
          month,
          day,
          timeZone: 'UTC',
        });
        for (let at = 0; at < 12; at++) addMonth(months, format, at);
      }
  return months;
}

function addMonth(months: Months, format: Intl.DateTimeFormat, at: number): void {
  const part = format.formatToParts(Date.UTC(2026, at, 3)).find(({ type }) => type === 'month');
  const words = plain(part?.value ?? '').split(/[\s.’']+/);
  const name = words.filter((word) => word !== '').join(' ');
  if (!/^[\p{L}\p{M} -]+$/u.test(name)) return;
  const known = months.get(name);
  months.set(name, known === undefined || known === at + 1 ? at + 1 : 0);
}

/** Small letters without accents: people leave these out, and `ı` of Turkish is `I` in capitals. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replaceAll('ı', 'i')
    .normalize('NFC');
