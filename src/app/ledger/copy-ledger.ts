import { type CopiedRun, type CopiedRuns, copyRuns, openLedger } from '../../ledger/ledger.js';
import { withLedger } from '../runs/runs.js';

export type { CopiedRun, CopiedRuns } from '../../ledger/ledger.js';

/** What a copy brought, and where. */
export interface CopiedLedger extends CopiedRuns {
  /** Absolute path, or the address of the database. */
  readonly to: string;
}

/**
 * Copies all runs of a ledger into another one, which is made where it is not there.
 * @throws InputError when there is no ledger to copy; UsageError, LedgerError as `copyRuns` does
 */
export function copyLedger(
  from: string,
  to: string,
  onRun?: (run: CopiedRun) => void,
): Promise<CopiedLedger> {
  return withLedger(from, async (source) => {
    const target = await openLedger(to, { thread: false });
    try {
      return { to: target.file, ...(await copyRuns({ from: source, to: target, onRun })) };
    } finally {
      await target.close();
    }
  });
}
