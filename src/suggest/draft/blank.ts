import type { Column } from '../choose/columns.js';
import type { Plain } from '../../config/yaml-text.js';

/** Placeholders that are codes as well: `NA` and `ND` are a country and a state. */
const CODES: ReadonlySet<string> = new Set(['na', 'nd']);
const SHORT = 3;

/** The key `blank` for the words that stand for nothing in these columns; those that a list has are values. */
export function blankOf(
  columns: readonly Column[],
  values: readonly string[] = [],
): Record<string, Plain> {
  const own = new Set(values.map((value) => value.toLowerCase()));
  const words = new Set(columns.flatMap(placeholdersOf));
  const blank = [...words].filter((word) => !own.has(word));
  return blank.length === 0 ? {} : { blank };
}

/** Words of errors, such as `#N/A`, are left to be rejected: what should stand there is not known. */
function placeholdersOf({ cells }: Column): string[] {
  const holdsCodes = cells.shareOf((text) => text.length <= SHORT) > 0.5;
  return cells.placeholders
    .map((text) => text.toLowerCase())
    .filter((word) => !word.startsWith('#') && !(holdsCodes && CODES.has(word)));
}
