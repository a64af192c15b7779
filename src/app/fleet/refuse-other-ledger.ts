import { UsageError } from '../../core/errors.js';
import { isPostgresAddress } from '../../core/ledger.js';

/** @throws UsageError: a ledger in a file is that of one machine */
export function refuseOtherLedger(ledger: string): void {
  if (!isPostgresAddress(ledger))
    throw new UsageError('Machines share a ledger in PostgreSQL: give --ledger postgres://…');
}
