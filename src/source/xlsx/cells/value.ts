import type { Cell } from '../../../core/table.js';
import type { StringTable } from '../table.js';
import { decodeEscapes } from '../xml.js';

/** What the cells of all sheets refer to. */
export interface Shared {
  readonly strings: StringTable;
  readonly styles: readonly CellFormat[];
  /** Whether the workbook names styles and has none, so that a number may be a date. */
  readonly lacksStyles: boolean;
  readonly date1904: boolean;
}

/** A cell refers to a shared string that does not exist. */
export class NoSuchStringError extends Error {}

/**
 * The text of a cell from its stored value. `type` is the attribute `t` of the cell, `style` its attribute `s`.
 * @throws NoSuchStringError
 */
export function cellText(value: string, type: string, style: number, shared: Shared): CellContent {
  if (type === 'e') return errorCell(value.trim());
  if (value === '') return null;
  switch (type) {
    case 's':
      return sharedText(value, shared);
    case 'b': {
      const text = value.trim();
      if (text === '1') return 'true';
      return text === '0' ? 'false' : text.toLowerCase();
    }
    case 'd':
      return isoText(value.trim());
    case 'str':
    case 'inlineStr':
      return decodeEscapes(value);
    default:
      return numericText(value, shared.styles[style] ?? 'number', shared.date1904);
  }
}

/** The text of a number as its format shows it; text that is no number is given as it is. */
export function numericText(stored: string, format: CellFormat, date1904: boolean): CellContent {
  const value = stored.trim();
  if (value === '') return null;
  if (format === 'number') return plainNumber(numberText(value));
  if (typeof format === 'object') return format.content(numberText(value));
  const serial = Number(value);
  const date = Number.isFinite(serial) ? dateText(serial, format, date1904) : null;
  return date ?? plainNumber(numberText(value));
}

function sharedText(value: string, { strings }: Shared): Cell {
  const digits = value.trim();
  const text = /^\d{1,9}$/.test(digits) ? strings.get(Number(digits)) : undefined;
  if (text === undefined) throw new NoSuchStringError();
  return text === '' ? null : text;
}

/** Digits that a spreadsheet program shows and computes with. */
const SIGNIFICANT = 15;
const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;
/** Whole numbers up to here are kept to the last digit. */
const EXACT = String(Number.MAX_SAFE_INTEGER + 1);

/**
 * The number of a cell in plain digits, never with an exponent: `7.9161234567E10` is `79161234567`. Computed on the
 * digits, so that nothing is lost to binary fractions.
 *
 * Files store up to 17 digits, of which the program shows 15: `0.30000000000000004` is `0.3`. So more than 15
 * significant digits are rounded to 15, except in a number that is stored as a plain whole one of at most 2^53, which
 * keeps all of its digits: a card number of 16 digits must not change. Text that is no number is given as it is.
 */
export function numberText(text: string): string {
  const match = NUMBER.exec(text);
  if (match === null) return text;
  const [, sign = '', whole = '', fraction, exponent] = match;
  if (whole === '' && (fraction === undefined || fraction === '')) return text;
  const digits = whole + (fraction ?? '');
  const point = whole.length + Number(exponent ?? 0);
  const keep = fraction === undefined && exponent === undefined && isExact(whole);
  const plain = keep ? whole.replace(/^0+(?=\d)/, '') : placed(digits, point);
  return sign === '-' && plain !== '0' ? `-${plain}` : plain;
}

function isExact(whole: string): boolean {
  const digits = whole.replace(/^0+/, '');
  return digits.length < EXACT.length || (digits.length === EXACT.length && digits <= EXACT);
}

/** `0.<digits>` times 10 to the power of `point`, rounded to 15 significant digits. */
function placed(stored: string, before: number): string {
  let digits = stored.replace(/^0+/, '');
  if (digits === '') return '0';
  // How many of the digits stand before the point; may be negative or beyond their count.
  let point = before - (stored.length - digits.length);
  if (digits.length > SIGNIFICANT) {
    const up = (digits[SIGNIFICANT] ?? '0') >= '5' ? 1n : 0n;
    digits = String(BigInt(digits.slice(0, SIGNIFICANT)) + up);
    point += digits.length - SIGNIFICANT;
  }
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  const fraction = point > 0 ? digits.slice(point) : '0'.repeat(-point) + digits;
  const trimmed = fraction.replace(/0+$/, '');
  return trimmed === '' ? whole : `${whole}.${trimmed}`;
}

const DAY = 86_400;
/** 9999-12-31 in the 1900 system; Excel shows no date beyond it. */
const LAST_DAY = 2_958_466;
/** 0000-01-01: there is no form for years before. */
const FIRST_DAY = -693_959;
/** Days between the beginnings of the two systems. */
const SYSTEMS_APART = 1_462;
const FEBRUARY_29_1900 = 60;
const EPOCH = Date.UTC(1899, 11, 30);

/**
 * The text of a number that is formatted as a date or time; `null` when it is none that a spreadsheet program shows.
 *
 * The form follows the value, so that nothing of it is lost: a number below 1 is a time (`HH:MM:SS`), a whole one a
 * date (`YYYY-MM-DD`, unless the format shows a time too), the rest both (`YYYY-MM-DDTHH:MM:SS`). Elapsed time counts
 * hours beyond 24. Seconds are rounded, as the cell shows them. Day 60 of the 1900 system is 1900-02-29, a day that
 * never was and that Excel shows; the days before it are one later than a plain count gives.
 */
function dateText(serial: number, kind: FormatKind, date1904: boolean): string | null {
  const seconds = Math.round(serial * DAY);
  if (kind === 'elapsed') return seconds < 0 ? null : time(seconds);
  if (serial >= 0 && serial < 1) return time(seconds % DAY);
  const wholeDays = Math.floor(seconds / DAY);
  const days = wholeDays + (date1904 ? SYSTEMS_APART : 0);
  if (days >= LAST_DAY || days < FIRST_DAY) return null;
  const rest = seconds - wholeDays * DAY;
  const day = dayText(days);
  return rest === 0 && kind !== 'datetime' ? day : `${day}T${time(rest)}`;
}

function dayText(days: number): string {
  if (days === FEBRUARY_29_1900) return '1900-02-29';
  const shifted = days > 0 && days < FEBRUARY_29_1900 ? days + 1 : days;
  const date = new Date(EPOCH + shifted * DAY * 1000);
  // Three times as fast as `toISOString`, which counts in columns of dates.
  const year = String(date.getUTCFullYear()).padStart(4, '0');
  return `${year}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`;
}

function time(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  return `${two(hours)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

const ISO = /^(\d{4}-\d\d-\d\d)?(?:T?(\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?)?(?:Z|[+-]\d\d:?\d\d)?$/;
const DURATION = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/**
 * The text of a cell that holds an ISO 8601 date, time or duration (`t="d"`): without a time zone, which no cell shows,
 * and with seconds rounded as those of numbers are. A duration counts hours beyond 24.
 */
export function isoText(text: string): string {
  const match = ISO.exec(text);
  if (match === null || text === '') return durationText(text) ?? text;
  const [, day, hours, minutes, seconds] = match;
  if (hours === undefined) return day ?? text;
  const rounded = secondsOf(hours, minutes, seconds);
  if (day === undefined) return time(rounded % DAY);
  if (rounded < DAY) return `${day}T${time(rounded)}`;
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + DAY * 1000);
  return Number.isNaN(next.getTime()) ? text : `${next.toISOString().slice(0, 10)}T${time(0)}`;
}

function durationText(text: string): string | null {
  const match = DURATION.exec(text);
  if (match === null || !/\d/.test(text)) return null;
  const [, days = '0', hours, minutes, seconds] = match;
  return time(Number(days) * DAY + secondsOf(hours, minutes, seconds));
}

function secondsOf(hours = '0', minutes = '0', seconds = '0'): number {
  return Math.round((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds));
}

/** What a number format shows of a number. `elapsed` counts hours beyond 24. */
export type FormatKind = 'number' | 'date' | 'time' | 'datetime' | 'elapsed';

/** What a cell format makes of numbers: a kind, or a format that shows more than the number. */
export type CellFormat = FormatKind | NonNullable<ReturnType<typeof numberFormat>>;

/** The format of a code. */
export function cellFormat(code: string): CellFormat {
  const kind = formatKind(code);
  return kind === 'number' ? (numberFormat(code) ?? kind) : kind;
}

/** Formats that are known by number alone (ECMA-376, 18.8.30); 27 to 36 and 50 to 58 are dates in East Asia. */
export function builtinFormat(id: number): FormatKind {
  if (id === 22) return 'datetime';
  if (id === 46) return 'elapsed';
  if ([18, 19, 20, 21, 32, 33, 45, 47].includes(id)) return 'time';
  const isDate = (id >= 14 && id <= 17) || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);
  return isDate ? 'date' : 'number';
}

const ELAPSED = /\[(h+|m+|s+)\]/i;
/** What is text in a format: quoted, escaped, repeated or as wide as a character. */
const QUOTED = /"[^"]*"?|\\.|_.|\*./g;
/** The same, and what stands in brackets such as `[Red]`. What is not closed goes on to the end: nothing is read twice. */
const LITERAL = /"[^"]*"?|\\.|_.|\*.|\[[^\]]*\]?/g;

/**
 * Classifies a format code by its first section, the one for positive numbers, which dates are; where that has a condition
 * such as `[<1]`, by the first section that shows a date. `General` and colours hold letters of dates too.
 */
export function formatKind(code: string): FormatKind {
  if (code.length > MAX_LETTERS) return 'number';
  const sections = code.match(SECTION) ?? [''];
  const [first = ''] = sections;
  const considered = CONDITION.test(first) ? sections : [first];
  return considered.map(sectionKind).find((kind) => kind !== 'number') ?? 'number';
}

/** Excel takes 255; longer ones are no formats, and would take the patterns long. */
const MAX_LETTERS = 1_000;
const SECTION = /(?:"[^"]*"?|\\.|\[[^\]]*\]?|[^;])+/g;
const CONDITION = /^\s*(?:\[[^\]]*\])*\[[<>=]/;

function sectionKind(section: string): FormatKind {
  if (ELAPSED.test(section.replaceAll(QUOTED, ' '))) return 'elapsed';
  const bare = section.replaceAll(LITERAL, ' ').replaceAll(/general|standard/gi, '');
  const time = /[hs]|am\/pm|a\/p/i.test(bare);
  const date = /[yd]|e(?![+-])|b[12]|g/i.test(bare) || (/m/i.test(bare) && !time);
  if (date && time) return 'datetime';
  if (date) return /[#0?]/.test(bare) ? 'number' : 'date';
  return time ? 'time' : 'number';
}

/**
 * A number format that shows more than the number: zeros in front (`00000`), signs and words beside it (`"+49 "0`), signs
 * among its digits (`000-000-0000`). What it shows is what a person means, and what a CSV file of the sheet has.
 *
 * Quantities stay numbers, whose signs depend on the language of the computer: formats with thousands, decimals alone,
 * percents, currencies, exponents and fractions.
 * @returns `null` where it shows every number as one
 */
function numberFormat(code: string) {
  if (code === '' || code.length > MAX_LETTERS) return null;
  const all = sectionsOf(code);
  if (all.length > 1 && all.at(-1)?.isText) all.pop();
  const sections = all.slice(0, NUMERIC_SECTIONS);
  if (sections.every(({ isPlain }) => isPlain)) return null;
  const [first, second, third] = sections;
  const hasConditions = sections.some(({ condition }) => condition);
  // As spreadsheet programs choose: by conditions where there are any, else positive, negative, zero.
  const sectionFor = (value: number): Section | undefined => {
    if (!hasConditions) {
      if (value < 0) return second ?? first;
      return value === 0 ? (third ?? first) : first;
    }
    if (first?.condition?.(value)) return first;
    if (second?.condition?.(value)) return second;
    return first?.condition && second?.condition ? third : (second ?? first);
  };
  // Whether a section is for negative numbers alone, and shows itself what they are.
  const hasOwnSign = (section: Section): boolean => {
    const takes = (value: number): boolean => sections.some((one) => one.condition?.(value));
    if (!hasConditions) return section === second;
    if (section.condition) return !section.condition(0) && !section.condition(1);
    return takes(0) && takes(1);
  };
  return {
    /** What a number shows, beside itself where that is another text. @param plain the number in plain digits */
    content: (plain: string): CellContent => {
      if (!PLAIN_NUMBER.test(plain)) return plain;
      const value = Number(plain);
      const section = sectionFor(value);
      if (section === undefined || section.isPlain) return plainNumber(plain);
      const shown = shownBy(section, plain, value, hasOwnSign(section));
      return shown === plain || shown === undefined
        ? plainNumber(plain)
        : { text: shown, number: plain };
    },
  };
}

const NUMERIC_SECTIONS = 3;
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;
const SECTION_CONDITION = /^\[(<=|>=|<>|<|>|=)\s*(-?\d+(?:\.\d+)?)\]$/;
const CURRENCY_TAG = /^\[\$[^\]-]/;
/** Words for money beside the codes of currencies and their signs. */
const MONEY = /\p{Sc}|^(?:kr|zł|kč|ft|lei|лв|руб|р|грн|fr|rs|din|km|дин|тг|сум)\.?$/iu;

/** Part of a section: a digit's place (`0`, `#`, `?`), the decimal point, the number as it is, or text. */
type Token =
  | { readonly kind: 'digit'; readonly sign: string }
  | { readonly kind: 'point' | 'general' }
  | { readonly kind: 'text'; readonly text: string };

type Section = ReturnType<typeof sectionOf>;

/** Its sections; an empty one shows nothing. */
function sectionsOf(code: string): Section[] {
  const sections: Section[] = [];
  let own = '';
  for (const part of code.match(/"[^"]*"?|\\[^]|[_*][^]|\[[^\]]*\]?|;|[^]/g) ?? []) {
    if (part !== ';') own += part;
    else {
      sections.push(sectionOf(own));
      own = '';
    }
  }
  return [...sections, sectionOf(own)];
}

const PARTS = /"([^"]*)"?|\\([^])|_([^])|\*[^]|\[[^\]]*\]?|general|standard|e[+-]|[^]/gi;

/** A section; `isPlain`: it shows numbers as they are, and `isText`: it is for texts. */
function sectionOf(code: string) {
  const tokens: Token[] = [];
  let condition: ReturnType<typeof conditionOf>;
  let [isQuantity, isText] = [false, false];
  for (const match of code.matchAll(PARTS)) {
    const [part, quoted, escaped, wide] = match;
    const literal = quoted ?? escaped ?? (wide === undefined ? undefined : ' ');
    if (literal !== undefined) tokens.push({ kind: 'text', text: literal });
    else if (part.startsWith('[')) {
      condition ??= conditionOf(part);
      isQuantity ||= CURRENCY_TAG.test(part);
    } else if (part.startsWith('*') && part.length > 1) continue;
    else if (/^(?:general|standard)$/i.test(part)) tokens.push({ kind: 'general' });
    else if (/^[0#?]$/.test(part)) tokens.push({ kind: 'digit', sign: part });
    else if (part === '.' && isAmongDigits(code, match.index)) tokens.push({ kind: 'point' });
    else if (part === '@') isText = true;
    else if (part === '%' || part.length > 1) isQuantity = true;
    else if (/[,/]/.test(part) && isAmongDigits(code, match.index)) isQuantity = true;
    else tokens.push({ kind: 'text', text: part });
  }
  const isPlain = isText || isQuantity || showsItself(tokens);
  return { tokens, condition, isPlain, isText };
}

const COMPARED: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
  '>': (value, limit) => value > limit,
  '>=': (value, limit) => value >= limit,
  '=': (value, limit) => value === limit,
  '<>': (value, limit) => value !== limit,
};

function conditionOf(tag: string): ((value: number) => boolean) | undefined {
  const [, operator = '', bound] = SECTION_CONDITION.exec(tag) ?? [];
  const compared = COMPARED[operator];
  const limit = Number(bound);
  return compared && ((value) => compared(value, limit));
}

/** Whether a comma, point or slash stands beside the place of a digit, and so has a meaning. */
function isAmongDigits(code: string, at: number): boolean {
  return /[0#?]/.test(code[at - 1] ?? '') || /[0#?]/.test(code[at + 1] ?? '');
}

/** A number with at most one zero in front of its point, or money: beside it nothing but blanks, brackets and minus. */
function showsItself(tokens: readonly Token[]): boolean {
  if (tokens.length === 0) return false;
  const point = tokens.findIndex(({ kind }) => kind === 'point');
  const whole = point < 0 ? tokens : tokens.slice(0, point);
  const zeros = whole.filter((token) => token.kind === 'digit' && token.sign === '0').length;
  const texts = tokens.flatMap((token) => (token.kind === 'text' ? [token.text.trim()] : []));
  if (texts.some(isMoney)) return true;
  const hasNumber = tokens.some(({ kind }) => kind === 'digit' || kind === 'general');
  // A word behind a number is a unit: `0 "days"` is a quantity.
  const isBeside = (text: string): boolean => /^[-()\u2212]*$/.test(text);
  const last = tokens.findLastIndex(({ kind }) => kind !== 'text');
  const unit = tokens.slice(last + 1).map((token) => (token.kind === 'text' ? token.text : ''));
  const before = tokens.slice(0, last + 1);
  const isBare = before.every((token) => token.kind !== 'text' || isBeside(token.text.trim()));
  const hasUnit = /^[\s\p{L}.()-]*$/u.test(unit.join(''));
  const first = tokens.findIndex(({ kind }) => kind !== 'text');
  const isJoined = tokens.slice(first, last).every(({ kind }) => kind !== 'text');
  return hasNumber && zeros <= 1 && isBare && hasUnit && isJoined;
}

let codes: ReadonlySet<string> | undefined;

function isMoney(text: string): boolean {
  codes ??= new Set(Intl.supportedValuesOf('currency'));
  return MONEY.test(text) || codes.has(text);
}

/** `undefined` where the number is better shown as it is: where its sign would be lost, or all of it is hidden. */
function shownBy(
  { tokens }: Section,
  plain: string,
  value: number,
  hasOwnSign: boolean,
): string | undefined {
  const magnitude = plain.replace('-', '');
  if (tokens.length === 0) return undefined;
  const hasNumber = tokens.some(({ kind }) => kind !== 'text');
  const text = hasNumber ? filled(tokens, magnitude) : textsOf(tokens);
  const shown = text.replaceAll(/\s+/g, ' ').trim();
  if (shown === '') return undefined;
  if (value >= 0) return shown;
  if (!hasOwnSign) return `-${shown}`;
  return /[-(\u2212]/.test(shown) ? shown : undefined;
}

const textsOf = (tokens: readonly Token[]): string =>
  tokens.map((token) => (token.kind === 'text' ? token.text : '')).join('');

/** Puts digits in their places: before the point from the right, where the first place takes all that are left. */
function filled(tokens: readonly Token[], magnitude: string): string {
  const point = tokens.findIndex(({ kind }) => kind === 'point');
  const end = point < 0 ? tokens.length : point;
  const isDigit = ({ kind }: Token): boolean => kind === 'digit';
  const places = tokens.slice(end).filter(isDigit).length;
  const { whole, fraction } = formatRounded(magnitude, places);
  const first = tokens.findIndex(isDigit);
  let left = whole === '0' ? '' : whole;
  let text = '';
  for (let at = end - 1; at >= 0; at--) {
    const token = tokens[at];
    if (token?.kind === 'text') text = token.text + text;
    else if (token?.kind === 'general') text = magnitude + text;
    else if (token?.kind === 'digit') {
      const taken = at === first ? left : left.slice(-1);
      left = left.slice(0, left.length - taken.length);
      text = (taken === '' ? emptyPlace(token.sign) : taken) + text;
    }
  }
  let decimals = fraction;
  for (const token of tokens.slice(end)) {
    if (token.kind === 'point') text += '.';
    else if (token.kind === 'text') text += token.text;
    else if (token.kind === 'digit') {
      const isLost = token.sign !== '0' && /^0*$/.test(decimals);
      text += isLost ? emptyPlace(token.sign) : decimals.slice(0, 1);
      decimals = decimals.slice(1);
    }
  }
  return text;
}

const emptyPlace = (sign: string): string => (sign === '0' ? '0' : sign === '?' ? ' ' : '');

/** A number without a sign, formatRounded half up to so many decimals, on its digits. */
function formatRounded(magnitude: string, places: number): { whole: string; fraction: string } {
  const [whole = '0', fraction = ''] = magnitude.split('.');
  if (fraction.length <= places) return { whole, fraction: fraction.padEnd(places, '0') };
  const kept =
    BigInt(whole + fraction.slice(0, places)) + ((fraction[places] ?? '0') >= '5' ? 1n : 0n);
  const digits = String(kept).padStart(places + 1, '0');
  const at = digits.length - places;
  return { whole: digits.slice(0, at), fraction: digits.slice(at) };
}

/** A cell that is more than its text. */
interface SpecialCell {
  readonly text: Cell;
  /** The number in it, in plain digits, where its format shows it as another text, or where it has decimals. */
  readonly number?: string;
  /** Whether it is the error of a formula, such as `#N/A`. */
  readonly isError?: boolean;
}

/** What a cell of a workbook holds. */
export type CellContent = Cell | SpecialCell;

/** A number as it is shown; one with decimals says what it is, since its point could stand between thousands. */
export const plainNumber = (text: string): CellContent =>
  text.includes('.') ? { text, number: text } : text;

/** What a cell holds that is the error of a formula. */
export const errorCell = (text: string): SpecialCell => ({
  text: text === '' ? '#VALUE!' : text,
  isError: true,
});
