import type { KnownScope, RunIdentity } from '../core/ledger.js';
import { type LedgerParts, isTakenBack } from './choose-run.js';
import type { RunRow } from './run-table.js';

/**
 * Runs on the same contact center with the same content (or the same files), the latest first: those that came to their
 * end, since what their rows did need not be done again; and those that were taken back, since of some rows they may
 * never have learned what they did.
 */
export function earlierRuns(
  ledger: LedgerParts,
  { inputs, content, installation }: RunIdentity,
  scope: KnownScope,
): RunRow[] {
  return ledger.database
    .prepare<[string, string, string], RunRow>(
      `SELECT * FROM run WHERE installation = ? AND (content = ? OR inputs = ?)
       ORDER BY created_at DESC, rowid DESC`,
    )
    .all(installation, content, scope === 'same files' ? JSON.stringify(inputs) : '')
    .filter((run) => run.state === 'finished' || run.state === 'open' || isTakenBack(ledger, run));
}
