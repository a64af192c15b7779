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
  /** The headline when all rows ended well. */
  readonly allGood: (rows: number) => string;
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
    allGood: (rows) => `Every row matches: ${rowsText(rows)} compared`,
    noneShown: 'None of the rows shown differs',
  },
};

const rowsText = (rows: number): string => (rows === 1 ? '1 row' : `${whole(rows)} rows`);
