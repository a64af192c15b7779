import {
  type CardlineError,
  ChangedSinceError,
  ContactCenterError,
  LedgerError,
  LedgerInUseError,
  NotAuthorizedError,
  RunInUseError,
  CanaryStop,
  INTERRUPTED,
} from '../../core/errors.js';
import type { PageProblem } from '../shared/errors.js';

/** What a command line would do: the page has a button for it. */
const COMMAND = /[;.]? [^;.]*\bsame command\b[^;.]*/g;

/** Words without what only a command line can do. */
export const withoutCommand = (words: string): string => words.replaceAll(COMMAND, '');

/** What to do, where the words do not say it. */
const NEXT: Readonly<Record<string, string>> = {
  canary:
    'Look at the reasons below. When they are mended, or do not matter, continue with the other rows.',
  interrupted: 'What was sent is on record. Continue sends the rest.',
  unreachable: 'Nothing is lost. Continue as soon as it is there again.',
  not_authorized:
    'Set the right value in the environment variable that the installation names, start cardline again, and continue.',
  no_center_there:
    'Check the address in the installation, the proxy, and whether a login stands in between.',
  works_elsewhere: 'Stop it there with Ctrl-C, or wait until it has ended.',
  ledger: 'What was recorded before holds. Look at the folder of the ledger, then continue.',
  disk_full: 'Make room and try again; what was there before is kept.',
  changed_since:
    'Restore what has changed, take back what it did, or begin anew, which sends all rows again.',
};

/** Why a run has stopped, or did not begin, in words, and what it was. */
export function problemOfStop(words: string, by: CardlineError | undefined): PageProblem {
  const code = codeOf(by);
  const next = NEXT[code];
  return {
    code,
    sentence: withoutCommand(words),
    ...(next === undefined ? {} : { next }),
    ...(by instanceof RunInUseError || by instanceof ChangedSinceError
      ? { values: { run: by.run } }
      : {}),
  };
}

function codeOf(by: CardlineError | undefined): string {
  if (by === undefined) return 'stopped';
  if (by instanceof CanaryStop) return 'canary';
  if (by.message === INTERRUPTED) return 'interrupted';
  if (by instanceof ChangedSinceError) return 'changed_since';
  if (by instanceof LedgerInUseError) return 'works_elsewhere';
  if (by.message.includes('disk is full')) return 'disk_full';
  if (by instanceof LedgerError) return 'ledger';
  const cause = by instanceof ContactCenterError ? by : by.cause;
  if (cause instanceof NotAuthorizedError) return 'not_authorized';
  if (cause instanceof ContactCenterError)
    return cause.seen === undefined ? 'unreachable' : 'no_center_there';
  return 'stopped';
}
