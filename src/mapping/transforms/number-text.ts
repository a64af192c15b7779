import { InvalidValue } from './step.js';

/** Spaces that people and programs put between thousands: plain, no-break, thin, narrow. */
export const SPACES = '[ \\u00a0\\u2009\\u202f]';

/** Which sign stands before decimals; `either`: both are possible, with another number; `none`: there is no sign. */
export type NumberLook = 'point' | 'comma' | 'either' | 'none';

export interface NumberText {
  readonly look: NumberLook;
  /** Digits, with a point before decimals; of an ambiguous number, as if the point were that. */
  readonly text: string;
}

const GROUPED = `\\d{1,3}(?:${SPACES}\\d{3})+|\\d{1,3}(?:['\\u2019]\\d{3})+`;
/** Nobody groups a number that begins with a zero: `0.125` has decimals. */
const formOf = (decimal: string, thousands: string): RegExp =>
  new RegExp(
    `^([-+\\u2212]?)([1-9]\\d{0,2}(?:\\${thousands}\\d{3})+|${GROUPED}|\\d+)(?:\\${decimal}(\\d+))?$`,
  );
const POINT = formOf('.', ',');
const COMMA = formOf(',', '.');

/**
 * A number in any usual style; `null` when it is none. `12.000` and `1,234` are ambiguous: twelve or twelve thousand.
 * This is decided for each value by itself, so that it does not depend on which rows come before.
 */
export function numberText(text: string): NumberText | null {
  const [point, comma] = [textOf(POINT.exec(text)), textOf(COMMA.exec(text))];
  if (point !== null && comma !== null)
    return { look: point === comma ? 'none' : 'either', text: point };
  if (point !== null) return { look: 'point', text: point };
  return comma === null ? null : { look: 'comma', text: comma };
}

/** What a number is written as that has this form: digits, with a point before decimals. */
export function textOf(found: RegExpExecArray | null): string | null {
  if (found === null) return null;
  const [, sign, whole = '', decimals] = found;
  const minus = sign === '' || sign === '+' ? '' : '-';
  const digits = whole.replace(/\D/g, '');
  return `${minus}${digits}${decimals === undefined ? '' : `.${decimals}`}`;
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
