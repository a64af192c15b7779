/** Whether a name fits a pattern such as `leads-*.csv`; `*` stands for any letters, `?` for one. Hidden files never do. */
export function fitsPattern(name: string, pattern: string): boolean {
  // One letter may be written in two ways, and systems differ in which.
  return !name.startsWith('.') && expression(pattern.normalize()).test(name.normalize());
}

const expression = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern.replace(/[.*+?^${}()|[\]\\]/g, (sign) => SIGNS[sign] ?? `\\${sign}`)}$`,
    'su',
  );

const SIGNS: Readonly<Record<string, string>> = { '*': '.*', '?': '.' };
