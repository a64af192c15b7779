import type { ColumnUse } from '../../../shared/columns.js';
import { number } from '../../state/language.js';

/** What is wrong with values of a column, after the most frequent of them. */
export function valueProblem({ message, values }: ColumnUse['problems'][number]): string {
  const shown = values.slice(0, 3).map(({ value, count }) => `${value} ${number(count)}`);
  return `${shown.join(' · ')}: ${message}`;
}
