/** Longest name that a sheet may have. */
const LENGTH = 31;
/** Characters that the name of a sheet cannot have. */
const FORBIDDEN = /[*?:\\/[\]\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu;
/** A name that Excel reserves. */
const RESERVED = /^history$/i;

/**
 * A name that a spreadsheet program accepts for a sheet, as close to the wanted one as possible. Further sheets have
 * their number behind it: `<name> (2)`.
 */
export function sheetName(wanted: string, number: number): string {
  const suffix = number === 1 ? '' : ` (${number})`;
  const clean = wanted.replace(FORBIDDEN, '_').replace(/^'|'$/g, '_');
  const name = (clean.trim() === '' ? 'Rejects' : clean).slice(0, LENGTH - suffix.length) + suffix;
  // The cut may leave half a character, or an apostrophe at the end.
  const complete = name.replace(/\p{Cs}/gu, '').replace(/'$/, '_');
  return RESERVED.test(complete) ? `${complete}_` : complete;
}
