import {
  ContactCenterError,
  type CardlineError,
  LedgerError,
  LedgerInUseError,
  NotAuthorizedError,
} from '../../core/errors/errors.js';
import { CanaryStop, INTERRUPTED } from '../../core/stop.js';
import type { PageProblem } from '../shared/errors.js';

/** Why a run has stopped, in words, and what it was. */
export const problemOfStop = (words: string, by: CardlineError | undefined): PageProblem => ({
  code: codeOf(by),
  // The page has a button for what a command line would do.
  sentence: words.replace(/ ?The same command continues the run\.$/, ''),
});

function codeOf(by: CardlineError | undefined): string {
  if (by === undefined) return 'stopped';
  if (by instanceof CanaryStop) return 'canary';
  if (by.message === INTERRUPTED) return 'interrupted';
  if (by instanceof LedgerInUseError) return 'works_elsewhere';
  if (/disk is full/.test(by.message)) return 'disk_full';
  if (by instanceof LedgerError) return 'ledger';
  const cause = by instanceof ContactCenterError ? by : by.cause;
  if (cause instanceof NotAuthorizedError) return 'not_authorized';
  if (cause instanceof ContactCenterError)
    return cause.seen === undefined ? 'unreachable' : 'no_center_there';
  return 'stopped';
}
