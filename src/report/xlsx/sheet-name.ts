/** Longest name that a sheet may have. */
const LENGTH = 31;
/** What the name of a sheet cannot hold. */
const FORBIDDEN = /[*?:\\/[\]\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu;
/** A name that Excel keeps for itself. */
const RESERVED = /^history$/i;

/**
 * A name that a spreadsheet program takes for a sheet, as close to the wanted one as can be. The second and further
 * sheets have their number behind it: `<name> (2)`.
 */
export function sheetName(wanted: string, number: number): string {
  const suffix = number === 1 ? '' : ` (${number})`;
  const clean = wanted.replace(FORBIDDEN, '_').replace(/^'|'$/g, '_');
  const name = (clean.trim() === '' ? 'Rejects' : clean).slice(0, LENGTH - suffix.length) + suffix;
  // Cutting may have left half a character, or an apostrophe at the end.
  const whole = name.replace(/\p{Cs}/gu, '').replace(/'$/, '_');
  return RESERVED.test(whole) ? `${whole}_` : whole;
}
