import type { Problem } from '../problem.js';

/** What an earlier run did with a row. */
export interface DoneBy {
  /** Id of the run. */
  readonly run: string;
  /** Such as `created`, `sent` or `scheduled`. */
  readonly what: string;
  /** The day on which the run began, such as `2026-11-20`. */
  readonly on: string;
}

export const doneByText = ({ run, what, on }: DoneBy): string => `${what} by run ${run} on ${on}`;

/** Code of the problem of a row that is left out, since an earlier run did what it asks for. */
export const DONE_BEFORE = 'done_before';

/** Why a row that an earlier run has done is skipped. */
export const doneBefore = (by: DoneBy): Problem => ({
  column: null,
  code: DONE_BEFORE,
  message: `The client was ${doneByText(by)}, and is not sent again; --again sends all rows anew.`,
  value: null,
});

/** Code of the remark on a row that is as an earlier run sent it. */
export const UNCHANGED_SINCE = 'unchanged_since';

/** Why nothing is sent for a row that is as an earlier run sent it. */
export const unchangedSince = (by: DoneBy): Problem => ({
  column: null,
  code: UNCHANGED_SINCE,
  message: `The row is as it was when it was ${doneByText(by)}; nothing was sent for it.`,
  value: null,
});

/** The result of a card that an earlier run created. */
export function createdBefore(by: DoneBy): string {
  const text = doneByText(by);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

const OLD_SENTENCE =
  /^(?:The client was )?(\w+) by run (\S+) on (\d{4}-\d\d-\d\d)(?:, and is not sent again; .*)?$/;

/**
 * What such a sentence says; `null` for another one. Older versions recorded the sentence alone, and a client that such
 * a run has created must not be created twice.
 */
export function doneByIn(sentence: string): DoneBy | null {
  const [, what, run, on] = OLD_SENTENCE.exec(sentence) ?? [];
  if (what === undefined || run === undefined || on === undefined) return null;
  return { run, what: what.toLowerCase(), on };
}
