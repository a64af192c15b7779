import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isPostgresAddress } from '../../core/ledger.js';
import type { Installation } from '../../installation/installation.js';
import { postgresAddress } from '../../ledger/address.js';
import { DEFAULT_LEDGER } from '../defaults.js';

/** Where the facts of runs are kept: what the caller says, else what the installation says, else the usual file here. */
export function ledgerPath(
  wanted: string | undefined,
  installation: Pick<Installation, 'ledger'>,
): string {
  return wanted ?? installation.ledger ?? DEFAULT_LEDGER;
}

/** The ledger as any folder understands it. @throws NoLedgerError when an address is wrong, or holds a password */
export const absoluteLedger = (ledger: string): string =>
  isPostgresAddress(ledger) ? postgresAddress(ledger).name : resolve(ledger);

/** Whether there is a ledger; whether there is one in a database shows when it is opened. */
export const hasLedger = (ledger: string): boolean =>
  isPostgresAddress(ledger) || existsSync(ledger);

/** The file beside which others lie that belong to a ledger; of a ledger in a database, the usual one here. */
export const fileOfLedger = (ledger: string): string =>
  isPostgresAddress(ledger) ? DEFAULT_LEDGER : ledger;
