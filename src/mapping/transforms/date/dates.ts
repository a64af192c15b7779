import { asciiDigits } from '../step.js';

const PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;

export type Part = (typeof PARTS)[number];

/** A moment of the calendar, as far as a pattern shows it: its parts in their order, the year first. */
export type Moment = [
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
];

interface Token {
  /** Its place in a moment. */
  readonly place: number;
  readonly digits: string;
  readonly width: number;
}

const [YEAR, MONTH, DAY, HOUR, MINUTE, SECOND] = [0, 1, 2, 3, 4, 5] as const;
/** Place of am and pm behind those of a moment, whose hour they belong to. */
const HALF = 6;

const TOKENS: Readonly<Record<string, Token>> = {
  yyyy: { place: YEAR, digits: '(\\d{4})', width: 4 },
  yy: { place: YEAR, digits: '(\\d{2})', width: 2 },
  MM: { place: MONTH, digits: '(\\d{2})', width: 2 },
  M: { place: MONTH, digits: '(\\d{1,2})', width: 1 },
  dd: { place: DAY, digits: '(\\d{2})', width: 2 },
  d: { place: DAY, digits: '(\\d{1,2})', width: 1 },
  HH: { place: HOUR, digits: '(\\d{2})', width: 2 },
  H: { place: HOUR, digits: '(\\d{1,2})', width: 1 },
  hh: { place: HOUR, digits: '(\\d{2})', width: 2 },
  h: { place: HOUR, digits: '(\\d{1,2})', width: 1 },
  a: { place: HALF, digits: '([aApP])\\.?[mM]\\.?', width: 1 },
  mm: { place: MINUTE, digits: '(\\d{2})', width: 2 },
  ss: { place: SECOND, digits: '(\\d{2})', width: 2 },
};

/** Two-digit years from here on are of the last century, as spreadsheet programs have it. */
const PIVOT = 30;

/**
 * Gives a moment with a year of two digits the one that is meant.
 * @param latest the last day that it may be, as `20261231`: years beyond it are of the century before
 */
function setCentury(moment: Moment, latest: number): void {
  moment[YEAR] += moment[YEAR] >= PIVOT ? 1900 : 2000;
  if (dayNumber(moment) > latest) moment[YEAR] -= 100;
}

/** The day of a moment as one number that grows with time: `20261231`. */
export const dayNumber = ([year, month, day]: Moment): number => (year * 100 + month) * 100 + day;

type Piece = Token | string;

/** Letters that are no token, or stand in quotes: `'T'`. */
export class PatternError extends Error {}

/** Pieces of a pattern: tokens, and text that stands for itself. @throws PatternError */
function piecesOf(pattern: string): Piece[] {
  const pieces = pattern.match(/'[^']*'|([A-Za-z])\1*|[^A-Za-z']+|'/g) ?? [];
  return pieces.map((piece) => {
    if (piece.length > 1 && piece.startsWith("'")) return piece.slice(1, -1);
    const token = TOKENS[piece];
    if (token !== undefined) return token;
    if (/^[A-Za-z']/.test(piece)) throw new PatternError(piece);
    return piece;
  });
}

/** A pattern of dates and times, compiled. */
export type DatePattern = ReturnType<typeof compileDate>;

/**
 * Compiles a pattern.
 * @param latest day that a year of two digits may not go beyond, as `20261231`. @default none
 * @throws PatternError when letters mean nothing, a part comes twice, or there is none
 */
export function compileDate(pattern: string, latest = Infinity) {
  const pieces = piecesOf(pattern);
  const tokens = pieces.filter((piece) => typeof piece !== 'string');
  const order = tokens.map(({ place }) => place);
  const parts = new Set(PARTS.filter((_part, place) => order.includes(place)));
  if (order.length === 0 || new Set(order).size < order.length) throw new PatternError(pattern);
  // Hours of twelve and am or pm belong together.
  const isOf12 = pieces.some((piece) => piece === TOKENS['h'] || piece === TOKENS['hh']);
  if (isOf12 !== order.includes(HALF)) throw new PatternError(isOf12 ? 'h' : 'a');
  const read = tokens.every(({ width }) => width > 1)
    ? fixedReader(pieces)
    : freeReader(pieces, order);
  const shortYear = tokens.some(({ place, width }) => place === YEAR && width === 2);
  return {
    /** What the pattern shows of a moment. */
    parts,
    /** The moment, or `null` when the text has another form or there is no such day or time. */
    read: (text: string): Moment | null => {
      const moment = read(text);
      if (moment === null) return null;
      if (shortYear) setCentury(moment, latest);
      return exists(moment) ? moment : null;
    },
    write: (moment: Moment): string => {
      let text = '';
      const shown = isOf12 ? hourOf12(moment) : moment;
      for (const piece of pieces) text += writtenAs(piece, shown);
      return text;
    },
  };
}

/** What the digits of a text say, or `null` when it has another form. Whether there is such a day is not asked. */
type Read = (text: string) => Moment | null;

/** For patterns whose parts have a certain width: no regular expression, which takes three times as long. */
function fixedReader(pieces: readonly Piece[]): Read {
  const length = pieces.reduce((sum, piece) => sum + widthOf(piece), 0);
  return (text) => {
    if (text.length !== length) return null;
    const moment = newMoment();
    let at = 0;
    for (const piece of pieces) {
      if (typeof piece === 'string') {
        if (!text.startsWith(piece, at)) return null;
      } else {
        const number = numberAt(text, at, at + piece.width);
        if (number < 0) return null;
        moment[piece.place] = number;
      }
      at += widthOf(piece);
    }
    return moment;
  };
}

function widthOf(piece: Piece): number {
  return typeof piece === 'string' ? piece.length : piece.width;
}

const ZERO = 0x30;

/** The number of these digits; -1 when something else is there. */
function numberAt(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9) return -1;
    number = number * 10 + digit;
  }
  return number;
}

function freeReader(pieces: readonly Piece[], order: readonly number[]): Read {
  const sources = pieces.map((piece) =>
    typeof piece === 'string'
      ? piece.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&').replaceAll(' ', BLANK)
      : piece.digits,
  );
  const form = new RegExp(`^${sources.join('')}$`);
  return (text) => {
    const found = form.exec(text);
    if (found === null) return null;
    const moment = newMoment();
    let half: string | undefined;
    for (const [at, place] of order.entries())
      if (place === HALF) half = found[at + 1];
      else moment[place] = Number(found[at + 1]);
    if (half !== undefined) moment[HOUR] = hourOf24(moment[HOUR], half);
    return moment;
  };
}

/** The hour of a clock of twelve; 24, which no day has, where there is no such hour. */
function hourOf24(hour: number, half: string): number {
  if (hour < 1 || hour > 12) return 24;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

/** A moment with its hour on a clock of twelve, and what the hour of the day is written from behind it. */
function hourOf12([year, month, day, hour, minute, second]: Moment): readonly number[] {
  return [year, month, day, hour % 12 || 12, minute, second, hour];
}

/** Programs write blanks that do not break before am and pm. */
const BLANK = '[ \\u00a0\\u202f]';

function newMoment(): Moment {
  return [1900, 1, 1, 0, 0, 0];
}

function exists(moment: Moment): boolean {
  const month = moment[MONTH];
  const day = moment[DAY];
  if (month < 1 || month > 12 || day < 1) return false;
  if (moment[HOUR] > 23 || moment[MINUTE] > 59 || moment[SECOND] > 59) return false;
  return day <= daysIn(moment[YEAR], month);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function writtenAs(piece: Piece, moment: readonly number[]): string {
  if (typeof piece === 'string') return piece;
  const number = moment[piece.place] ?? 0;
  if (piece.place === HALF) return number < 12 ? 'AM' : 'PM';
  if (piece.width === 1) return String(number);
  const two = TWO_DIGITS[number % 100] ?? '';
  return piece.width === 2 ? two : (TWO_DIGITS[Math.floor(number / 100)] ?? '') + two;
}

/** Numbers below 100 with two digits: there are few of them, and making them anew takes most of the time of a date. */
const TWO_DIGITS = Array.from({ length: 100 }, (_, number) => String(number).padStart(2, '0'));

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

/** @param isWritten whether a pattern of the mapping has read it */
export function dayLook(isWritten: boolean, [, , day]: Moment): string {
  const { stored, storedOver12, written, writtenOver12 } = DAY_LOOKS;
  if (day > 12) return isWritten ? writtenOver12 : storedOver12;
  return isWritten ? written : stored;
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
  !look.includes(OR) &&
  known.some((pattern) =>
    takes(
      pattern.replace(/[dM]/g, (letter) => (letter === 'd' ? 'M' : 'd')),
      look,
    ),
  );

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
const MONTH_WORD = String.raw`([\p{L}\p{M}][\p{L}\p{M}'’. ]{1,30}?)`;
const DAY_NUMBER = String.raw`(\d{1,2})(?:st|nd|rd|th|er|[º°])?`;
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
  ['mdy', form(String.raw`${WEEKDAY}${MONTH_WORD}[. -] ?${DAY_NUMBER}[, -] ?(\d{4})${AT}`)],
  [
    'dmy',
    form(
      String.raw`${WEEKDAY}(?:(?:le|el|den|il) )?${DAY_NUMBER}(?:\. |[ ./-])${MONTH_WORD}[.,]?[ ./-](\d{4}|\d\d)${YEAR_WORD}${AT}`,
    ),
  ],
  [
    'ymd',
    form(
      String.raw`(\d{4})[.,]?(?: m\.| ж\.)?[ -]${MONTH_WORD}[. -] ?${DAY_NUMBER}\.?(?: d\.)?${AT}`,
    ),
  ],
  ['ydm', form(String.raw`(\d{4})(?:\. gada| ж\.| жылғы) ${DAY_NUMBER}\.? ${MONTH_WORD}${AT}`)],
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
  if (EPOCH.test(text)) {
    const date = new Date(Number(text) * (text.length === SECONDS_DIGITS ? 1000 : 1));
    const day = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()] as const;
    return [...day, date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()];
  }
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

const THAI = /\p{Script=Thai}/u;

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
