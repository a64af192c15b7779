import type { RunMode } from '../../core/mode.js';
import { whole } from '../../core/text.js';

/** What is done with the rows of a run. */
export const deedOf = (mode: RunMode): string =>
  mode === 'reconcile' ? 'compared' : mode === 'undo' ? 'taken back' : 'sent';

/** What a run has yet to do. */
export const waitingSentence = (rows: number, mode: RunMode): string =>
  `${whole(rows)} ${rows === 1 ? 'row is' : 'rows are'} yet to be ${deedOf(mode)}`;

/** What to do after a run, for a person: a command, a link or a button follows. */
export const NEXT_STEPS = {
  resume: 'Go on with this run',
  mend: (which: string): string => `Correct the rows in ${which}, then import them`,
  compare: 'All rows that failed are there already: see what differs',
  recover: 'Restore the clients that the contact center keeps as deleted',
  look: 'Look at the report',
} as const;

/** What became of a run since. */
export const TAKEN_BACK = 'This run was taken back.';

/** Why nobody has to fear for the other rows. */
export const NOT_SENT_TWICE = 'What ended well is not sent twice.';
