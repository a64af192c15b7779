import { GOOD_OUTCOMES, OUTCOMES } from '../../core/outcome.js';
import { whole } from '../../core/text.js';
import { reportKind } from '../columns.js';
import type { Reason } from '../reasons.js';
import type { RowTally } from '../row-tally.js';
import type { RunReport } from '../run-report.js';
import { TAKEN_BACK } from '../text/next-step.js';
import { PAGE_WORDS } from './words.js';

/** What a person has to know first: how many rows need them, and the most frequent reason. */
export function headline(
  { run, only, isTakenBack = false }: Pick<RunReport, 'run' | 'only' | 'isTakenBack'>,
  tally: RowTally,
): string {
  if (isTakenBack) return TAKEN_BACK.replace(/\.$/, '');
  const words = PAGE_WORDS[reportKind(run)];
  const bad = OUTCOMES.filter(
    (outcome) => !GOOD_OUTCOMES.has(outcome) && (only?.has(outcome) ?? true),
  ).reduce((sum, outcome) => sum + tally.outcomes[outcome], 0);
  if (bad === 0) return only === null ? words.allGood(run, tally) : words.noneShown;
  const [top] = tally.reasons.list().filter(({ outcome }) => !GOOD_OUTCOMES.has(outcome));
  const start = words.needed(bad);
  if (!top) return `${start}.`;
  if (top.rows === bad) return `${start}, ${bad === 1 ? '' : 'all '}for one reason: ${short(top)}`;
  return `${start}; ${whole(top.rows)} of them for one reason: ${short(top)}`;
}

/** Characters of a reason that still fit into a headline. */
const MAX_SHORT = 100;

/** A reason in a few words, such as `Budget is not a number`. */
export function short({ column, message }: Pick<Reason, 'column' | 'message'>): string {
  const [sentence = message] = message.split(/(?<=\.)\s/);
  // What stands before a colon may say nothing by itself.
  const few = sentence.length > MAX_SHORT ? sentence.split(/(?<=:)\s/)[0] : sentence;
  const text = (few ?? sentence).replace(/[.:]$/, '');
  if (column === null) return text;
  return text.startsWith('This ')
    ? `${column} ${text.slice('This '.length)}`
    : `${column}: ${text}`;
}
