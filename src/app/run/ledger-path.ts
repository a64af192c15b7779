import type { Installation } from '../../installation/installation.js';
import { DEFAULT_LEDGER } from '../defaults.js';

/** Where the facts of runs are kept: what the caller says, else what the installation says, else the usual file here. */
export function ledgerPath(
  wanted: string | undefined,
  installation: Pick<Installation, 'ledger'>,
): string {
  return wanted ?? installation.ledger ?? DEFAULT_LEDGER;
}
