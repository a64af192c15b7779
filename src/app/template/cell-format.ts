/** Number format for text: what is typed stays as it is, with leading zeros and long digits. */
export const TEXT_FORMAT = '@';
/** Number format for numbers. */
export const NUMBER_FORMAT = 'General';

/** Tokens of a mapping's date pattern as a spreadsheet program writes them. */
const TOKENS: Readonly<Record<string, string>> = {
  yyyy: 'yyyy',
  yy: 'yy',
  MM: 'mm',
  M: 'm',
  dd: 'dd',
  d: 'd',
  HH: 'hh',
  H: 'h',
  mm: 'mm',
  ss: 'ss',
};

/**
 * A mapping's date pattern as a number format; `undefined` where it shows no whole day, or a program would take minutes
 * for months.
 */
export function dateFormat(pattern: string): string | undefined {
  const pieces: readonly string[] = pattern.match(/'[^']*'|([A-Za-z])\1*|[^A-Za-z']+/g) ?? [];
  const has = (...tokens: string[]): boolean => tokens.some((token) => pieces.includes(token));
  const isDay = has('yyyy', 'yy') && has('MM', 'M') && has('dd', 'd');
  const hourAt = pieces.findIndex((piece) => piece === 'HH' || piece === 'H');
  const isMinuteClear = !has('mm') || (hourAt >= 0 && pieces.indexOf('mm') === hourAt + 2);
  if (!isDay || !isMinuteClear) return undefined;
  return pieces.map(formatOf).join('');
}

function formatOf(piece: string): string {
  const token = TOKENS[piece];
  if (token !== undefined) return token;
  const text = piece.length > 1 && piece.startsWith("'") ? piece.slice(1, -1) : piece;
  return /^[-./: ]*$/.test(text) ? text : `"${text.replaceAll('"', '')}"`;
}
