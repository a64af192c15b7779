/** Whether a name fits a pattern such as `leads-*.csv`; `*` stands for any letters, `?` for one. Hidden files never do. */
export function fitsPattern(name: string, pattern: string): boolean {
  return !name.startsWith('.') && expression(pattern).test(name);
}

const expression = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern.replace(/[.*+?^${}()|[\]\\]/g, (sign) => SIGNS[sign] ?? `\\${sign}`)}$`,
    'u',
  );

const SIGNS: Readonly<Record<string, string>> = { '*': '.*', '?': '.' };
