/** What shows that two rows are of one client. */
export const DUPLICATE_KINDS = ['sync', 'phone'] as const;
export type DuplicateKind = (typeof DUPLICATE_KINDS)[number];

/** Days for which earlier runs count, where the mapping does not say. */
export const DEFAULT_DAYS = 90;

/** Which rows count as duplicates, and which of them is sent. */
export interface DuplicateRule {
  /** What is compared: a row is a duplicate where one of these is the same. Empty: no row is one. */
  readonly by: readonly DuplicateKind[];
  /** `runs`: rows are compared with those of earlier runs, too. */
  readonly within: 'file' | 'runs';
  /** For how many days the rows of an earlier run count. */
  readonly days: number;
  /** Whether only runs with the campaign of the new one count, or all. */
  readonly campaign: 'same' | 'any';
  /** Which of the rows of the file is sent. */
  readonly keep: 'first' | 'last';
}

/** Rows that share one of these with an earlier row of the file are duplicates. */
export function duplicatesBy(...by: readonly DuplicateKind[]): DuplicateRule {
  return { by, within: 'file', days: DEFAULT_DAYS, campaign: 'same', keep: 'first' };
}

/** No row is a duplicate. */
export const NO_DUPLICATES = duplicatesBy();
