import type { Cell } from '../../../core/table.js';

/** What a number format shows of a number. `elapsed` counts hours beyond 24. */
export type FormatKind = 'number' | 'date' | 'time' | 'datetime' | 'elapsed';

/** What a cell format makes of numbers: a kind, or a format that shows more than the number. */
export type CellFormat = FormatKind | NumberFormat;

/** The format of a code. */
export function cellFormat(code: string): CellFormat {
  const kind = formatKind(code);
  return kind === 'number' ? (NumberFormat.of(code) ?? kind) : kind;
}

/** Formats that are known by number alone (ECMA-376, 18.8.30); 27 to 36 and 50 to 58 are dates in East Asia. */
export function builtinFormat(id: number): FormatKind {
  if (id >= 14 && id <= 17) return 'date';
  if (id >= 18 && id <= 21) return 'time';
  if (id === 22) return 'datetime';
  if (id === 45 || id === 47) return 'time';
  if (id === 46) return 'elapsed';
  if (id === 32 || id === 33) return 'time';
  if ((id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return 'date';
  return 'number';
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
 */
class NumberFormat {
  private constructor(private readonly sections: readonly Section[]) {}

  /** The format of a code; `null` where it shows every number as one. */
  static of(code: string): NumberFormat | null {
    if (code === '' || code.length > MAX_LETTERS) return null;
    const sections = sectionsOf(code);
    if (sections.length > 1 && sections.at(-1)?.isText) sections.pop();
    const numeric = sections.slice(0, NUMERIC_SECTIONS);
    return numeric.every(({ isPlain }) => isPlain) ? null : new NumberFormat(numeric);
  }

  /** What a number shows, beside itself where that is another text. @param plain the number in plain digits */
  content(plain: string): CellContent {
    if (!PLAIN_NUMBER.test(plain)) return plain;
    const value = Number(plain);
    const section = this.sectionFor(value);
    if (section === undefined || section.isPlain) return plainNumber(plain);
    const shown = shownBy(section, plain, value, this.hasOwnSign(section));
    return shown === plain || shown === undefined
      ? plainNumber(plain)
      : { text: shown, number: plain };
  }

  /** As spreadsheet programs choose: by conditions where there are any, else positive, negative, zero. */
  private sectionFor(value: number): Section | undefined {
    const { sections } = this;
    const [first, second, third] = sections;
    if (!sections.some(({ condition }) => condition)) {
      if (value < 0) return second ?? first;
      return value === 0 ? (third ?? first) : first;
    }
    if (first?.condition?.(value)) return first;
    if (second?.condition?.(value)) return second;
    return first?.condition && second?.condition ? third : (second ?? first);
  }

  /** Whether a section is for negative numbers alone, and shows itself what they are. */
  private hasOwnSign(section: Section): boolean {
    const { sections } = this;
    const takes = (value: number): boolean => sections.some((one) => one.condition?.(value));
    if (!sections.some(({ condition }) => condition)) return sections.indexOf(section) === 1;
    if (section.condition) return !section.condition(0) && !section.condition(1);
    return takes(0) && takes(1);
  }
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

interface Section {
  readonly tokens: readonly Token[];
  readonly condition?: ((value: number) => boolean) | undefined;
  /** Whether it shows numbers as they are. */
  readonly isPlain: boolean;
  /** Whether it is for texts. */
  readonly isText: boolean;
}

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

function sectionOf(code: string): Section {
  const tokens: Token[] = [];
  let condition: Section['condition'];
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

function conditionOf(tag: string): Section['condition'] {
  const [, operator, bound] = SECTION_CONDITION.exec(tag) ?? [];
  const limit = Number(bound);
  switch (operator) {
    case '<':
      return (value) => value < limit;
    case '<=':
      return (value) => value <= limit;
    case '>':
      return (value) => value > limit;
    case '>=':
      return (value) => value >= limit;
    case '=':
      return (value) => value === limit;
    case '<>':
      return (value) => value !== limit;
    default:
      return undefined;
  }
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
  return hasNumber && zeros <= 1 && isBare && hasUnit && isJoined(tokens);
}

/** Whether nothing stands between its digits. */
function isJoined(tokens: readonly Token[]): boolean {
  const first = tokens.findIndex(({ kind }) => kind !== 'text');
  const last = tokens.findLastIndex(({ kind }) => kind !== 'text');
  return tokens.slice(first, last).every(({ kind }) => kind !== 'text');
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
  const { whole, fraction } = rounded(magnitude, places);
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

/** A number without a sign, rounded half up to so many decimals, on its digits. */
function rounded(magnitude: string, places: number): { whole: string; fraction: string } {
  const [whole = '0', fraction = ''] = magnitude.split('.');
  if (fraction.length <= places) return { whole, fraction: fraction.padEnd(places, '0') };
  const kept =
    BigInt(whole + fraction.slice(0, places)) + ((fraction[places] ?? '0') >= '5' ? 1n : 0n);
  const digits = String(kept).padStart(places + 1, '0');
  const at = digits.length - places;
  return { whole: digits.slice(0, at), fraction: digits.slice(at) };
}

/** A cell that is more than its text. */
export interface SpecialCell {
  /** What it shows. */
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
