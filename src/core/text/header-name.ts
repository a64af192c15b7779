/** Names that nearly all columns have: nothing is to be done. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;
/** White space of every kind, line breaks and those that do not break included. */
const BLANKS = /[\s\u0085]+/g;
/** What no program shows: zero-width signs, soft hyphens, byte order marks, directions, controls, fillers. */
const INVISIBLE = /\u034f|[\p{Cf}\p{Cc}\u115f\u1160\u3164\uffa0]|\u17b4|\u17b5|[\ufe00-\ufe0f]/gu;

/**
 * The name of a column as it is compared and shown: composed (NFC), without invisible signs, with one blank for any white
 * space, and none at its ends. Files and mappings that come from different programs differ in these alone.
 */
export function headerName(text: string): string {
  if (PLAIN.test(text)) return text;
  // A byte order mark is white space to the engine, and no blank to anybody who reads.
  const visible = text.replaceAll('\ufeff', '').replaceAll(BLANKS, ' ').replaceAll(INVISIBLE, '');
  return visible.replaceAll(/ {2,}/g, ' ').trim().normalize('NFC');
}
