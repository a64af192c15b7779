import { openFleet } from '../../fleet/fleet.js';
import { releaseShared } from '../../ledger/shared.js';
import { refuseOtherLedger } from './refuse-other-ledger.js';

/**
 * Takes a run back from the machines that share it, so that other commands work on it.
 * @throws UsageError, LedgerInUseError, LedgerError
 */
export async function releaseRun(ledger: string, run: string): Promise<void> {
  refuseOtherLedger(ledger);
  const fleet = await openFleet(ledger);
  try {
    await releaseShared(fleet.connections, run);
    await fleet.jobs.end(run);
  } finally {
    await fleet.close();
  }
}
