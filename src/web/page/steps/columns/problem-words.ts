import type { ColumnUse } from '../../../shared/columns.js';
import { valueProblemText } from '../../messages/why.js';
import { language, number, t } from '../../state/language.js';

const isKnown = (code: string): code is keyof typeof valueProblemText =>
  Object.hasOwn(valueProblemText, code);

/** What is wrong with values of a column, with the most frequent of them. English has the exact message. */
export function problemWords({ code, message, values }: ColumnUse['problems'][number]): string {
  const words = language !== 'en' && isKnown(code) ? t(valueProblemText[code]) : message;
  const shown = values.slice(0, 3).map(({ value, count }) => `${value} ${number(count)}`);
  return `${shown.join(' · ')}: ${words}`;
}
