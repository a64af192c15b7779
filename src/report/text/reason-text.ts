import type { RowReport } from '../../core/report.js';
import { refusal } from '../reasons.js';
import { problemText } from './problem-text.js';

/** Why a row did not end well: the contact center's words, then the row's problems. */
export const reasonText = (row: RowReport): string => withProblems(refusal(row), row);

/** A text, then the problems of the row. */
export function withProblems(text: string | null | undefined, { problems }: RowReport): string {
  return [text, problemText(problems)].filter((part) => part).join('; ');
}
