import { isPostgresAddress } from '../core/ledger.js';
import type { InitializedLedger } from './initialized-ledger.js';
import { openLedger } from './ledger.js';
import { SCHEMA_VERSION } from './schema.js';

export interface InitLedgerOptions {
  /** Gives the statements for an administrator, and changes nothing; of a ledger in a file there are none. */
  readonly justPrints: boolean;
}

/** Makes the tables of a ledger where there are none, or brings them up to date. @throws LedgerError, NoLedgerError */
export async function initLedger(
  ledger: string,
  { justPrints }: InitLedgerOptions,
): Promise<InitializedLedger> {
  if (isPostgresAddress(ledger)) {
    const { initPostgres } = await import('./postgres/init-postgres.js');
    return initPostgres(ledger, justPrints);
  }
  const opened = await openLedger(ledger, { thread: false });
  await opened.close();
  return { file: opened.file, kind: 'ready', version: SCHEMA_VERSION };
}
