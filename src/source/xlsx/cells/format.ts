import { NumberFormat } from './number-format.js';

/** What a number format shows of a number. `elapsed` counts hours beyond 24. */
export type FormatKind = 'number' | 'date' | 'time' | 'datetime' | 'elapsed';

/** What a cell format makes of numbers: a kind, or a format that shows more than the number. */
export type CellFormat = FormatKind | NumberFormat;

/** The format of a code. */
export function cellFormat(code: string): CellFormat {
  const kind = formatKind(code);
  return kind === 'number' ? (NumberFormat.of(code) ?? kind) : kind;
}

/** Formats that are known by number alone (ECMA-376, 18.8.30); 27 to 36 and 50 to 58 are dates in East Asia. */
export function builtinFormat(id: number): FormatKind {
  if (id >= 14 && id <= 17) return 'date';
  if (id >= 18 && id <= 21) return 'time';
  if (id === 22) return 'datetime';
  if (id === 45 || id === 47) return 'time';
  if (id === 46) return 'elapsed';
  if (id === 32 || id === 33) return 'time';
  if ((id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return 'date';
  return 'number';
}

const ELAPSED = /\[(h+|m+|s+)\]/i;
/** What is text in a format: quoted, escaped, repeated or as wide as a character. */
const QUOTED = /"[^"]*"?|\\.|_.|\*./g;
/** The same, and what stands in brackets such as `[Red]`. What is not closed goes on to the end: nothing is read twice. */
const LITERAL = /"[^"]*"?|\\.|_.|\*.|\[[^\]]*\]?/g;

/**
 * Classifies a format code by its first section, the one for positive numbers, which dates are; where that has a condition
 * such as `[<1]`, by the first section that shows a date. `General` and colours hold letters of dates too.
 */
export function formatKind(code: string): FormatKind {
  if (code.length > MAX_LETTERS) return 'number';
  const sections = code.match(SECTION) ?? [''];
  const [first = ''] = sections;
  const considered = CONDITION.test(first) ? sections : [first];
  return considered.map(sectionKind).find((kind) => kind !== 'number') ?? 'number';
}

/** Excel takes 255; longer ones are no formats, and would take the patterns long. */
const MAX_LETTERS = 1_000;
const SECTION = /(?:"[^"]*"?|\\.|\[[^\]]*\]?|[^;])+/g;
const CONDITION = /^\s*(?:\[[^\]]*\])*\[[<>=]/;

function sectionKind(section: string): FormatKind {
  if (ELAPSED.test(section.replaceAll(QUOTED, ' '))) return 'elapsed';
  const bare = section.replaceAll(LITERAL, ' ').replaceAll(/general|standard/gi, '');
  const time = /[hs]|am\/pm|a\/p/i.test(bare);
  const date = /[yd]|e(?![+-])|b[12]|g/i.test(bare) || (/m/i.test(bare) && !time);
  if (date && time) return 'datetime';
  if (date) return /[#0?]/.test(bare) ? 'number' : 'date';
  return time ? 'time' : 'number';
}
