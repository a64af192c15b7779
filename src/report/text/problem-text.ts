import type { Problem } from '../../core/problem.js';
import { shortened } from '../../core/text.js';

/** The problems of a row as one text: `Column: message (value)`, joined with `; `. */
export function problemText(problems: readonly Problem[]): string {
  return problems.map(one).join('; ');
}

function one({ column, message, value }: Problem): string {
  const where = column === null ? '' : `${column}: `;
  const what = value === null ? '' : ` (${shortened(value)})`;
  return `${where}${message}${what}`;
}
