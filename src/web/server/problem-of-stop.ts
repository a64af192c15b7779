import {
  type CardlineError,
  ChangedSinceError,
  ContactCenterError,
  LedgerError,
  LedgerInUseError,
  NotAuthorizedError,
  RunInUseError,
} from '../../core/errors/errors.js';
import { CanaryStop, INTERRUPTED } from '../../core/stop.js';
import type { PageProblem } from '../shared/errors.js';

/** What a command line would do: the page has a button for it. */
const COMMAND = /[;.]? [^;.]*\bsame command\b[^;.]*/g;

/** Why a run has stopped, or did not begin, in words, and what it was. */
export const problemOfStop = (words: string, by: CardlineError | undefined): PageProblem => ({
  code: codeOf(by),
  sentence: words.replaceAll(COMMAND, ''),
  ...(by instanceof RunInUseError || by instanceof ChangedSinceError
    ? { values: { run: by.run } }
    : {}),
});

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
