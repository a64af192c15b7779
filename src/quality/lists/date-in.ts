/** A day as 2026-11-03, 2026_11_03, 2026.11.03 or 20261103, with no digit beside it. */
const DAY = /(?<!\d)(20\d\d)([-_.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)/;

/** The first day that a text names, in milliseconds since 1970; `null` where it names none. */
export function dateIn(text: string): number | null {
  const found = DAY.exec(text);
  if (!found) return null;
  const [, year, , month, day] = found;
  return Date.UTC(Number(year), Number(month) - 1, Number(day));
}
