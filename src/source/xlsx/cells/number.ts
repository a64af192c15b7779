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
function placed(digits: string, point: number): string {
  const significant = digits.replace(/^0+/, '');
  if (significant === '') return '0';
  return shown(rounded(significant, point - (digits.length - significant.length)));
}

interface Decimal {
  readonly digits: string;
  /** How many of the digits stand before the point; may be negative or beyond their count. */
  readonly point: number;
}

function rounded(digits: string, point: number): Decimal {
  if (digits.length <= SIGNIFICANT) return { digits, point };
  const up = (digits[SIGNIFICANT] ?? '0') >= '5' ? 1n : 0n;
  const kept = String(BigInt(digits.slice(0, SIGNIFICANT)) + up);
  return { digits: kept, point: point + kept.length - SIGNIFICANT };
}

function shown({ digits, point }: Decimal): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  const fraction = point > 0 ? digits.slice(point) : '0'.repeat(-point) + digits;
  const trimmed = fraction.replace(/0+$/, '');
  return trimmed === '' ? whole : `${whole}.${trimmed}`;
}
