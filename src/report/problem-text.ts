import type { Problem } from '../core/problem.js';

/** Longest part of a value that is repeated in a problem's text; the row itself holds it whole. */
const VALUE_LENGTH = 200;

/** The problems of a row as one text: `Column: message (value)`, joined with `; `. */
export function problemText(problems: readonly Problem[]): string {
  return problems.map(one).join('; ');
}

function one({ column, message, value }: Problem): string {
  const where = column === null ? '' : `${column}: `;
  const what = value === null ? '' : ` (${shortened(value)})`;
  return `${where}${message}${what}`;
}

function shortened(value: string): string {
  if (value.length <= VALUE_LENGTH) return value;
  const end = value.slice(0, VALUE_LENGTH);
  // Half of a surrogate pair at the end would become a replacement character.
  return `${/[\uD800-\uDBFF]$/.test(end) ? end.slice(0, -1) : end}…`;
}
