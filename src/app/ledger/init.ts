import { isPostgresAddress } from '../../core/ledger.js';
import { type InitializedLedger, initLedger } from '../../ledger/ledger.js';
import { ledgerPath } from '../run/ledger-path.js';

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
  const { initJobs } = await import('../../fleet/init-jobs.js');
  const jobs = await initJobs(address, justPrints || made.kind === 'sql');
  const sql = (made.kind === 'sql' ? made.sql : '') + (jobs ?? '');
  return sql === '' ? made : { file: made.file, kind: 'sql', sql };
}
