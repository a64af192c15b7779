/** Whether a name fits a pattern such as `leads-*.csv`; `*` stands for any letters, `?` for one. Hidden files never do. */
export function fitsPattern(name: string, pattern: string): boolean {
  // One letter may be written in two ways, and systems differ in which.
  return !name.startsWith('.') && expression(pattern.normalize()).test(name.normalize());
}

/** The same for a name that is no UTF-8 as a whole: what is no ASCII in the pattern may stand for any of its bytes. */
export const mayFitPattern = (name: string, pattern: string): boolean =>
  fitsPattern(name, pattern) ||
  (name.includes('\ufffd') && fitsPattern(name, pattern.replace(/[^\0-\x7f]+/gu, '*')));

const expression = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern.replace(/[.*+?^${}()|[\]\\]/g, (sign) => SIGNS[sign] ?? `\\${sign}`)}$`,
    'su',
  );

const SIGNS: Readonly<Record<string, string>> = { '*': '.*', '?': '.' };
