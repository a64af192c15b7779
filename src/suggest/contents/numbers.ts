import { amountOf, numberText } from '../../mapping/transforms/number-text.js';
import { KINDS } from './kinds.js';

/** How the numbers of a column are written. */
export interface NumberForm {
  readonly decimal: '.' | ',';
  readonly thousands: '.' | ',' | "'" | null;
  /** Whether there are units or the like beside the digits; money is read with its sign. */
  readonly hasUnits: boolean;
  /** Whether there are signs before decimals or between thousands, beside spaces. */
  readonly hasSigns: boolean;
  /** Whether every cell with a sign is one number with a decimal point and another with a decimal comma. */
  readonly isAmbiguous: boolean;
  /** Whether they are read as they stand, without a transform. */
  readonly isPlain: boolean;
}

const PLAIN = /^-?\d+$/;
const UNITS = /[^\d.,'\s\u00a0\u202f+\-−]/;

/** Styles by the sign before decimals; the first that reads nearly all cells is taken. */
const STYLES: readonly (readonly [NumberForm['decimal'], NumberForm['thousands'], RegExp])[] = [
  ['.', null, /^[-+−]?\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?:\.\d+)?$|^[-+−]?\d+(?:\.\d+)?$/],
  [',', null, /^[-+−]?\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?:,\d+)?$|^[-+−]?\d+(?:,\d+)?$/],
  ['.', ',', /^[-+−]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$|^[-+−]?\d+(?:\.\d+)?$/],
  [',', '.', /^[-+−]?\d{1,3}(?:\.\d{3})+(?:,\d+)?$|^[-+−]?\d+(?:,\d+)?$/],
  ['.', "'", /^[-+−]?\d{1,3}(?:'\d{3})+(?:\.\d+)?$|^[-+−]?\d+(?:\.\d+)?$/],
];

/** Share of the cells that have to be numbers of one style. */
const ENOUGH = 0.98;

/** The style that reads at least 98 % of the cells; `null` where none does. */
export function numberForm(values: ReadonlyMap<string, number>): NumberForm | null {
  const cells = [...values.keys()];
  const written = cells.filter((text) => KINDS.number(text)).length;
  if (written < cells.length * ENOUGH) return null;
  const hasUnits = cells.some((text) => UNITS.test(text) && amountOf(text) === null);
  const bare = cells.map(
    (text) => amountOf(text)?.digits ?? text.replace(new RegExp(UNITS, 'g'), '').trim(),
  );
  if (bare.length === 0) return null;
  const fitting = STYLES.filter(
    ([, , form]) => bare.filter((text) => form.test(text)).length >= bare.length * ENOUGH,
  );
  const [style] = fitting;
  if (!style) return null;
  const [decimal, thousands] = style;
  const signed = bare.filter((text) => /[.,']/.test(text));
  const isAmbiguous =
    signed.length > 0 && signed.every((text) => numberText(text)?.look === 'either');
  const isPlain = signed.length === 0 && cells.every((text) => PLAIN.test(text));
  return { decimal, thousands, hasUnits, hasSigns: signed.length > 0, isAmbiguous, isPlain };
}
