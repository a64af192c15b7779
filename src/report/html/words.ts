import type { ReportKind } from '../columns.js';

/** The words of the page that depend on the kind of report. */
export interface PageWords {
  readonly one: string;
  readonly title: string;
  /** The remark of an outcome that is not a good one. */
  readonly bad: string;
  /** Heading of the table of rows. */
  readonly rows: string;
}

export const PAGE_WORDS: Readonly<Record<ReportKind, PageWords>> = {
  import: {
    one: 'outcome',
    title: 'Outcomes',
    bad: 'did not end well',
    rows: 'Rows that did not end well',
  },
  comparison: {
    one: 'verdict',
    title: 'Verdicts',
    bad: 'does not match',
    rows: 'Rows that do not match, or repeat others',
  },
};
