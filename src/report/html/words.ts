import { whole } from '../../core/text/whole.js';
import type { ReportKind } from '../columns.js';

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
  /** The headline when all rows ended well; `skipped` of them were left out. */
  readonly allGood: (rows: number, skipped: number) => string;
  /** The headline when none of the shown rows is bad. */
  readonly noneShown: string;
}

export const PAGE_WORDS: Readonly<Record<ReportKind, PageWords>> = {
  import: {
    one: 'outcome',
    title: 'Outcomes',
    bad: 'did not end well',
    rows: 'Rows that did not end well',
    needed: (rows) => (rows === 1 ? '1 row needs you' : `${whole(rows)} rows need you`),
    allGood: (rows) => `No row needs you: ${rowsText(rows)} ended well`,
    noneShown: 'None of the rows shown needs you',
  },
  comparison: {
    one: 'verdict',
    title: 'Verdicts',
    bad: 'does not match',
    rows: 'Rows that do not match, or repeat others',
    needed: (rows) => (rows === 1 ? '1 row does not match' : `${whole(rows)} rows do not match`),
    allGood: allMatch,
    noneShown: 'None of the rows shown differs',
  },
};

/** Rows that were left out have not been compared: of these it is not known whether they match. */
function allMatch(rows: number, skipped: number): string {
  const compared = rows - skipped;
  if (compared === 0)
    return skipped === 0
      ? 'No row was compared'
      : `No row was compared: ${rowsText(skipped)} left out`;
  if (skipped === 0) return `Every row matches: ${rowsText(rows)} compared`;
  return `Every row that was compared matches: ${rowsText(compared)}; ${rowsText(skipped)} left out`;
}

const rowsText = (rows: number): string => (rows === 1 ? '1 row' : `${whole(rows)} rows`);
