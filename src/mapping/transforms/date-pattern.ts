/** A moment of the calendar, as far as a pattern tells it. */
export interface Moment {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

export type Part = keyof Moment;

interface Token {
  readonly part: Part;
  readonly digits: string;
  readonly width: number;
}

const TOKENS: Readonly<Record<string, Token>> = {
  yyyy: { part: 'year', digits: '(\\d{4})', width: 4 },
  yy: { part: 'year', digits: '(\\d{2})', width: 2 },
  MM: { part: 'month', digits: '(\\d{2})', width: 2 },
  M: { part: 'month', digits: '(\\d{1,2})', width: 1 },
  dd: { part: 'day', digits: '(\\d{2})', width: 2 },
  d: { part: 'day', digits: '(\\d{1,2})', width: 1 },
  HH: { part: 'hour', digits: '(\\d{2})', width: 2 },
  H: { part: 'hour', digits: '(\\d{1,2})', width: 1 },
  mm: { part: 'minute', digits: '(\\d{2})', width: 2 },
  ss: { part: 'second', digits: '(\\d{2})', width: 2 },
};

/** Two-digit years from here on are of the last century, as in POSIX. */
const PIVOT = 69;

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
  /** What the pattern tells of a moment. */
  readonly parts: ReadonlySet<Part>;
  /** The moment, or `null` when the text has another form or there is no such day or time. */
  readonly read: (text: string) => Moment | null;
  readonly write: (moment: Moment) => string;
}

/** Compiles a pattern. @throws PatternError when letters mean nothing, a part comes twice, or there is none. */
export function compileDate(pattern: string): DatePattern {
  const pieces = piecesOf(pattern);
  const tokens = pieces.filter((piece) => typeof piece !== 'string');
  const order = tokens.map(({ part }) => part);
  const parts = new Set(order);
  if (order.length === 0 || parts.size < order.length) throw new PatternError(pattern);
  const form = new RegExp(`^${pieces.map(sourceOf).join('')}$`);
  const shortYear = tokens.some(({ part, width }) => part === 'year' && width === 2);
  return {
    parts,
    read(text) {
      const found = form.exec(text);
      return found === null ? null : momentOf(order, found, shortYear);
    },
    write(moment) {
      let text = '';
      for (const piece of pieces) text += writtenAs(piece, moment);
      return text;
    },
  };
}

function sourceOf(piece: Piece): string {
  return typeof piece === 'string' ? escape(piece) : piece.digits;
}

function momentOf(
  parts: readonly Part[],
  found: readonly string[],
  shortYear: boolean,
): Moment | null {
  const moment = { year: 1900, month: 1, day: 1, hour: 0, minute: 0, second: 0 };
  let group = 1;
  for (const part of parts) moment[part] = Number(found[group++]);
  if (shortYear) moment.year += moment.year >= PIVOT ? 1900 : 2000;
  return exists(moment) ? moment : null;
}

function exists({ year, month, day, hour, minute, second }: Moment): boolean {
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return false;
  return day <= daysIn(year, month);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function writtenAs(piece: Piece, moment: Moment): string {
  if (typeof piece === 'string') return piece;
  const { part, width } = piece;
  const number = part === 'year' && width === 2 ? moment.year % 100 : moment[part];
  return String(number).padStart(width, '0');
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
