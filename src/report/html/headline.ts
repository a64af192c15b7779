import { GOOD_OUTCOMES, OUTCOMES } from '../../core/outcome.js';
import { counted, whole } from '../../core/text.js';
import { reportKind, type ReportKind } from '../columns.js';
import type { Reason } from '../reasons.js';
import type { RowTally, RunReport } from '../rows.js';
import { TAKEN_BACK } from '../text/words.js';
import type { RunRecord } from '../../core/ledger.js';

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
function short({ column, message }: Pick<Reason, 'column' | 'message'>): string {
  const [sentence = message] = message.split(/(?<=\.)\s/);
  // What stands before a colon may say nothing by itself.
  const few = sentence.length > MAX_SHORT ? sentence.split(/(?<=:)\s/)[0] : sentence;
  const text = (few ?? sentence).replace(/[.:]$/, '');
  if (column === null) return text;
  return text.startsWith('This ')
    ? `${column} ${text.slice('This '.length)}`
    : `${column}: ${text}`;
}

type Counts = Pick<RowTally, 'rows' | 'outcomes'>;

/** The words of the page that depend on the kind of report. */
export interface PageWords {
  readonly one: string;
  readonly title: string;
  /** The remark of an outcome that is not a good one. */
  readonly bad: string;
  /** Heading of the table of rows. */
  readonly rows: string;
  /** The headline of rows that did not end well, without the reason. */
  readonly needed: (rows: number) => string;
  /** The headline when no row ended badly. */
  readonly allGood: (run: Pick<RunRecord, 'mode' | 'state'>, tally: Counts) => string;
  /** The headline when none of the shown rows is bad. */
  readonly noneShown: string;
}

export const PAGE_WORDS: Readonly<Record<ReportKind, PageWords>> = {
  import: {
    one: 'outcome',
    title: 'Outcomes',
    bad: 'did not end well',
    rows: 'Rows that did not end well',
    needed: (rows) => counted(rows, 'row needs you', 'rows need you'),
    allGood: noneNeeded,
    noneShown: 'None of the rows shown needs you',
  },
  comparison: {
    one: 'verdict',
    title: 'Verdicts',
    bad: 'does not match',
    rows: 'Rows that do not match, or repeat others',
    needed: (rows) => counted(rows, 'row does not match', 'rows do not match'),
    allGood: allMatch,
    noneShown: 'None of the rows shown differs',
  },
};

/** Rows that were left out did not end well: nothing happened to them. */
function noneNeeded(
  { mode, state }: Pick<RunRecord, 'mode' | 'state'>,
  { rows, outcomes: { undone, skipped } }: Counts,
): string {
  if (rows === 0) return state === 'finished' ? 'There are no rows' : 'No row has ended yet';
  if (rows === skipped)
    return `Nothing was ${mode === 'undo' ? 'taken back' : 'sent'}: ${counted(rows, 'row')} left out`;
  const ended = rows - undone - skipped;
  const parts = [
    ...(ended > 0 ? [`${counted(ended, 'row')} ended well`] : []),
    ...(undone > 0 ? [`${counted(undone, 'row')} taken back`] : []),
    ...(skipped > 0 ? [`${whole(skipped)} left out`] : []),
  ];
  return `No row needs you: ${parts.join(', ')}`;
}

/** Rows that were left out have not been compared: of these it is not known whether they match. */
function allMatch(_run: unknown, { rows, outcomes: { skipped } }: Counts): string {
  const compared = rows - skipped;
  if (compared === 0)
    return skipped === 0
      ? 'No row was compared'
      : `No row was compared: ${counted(skipped, 'row')} left out`;
  if (skipped === 0) return `Every row matches: ${counted(rows, 'row')} compared`;
  return `Every row that was compared matches: ${counted(compared, 'row')}; ${counted(skipped, 'row')} left out`;
}
