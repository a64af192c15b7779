import { ledgerPath } from '../options/places.js';
import { loadInstallation } from '../installation/load.js';
import { refusePlaces } from './places.js';

/** Where to look for runs. */
export interface LedgerOptions {
  /** Path of the ledger. @default the installation's `ledger`, else 'cardline.db' */
  readonly ledger?: string | undefined;
  /** Path of an installation file, whose ledger is used. @default none */
  readonly installation?: string | undefined;
}

/** Path of the ledger that the options mean. @throws ConfigurationError; UsageError where none can be */
export async function ledgerOf({ ledger, installation }: LedgerOptions): Promise<string> {
  refusePlaces({ ledger }, { ledger: 'read ledger' });
  if (ledger !== undefined || installation === undefined) return ledgerPath(ledger, {});
  return ledgerPath(undefined, await loadInstallation(installation));
}
