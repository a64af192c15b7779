import { copyRuns, openLedger, initLedger } from '../ledger/ledger.js';
import type { CopiedRun, CopiedRuns, InitializedLedger } from '../ledger/port.js';
import { withLedger } from '../history/history.js';
import { isPostgresAddress } from '../core/ledger.js';
import { ledgerPath } from '../options/places.js';

/**
 * Copies all runs of a ledger into another one, which is made where it is not there. `to`: its absolute path, or the
 * address of the database.
 * @throws InputError when there is no ledger to copy; UsageError, LedgerError as `copyRuns` does
 */
export function copyLedger(
  from: string,
  to: string,
  onRun?: (run: CopiedRun) => void,
): Promise<CopiedRuns & { readonly to: string }> {
  return withLedger(from, async (source) => {
    const target = await openLedger(to, { thread: false });
    try {
      return { to: target.file, ...(await copyRuns({ from: source, to: target, onRun })) };
    } finally {
      await target.close();
    }
  });
}

/**
 * Makes a ledger, with the tables of what machines share where it is in a database, or gives what an administrator has to
 * execute. Without `ledger`: the usual one.
 * @throws LedgerError
 */
export async function initNamedLedger(
  ledger: string | undefined,
  justPrints: boolean,
): Promise<InitializedLedger> {
  const address = ledgerPath(ledger, {});
  const made = await initLedger(address, { justPrints });
  if (!isPostgresAddress(address)) return made;
  const { initJobs } = await import('../fleet/fleet.js');
  const jobs = await initJobs(address, justPrints || made.kind === 'sql');
  const sql = (made.kind === 'sql' ? made.sql : '') + (jobs ?? '');
  return sql === '' ? made : { file: made.file, kind: 'sql', sql };
}
