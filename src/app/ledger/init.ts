import { initLedger } from '../../ledger/init-ledger.js';
import { ledgerPath } from '../run/ledger-path.js';

/** Makes a ledger, or gives what an administrator has to execute. Without `ledger`: the usual one. @throws LedgerError */
export const initNamedLedger = (ledger: string | undefined, justPrints: boolean) =>
  initLedger(ledgerPath(ledger, {}), { justPrints });
