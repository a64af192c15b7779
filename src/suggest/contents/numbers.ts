import { amountOf, numberText } from '../../mapping/transforms/number.js';
import { NEARLY_ALL } from './share.js';

/** How the numbers of a column are written. */
export interface NumberForm {
  readonly decimal: '.' | ',';
  readonly thousands: '.' | ',' | "'" | null;
  /** What stands behind the digits, such as a percent sign, where no transform reads it; money is read. */
  readonly unit: string | null;
  /** Whether there are signs before decimals or between thousands, beside spaces. */
  readonly hasSigns: boolean;
  /** Whether every cell with a sign is one number with a decimal point and another with a decimal comma. */
  readonly isAmbiguous: boolean;
  /** Whether they are read as they stand, without a transform. */
  readonly isPlain: boolean;
  /** Cells that are no numbers of this form. */
  readonly odd: number;
}

const PLAIN = /^-?\d+$/;
const UNIT = /\d\s*(%|\p{L}[\p{L}.]*)$/u;

/** Styles by the sign before decimals; the first that reads nearly all cells is taken. */
const STYLES: readonly (readonly [NumberForm['decimal'], NumberForm['thousands'], RegExp])[] = [
  ['.', null, /^[-+−]?\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?:\.\d+)?$|^[-+−]?\d+(?:\.\d+)?$/],
  [',', null, /^[-+−]?\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?:,\d+)?$|^[-+−]?\d+(?:,\d+)?$/],
  ['.', ',', /^[-+−]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$|^[-+−]?\d+(?:\.\d+)?$/],
  [',', '.', /^[-+−]?\d{1,3}(?:\.\d{3})+(?:,\d+)?$|^[-+−]?\d+(?:,\d+)?$/],
  ['.', "'", /^[-+−]?\d{1,3}(?:'\d{3})+(?:\.\d+)?$|^[-+−]?\d+(?:\.\d+)?$/],
];

/** Share of the numbers that one style has to read where another might read more. */
const ENOUGH = 0.98;

/** The style that reads nearly all cells; `null` where none does. */
export function numberForm(values: ReadonlyMap<string, number>): NumberForm | null {
  const total = sum([...values]);
  const { numbers, unit } = numbersIn(values, total);
  if (total === 0 || sum(numbers) < total * NEARLY_ALL) return null;
  const readBy = (form: RegExp): number => sum(numbers.filter(([digits]) => form.test(digits)));
  const style =
    STYLES.find(([, , form]) => readBy(form) >= sum(numbers) * ENOUGH) ??
    STYLES.find(([, , form]) => readBy(form) >= total * NEARLY_ALL);
  if (!style) return null;
  const [decimal, thousands, form] = style;
  const signed = numbers.filter(([digits]) => /[.,']/.test(digits));
  return {
    ...{ decimal, thousands, unit, hasSigns: signed.length > 0, odd: total - readBy(form) },
    isAmbiguous:
      signed.length > 0 && signed.every(([digits]) => numberText(digits)?.look === 'either'),
    isPlain: signed.length === 0 && [...values.keys()].every((text) => PLAIN.test(text)),
  };
}

type Counted = readonly (readonly [string, number])[];

const sum = (cells: Counted): number => cells.reduce((total, [, count]) => total + count, 0);

/** The digits of the cells that are numbers; with one unit that stands behind most of them, where it needs that to be numbers. */
function numbersIn(
  values: ReadonlyMap<string, number>,
  total: number,
): { readonly numbers: Counted; readonly unit: string | null } {
  const digitsOf = (end: string): Counted =>
    [...values].flatMap(([text, count]) => {
      const amount = amountOf(text.endsWith(end) ? text.slice(0, -end.length || undefined) : text);
      return amount === null ? [] : [[amount.digits, count] as const];
    });
  const numbers = digitsOf('');
  if (sum(numbers) >= total * NEARLY_ALL) return { numbers, unit: null };
  const others = [...values.keys()].filter((text) => amountOf(text) === null);
  const units = new Set(others.flatMap((text) => UNIT.exec(text)?.[1] ?? []));
  const [unit] = units;
  return unit === undefined || units.size > 1
    ? { numbers, unit: null }
    : { numbers: digitsOf(unit), unit };
}
