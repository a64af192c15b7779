import { asciiDigits } from './digits.js';
import { InvalidValue } from './step.js';

/** Which sign stands before decimals; `either`: both are possible, with another number; `none`: there is no sign. */
type NumberLook = 'point' | 'comma' | 'either' | 'none';

interface NumberText {
  readonly look: NumberLook;
  /** Digits, with a point before decimals; of an ambiguous number, as if the point were that. */
  readonly text: string;
}

/** A number without what stands around it. */
interface Amount {
  readonly isNegative: boolean;
  /** Digits, and the signs and blanks between them; every blank is a plain one, every apostrophe a straight one. */
  readonly digits: string;
}

const PLAIN = /^(-?)([\d.,]*\d)$/;
const BLANKS = /[\s\u2000-\u200a]+/gu;
const MINUS = /[\u2010-\u2013\u2212\ufe63\uff0d]/g;
const APOSTROPHES = /[\u2018\u2019\u02bc\uff07`\u00b4]/g;
/** Nobody writes a number with more characters. */
const MAX_LENGTH = 100;
/** What may stand around the digits: a sign or brackets, and money, in any order. */
const AROUND = /^([^\d]*?)((?:\d[\d.,' ]*)?\d)([.,]-+)?([^\d]*)$/;

/**
 * What a text says around the digits of a number: a minus before or behind it, or brackets, and a currency. `null` where
 * anything else stands there, such as a unit or a percent sign.
 */
export function amountOf(text: string): Amount | null {
  const plain = PLAIN.exec(text);
  if (plain?.[2] !== undefined) return { isNegative: plain[1] === '-', digits: plain[2] };
  if (text.length > MAX_LENGTH) return null;
  const usual = asciiDigits(text)
    .trim()
    .replace(BLANKS, ' ')
    .replace(MINUS, '-')
    .replace(APOSTROPHES, "'");
  const found = AROUND.exec(usual);
  if (found === null) return null;
  const [, before = '', digits = '', , behind = ''] = found;
  const signs = signsIn(before, behind);
  if (signs === null) return null;
  const money = [before, behind].map((part) => part.replace(/[-+()]/g, '').trim());
  if (!money.every((part) => part === '' || isCurrency(part))) return null;
  return { isNegative: signs === 'negative', digits };
}

/** One minus, before the digits or behind them, or a pair of brackets; `null` where there is anything else. */
function signsIn(before: string, behind: string): 'positive' | 'negative' | null {
  const [left, right] = [before, behind].map((part) => part.replace(/[^-+()]/g, ''));
  if (left === '(' && right === ')') return 'negative';
  const sign = `${left}${right}`;
  if (sign === '-') return 'negative';
  return sign === '' || (sign === '+' && right === '') ? 'positive' : null;
}

/** Blanks and apostrophes between thousands, which are these in any style. */
const GROUPED = `\\d{1,3}(?: \\d{3})+|\\d{1,3}(?:'\\d{3})+`;
/** Nobody groups a number that begins with a zero: `0.125` has decimals. Commas may stand as in India: `12,34,567`. */
const formOf = (decimal: string, thousands: string): RegExp =>
  new RegExp(
    `^([1-9]\\d{0,2}(?:\\${thousands}\\d{3})+${thousands === ',' ? '|[1-9]\\d?(?:,\\d{2})+,\\d{3}' : ''}|${GROUPED}|\\d+)(?:\\${decimal}(\\d+))?$`,
  );
const POINT = formOf('.', ',');
const COMMA = formOf(',', '.');

/**
 * A number in any usual style, also an amount of money; `null` when it is none. `12.000` and `1,234` are ambiguous: twelve
 * or twelve thousand. This is decided for each value by itself, so that it does not depend on which rows come before.
 */
export function numberText(text: string): NumberText | null {
  const amount = amountOf(text);
  if (amount === null) return null;
  const [point, comma] = [writtenAs(amount, POINT), writtenAs(amount, COMMA)];
  if (point !== null && comma !== null)
    return { look: point === comma ? 'none' : 'either', text: point };
  if (point !== null) return { look: 'point', text: point };
  return comma === null ? null : { look: 'comma', text: comma };
}

/** Reads numbers of one style. */
export function numberReader(
  decimal: '.' | ',',
  thousands: '.' | ',' | "'" | undefined,
): (text: string) => string | null {
  const grouped = thousands === undefined ? GROUPED : `${GROUPED}|${groupsWith(thousands)}`;
  const form = new RegExp(`^(${grouped}|\\d+)(?:\\${decimal}(\\d+))?$`);
  return (text) => {
    const amount = amountOf(text.trim());
    return amount && writtenAs(amount, form);
  };
}

const groupsWith = (thousands: '.' | ',' | "'"): string =>
  `\\d{1,3}(?:[ \\${thousands}]\\d{3})+${thousands === ',' ? '|\\d{1,2}(?:,\\d{2})+,\\d{3}' : ''}`;

/** What an amount is written as that has this form: digits, with a point before decimals. */
function writtenAs({ isNegative, digits }: Amount, form: RegExp): string | null {
  const found = form.exec(digits);
  if (found === null) return null;
  const [, whole = '', decimals] = found;
  return `${isNegative ? '-' : ''}${whole.replace(/\D/g, '')}${decimals === undefined ? '' : `.${decimals}`}`;
}

/** The two styles as the mapping names them. */
export const STYLES = {
  point: `number: { decimal: '.', thousands: ',' }`,
  comma: `number: { decimal: ',', thousands: '.' }`,
} as const;

export const AMBIGUOUS_NUMBER = new InvalidValue(
  'ambiguous_number',
  `This is one number with a decimal point and another with a decimal comma. Name the style in the mapping: ${STYLES.comma} or ${STYLES.point}.`,
);

/** How money is named beside an amount, in small letters and without a dot at the end; codes of ISO 4217 are known besides. */
const WORDS =
  'kr|kč|kc|zł|zl|ft|lei|leu|лв|лев|лева|r|руб|рубль|рубля|рублей|р|грн|гривна|гривен|гривень|тенге|тг|сум|сом|fr|sfr|frs|franken|francs|franc|rs|inr|rm|rp|bs|din|дин|ден|kn|tl|lira|liras|元|圆|圓|円|원|บาท|đồng|vnđ|euro|euros|eur|евро|євро|ευρώ|dollar|dollars|доллар|доллара|долларов|долл|pound|pounds|rupees|rupee|pesos|peso|reais|real|yen|yuan|rmb|zloty|złotych|złoty|złote|korun|kronor|kroner|krona|forint|rand|riyal|sr|aed|dh|dhs|درهم|ريال|ر.س|د.إ|جنيه|ج.م|₪|شيكل|ש"ח|تومان|﷼';

const known = new Set(WORDS.split('|'));
let codes: ReadonlySet<string> | undefined;

/** What stands before a currency sign of several countries: `US$`, `R$`, `S/`. */
const SIGN = /^(?:[a-z]{0,3}\.?\p{Sc}|\p{Sc}[a-z]{0,3}|s\/\.?)$/u;

/** Whether a text beside a number is a currency sign, its code, or a word for it. */
function isCurrency(text: string): boolean {
  const word = text.trim().toLowerCase();
  if (SIGN.test(word) || known.has(word.replace(/\.$/, ''))) return true;
  codes ??= new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));
  return codes.has(word);
}
