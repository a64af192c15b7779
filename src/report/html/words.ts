/** How the page calls what its run tells of the rows. */
export interface PageWords {
  readonly one: string;
  readonly title: string;
  /** Said of an outcome that is not a good one. */
  readonly bad: string;
  /** Heading of the table of rows. */
  readonly rows: string;
}

export const PAGE_WORDS: Readonly<Record<'outcomes' | 'verdicts', PageWords>> = {
  outcomes: {
    one: 'outcome',
    title: 'Outcomes',
    bad: 'did not end well',
    rows: 'Rows that did not end well',
  },
  verdicts: {
    one: 'verdict',
    title: 'Verdicts',
    bad: 'does not match',
    rows: 'Rows that do not match, or repeat others',
  },
};
