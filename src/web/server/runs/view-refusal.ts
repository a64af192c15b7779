import {
  LedgerError,
  LedgerInUseError,
  NewerLedgerError,
  NoLedgerError,
} from '../../../core/errors.js';
import { Refusal } from '../refusal.js';
import { noSuchRun } from './refusals.js';

/** Why a ledger cannot be looked at, the more special first. */
const REASONS = [
  [
    LedgerInUseError,
    'ledger_in_use',
    'Another program has the ledger for itself at this moment.',
    'Try again in a moment.',
  ],
  [
    NewerLedgerError,
    'newer_ledger',
    'A later version of cardline has written the ledger.',
    'Use that version, or start "cardline ui" with another --ledger.',
  ],
  [
    NoLedgerError,
    'no_ledger',
    'What lies at the place of the ledger is none.',
    'Start "cardline ui" with another --ledger.',
  ],
  [
    LedgerError,
    'ledger_unread',
    'The ledger cannot be read.',
    'Look at its disk and its permissions, and try again.',
  ],
] as const;

/** What is thrown where runs could not be looked at. */
export function viewRefusal(error: unknown): unknown {
  const found = REASONS.find(([Kind]) => error instanceof Kind);
  if (!found) return noSuchRun(error);
  const [, code, sentence, next] = found;
  return new Refusal(422, { code, sentence, next });
}
