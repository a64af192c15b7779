import { UsageError } from '../../core/errors/errors.js';
import { isPostgresAddress } from '../../core/ledger-address.js';

/** @throws UsageError: a ledger in a file is that of one machine */
export function refuseOtherLedger(ledger: string): void {
  if (!isPostgresAddress(ledger))
    throw new UsageError('Machines share a ledger in PostgreSQL: give --ledger postgres://…');
}
