import { z } from 'zod';
import {
  bareTransform,
  type TransformContext,
  InvalidValue,
  onText,
  type Step,
  asciiDigits,
} from './step.js';

const options = z
  .strictObject({
    decimal: z.enum(['.', ',']).optional(),
    thousands: z.enum(['.', ',', "'"]).optional(),
  })
  .refine(
    ({ decimal, thousands }) => decimal === undefined || decimal !== thousands,
    'decimal and thousands must differ.',
  );

/** The sign before decimals of a style of which one sign is named. */
export const styleOf = (
  decimal: '.' | ',' | undefined,
  thousands: '.' | ',' | "'" | undefined,
): '.' | ',' => decimal ?? (thousands === '.' ? ',' : '.');

/** What stands before a currency sign of several countries: `US$`, `R$`, `S/`. */
const MONEY_SIGN = /^(?:[a-z]{0,3}\.?\p{Sc}|\p{Sc}[a-z]{0,3}|s\/\.?)$/u;

let codes: ReadonlySet<string> | undefined;

/** How money is named beside an amount, in small letters and without a dot at the end; codes of ISO 4217 are known besides. */
const WORDS =
  'ksh|tsh|ush|u$s|kr|kč|kc|zł|zl|ft|lei|leu|лв|лев|лева|r|руб|рубль|рубля|рублей|р|грн|гривна|гривен|гривень|тенге|тг|сум|сом|fr|sfr|frs|franken|francs|franc|rs|inr|rm|rp|bs|din|дин|ден|kn|tl|lira|liras|元|圆|圓|円|원|บาท|đồng|vnđ|euro|euros|eur|евро|євро|ευρώ|dollar|dollars|доллар|доллара|долларов|долл|pound|pounds|rupees|rupee|pesos|peso|reais|real|yen|yuan|rmb|zloty|złotych|złoty|złote|korun|kronor|kroner|krona|forint|rand|riyal|sr|aed|dh|dhs|درهم|ريال|ر.س|د.إ|جنيه|ج.م|₪|شيكل|ש"ח|تومان|﷼';

const known = new Set(WORDS.split('|'));

/** The two styles as the mapping names them. */
export const STYLES = {
  point: `number: { decimal: '.', thousands: ',' }`,
  comma: `number: { decimal: ',', thousands: '.' }`,
} as const;

const AMBIGUOUS_NUMBER = new InvalidValue(
  'ambiguous_number',
  `This is one number with a decimal point and another with a decimal comma. Name the style in the mapping: ${STYLES.comma} or ${STYLES.point}.`,
);

/** Nobody groups a number that begins with a zero: `0.125` has decimals. Commas may stand as in India: `12,34,567`. */
const groupsWith = (thousands: '.' | ',' | "'"): string =>
  `[1-9]\\d{0,2}(?:[ \\${thousands}]\\d{3})+${thousands === ',' ? '|[1-9]\\d?(?:,\\d{2})+,\\d{3}' : ''}`;

const formOf = (decimal: string, thousands: string): RegExp =>
  new RegExp(
    `^([1-9]\\d{0,2}(?:\\${thousands}\\d{3})+${thousands === ',' ? '|[1-9]\\d?(?:,\\d{2})+,\\d{3}' : ''}|${GROUPED}|\\d+)(?:\\${decimal}(\\d+))?$`,
  );

/** Blanks and apostrophes between thousands, which are these in any style. */
const GROUPED = `[1-9]\\d{0,2}(?: \\d{3})+|[1-9]\\d{0,2}(?:'\\d{3})+`;

const SURE = new RegExp(`^(${GROUPED}|\\d+)(?:\\.(\\d+))?$`);

const COMMA = formOf(',', '.');

const POINT = formOf('.', ',');

/** What may stand around the digits: a sign or brackets, and money, in any order. */
const AROUND = /^([^\d]*?)((?:\d[\d.,' ]*)?\d)([.,:][-\u2014]+)?([^\d]*)$/;

/** Nobody writes a number with more characters. */
const MAX_LENGTH = 100;

const APOSTROPHES = /[\u2018\u2019\u02bc\uff07`\u00b4]/g;

const MINUS = /[\u2010-\u2013\u2212\ufe63\uff0d]/g;

const BLANKS = /[\s\u2000-\u200a]+/gu;

const PLAIN = /^(-?)([\d.,]*\d)$/;

const NOT_A_NUMBER = new InvalidValue(
  'not_a_number',
  'This is not a number. Write digits, such as 1250 or 12.5.',
);

/** `1 234 567,80 €` becomes `1234567.80`, and `($5)` `-5`. Groups must have three digits, so that `12 34` is not taken for a number. */
export const number = bareTransform(
  options,
  () => ({}),
  ({ decimal, thousands }, _path, context) => {
    if (decimal === undefined && thousands === undefined) {
      const watch = context.watch(context.label, 'number');
      return onText((text) => {
        watch.see();
        const found = numberText(text.trim());
        if (found === null) return NOT_A_NUMBER;
        if (found.look !== 'none') watch.look(found.look);
        return found.look === 'either' ? AMBIGUOUS_NUMBER : found.text;
      });
    }
    const sign = styleOf(decimal, thousands);
    const grouped = thousands === undefined ? GROUPED : `${GROUPED}|${groupsWith(thousands)}`;
    const form = new RegExp(`^(${grouped}|\\d+)(?:\\${sign}(\\d+))?$`);
    const wrong = new InvalidValue(
      'not_a_number',
      `This is not a number. Write digits, with "${sign}" before decimals.`,
    );
    return onText((text) => {
      const amount = amountOf(text.trim());
      return (amount && writtenAs(amount, amount.isSure ? SURE : form)) ?? wrong;
    });
  },
);

const SIGN = /[.,]/;

/**
 * Refuses a text that goes into a number as it stands and means two of them. All else passes: whether it is a number is
 * asked where it becomes one.
 */
export function refuseAmbiguous(context: TransformContext): Step {
  const watch = context.watch(context.label, 'number');
  return onText((text) => {
    watch.see();
    if (!SIGN.test(text)) return SURE_NUMBER.test(text) ? text.replace(SURE_DECIMAL, '.') : text;
    const look = numberText(text.trim())?.look ?? 'none';
    if (look !== 'none') watch.look(look);
    if (look === 'comma') watch.look('unread');
    return look === 'either' ? AMBIGUOUS_NUMBER : text;
  });
}

/** The Arabic sign before decimals, which is nothing else anywhere. */
export const SURE_DECIMAL = '\u066b';
const SURE_NUMBER = new RegExp(`^-?\\d+${SURE_DECIMAL}\\d+$`);

/**
 * What a text says around the digits of a number: a minus before or behind it, or brackets, and a currency. `null` where
 * anything else stands there, such as a unit or a percent sign.
 */
export function amountOf(text: string) {
  const plain = PLAIN.exec(text);
  if (plain?.[2] !== undefined)
    return { isNegative: plain[1] === '-', digits: plain[2], isSure: false };
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
  return {
    isNegative: signs === 'negative',
    /** Digits, and the signs and blanks between them; every blank is a plain one, every apostrophe a straight one. */
    digits,
    /** Whether the point in it was a sign that stands before decimals in every style. */
    isSure: text.includes(SURE_DECIMAL),
  };
}

/** One minus, before the digits or behind them, or a pair of brackets; `null` where there is anything else. */
function signsIn(before: string, behind: string): 'positive' | 'negative' | null {
  const [left, right] = [before, behind].map((part) => part.replace(/[^-+()]/g, ''));
  if (left === '(' && right === ')') return 'negative';
  const sign = `${left}${right}`;
  if (sign === '-') return 'negative';
  return sign === '' || (sign === '+' && right === '') ? 'positive' : null;
}

/**
 * A number in any usual style, also an amount of money; `null` when it is none. `12.000` and `1,234` are ambiguous: twelve
 * or twelve thousand. This is decided for each value by itself, so that it does not depend on which rows come before.
 * @returns which sign stands before decimals (`either`: both are possible, with another number; `none`: there is no sign), and
 * digits, with a point before decimals; of an ambiguous number, as if the point were that
 */
export function numberText(
  text: string,
): { readonly look: 'point' | 'comma' | 'either' | 'none'; readonly text: string } | null {
  const amount = amountOf(text);
  if (amount === null) return null;
  const point = writtenAs(amount, amount.isSure ? SURE : POINT);
  if (amount.isSure) return point === null ? null : { look: 'none', text: point };
  const comma = writtenAs(amount, COMMA);
  if (point !== null && comma !== null)
    return { look: point === comma ? 'none' : 'either', text: point };
  if (point !== null) return { look: 'point', text: point };
  return comma === null ? null : { look: 'comma', text: comma };
}

/** What an amount is written as that has this form: digits, with a point before decimals. */
function writtenAs(
  { isNegative, digits }: NonNullable<ReturnType<typeof amountOf>>,
  form: RegExp,
): string | null {
  const found = form.exec(digits);
  if (found === null) return null;
  const [, whole = '', decimals] = found;
  return `${isNegative ? '-' : ''}${whole.replace(/\D/g, '')}${decimals === undefined ? '' : `.${decimals}`}`;
}

/** Whether a text beside a number is a currency sign, its code, or a word for it. */
function isCurrency(text: string): boolean {
  const word = text.trim().toLowerCase();
  if (MONEY_SIGN.test(word) || known.has(word.replace(/\.$/, ''))) return true;
  codes ??= new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));
  return codes.has(word);
}
