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
export function setCentury(moment: Moment, latest: number): void {
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
export interface DatePattern {
  /** What the pattern shows of a moment. */
  readonly parts: ReadonlySet<Part>;
  /** The moment, or `null` when the text has another form or there is no such day or time. */
  readonly read: (text: string) => Moment | null;
  readonly write: (moment: Moment) => string;
}

/**
 * Compiles a pattern.
 * @param latest day that a year of two digits may not go beyond, as `20261231`. @default none
 * @throws PatternError when letters mean nothing, a part comes twice, or there is none
 */
export function compileDate(pattern: string, latest = Infinity): DatePattern {
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
    parts,
    read(text) {
      const moment = read(text);
      if (moment === null) return null;
      if (shortYear) setCentury(moment, latest);
      return exists(moment) ? moment : null;
    },
    write(moment) {
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
  const form = new RegExp(`^${pieces.map(sourceOf).join('')}$`);
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
export function hourOf24(hour: number, half: string): number {
  if (hour < 1 || hour > 12) return 24;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

/** A moment with its hour on a clock of twelve, and what the hour of the day is written from behind it. */
function hourOf12([year, month, day, hour, minute, second]: Moment): readonly number[] {
  return [year, month, day, hour % 12 || 12, minute, second, hour];
}

const BLANK = '[ \\u00a0\\u202f]';

function sourceOf(piece: Piece): string {
  // Programs write blanks that do not break before am and pm.
  return typeof piece === 'string' ? escape(piece).replaceAll(' ', BLANK) : piece.digits;
}

function newMoment(): Moment {
  return [1900, 1, 1, 0, 0, 0];
}

/** Whether there is such a day and such a time. */
export function exists(moment: Moment): boolean {
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

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
