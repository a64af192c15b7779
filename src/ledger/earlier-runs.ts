import type { KnownScope, RunIdentity } from '../core/ledger.js';
import { type LedgerParts, isTakenBack } from './choose-run.js';
import type { RunRow } from './run-table.js';

/**
 * Runs that came to their end on the same contact center with the same content (or the same files), and that nobody has
 * taken back: what their rows did need not be done again. The latest first.
 */
export function earlierRuns(
  ledger: LedgerParts,
  { inputs, content, installation }: RunIdentity,
  scope: KnownScope,
  before: number,
): RunRow[] {
  return ledger.database
    .prepare<[string, number, string, string], RunRow>(
      `SELECT * FROM run WHERE installation = ? AND created_at < ? AND state IN ('finished', 'open')
         AND (content = ? OR inputs = ?)
       ORDER BY created_at DESC, rowid DESC`,
    )
    .all(installation, before, content, scope === 'same files' ? JSON.stringify(inputs) : '')
    .filter((run) => !isTakenBack(ledger, run));
}
