import { isPostgresAddress } from '../core/ledger-address.js';
import { openLedger } from './ledger.js';
import { SCHEMA_VERSION } from './schema.js';

/** A ledger that has its tables, or what an administrator has to execute so that it gets them. */
export type InitializedLedger = {
  /** Absolute path, or the address of the database. */
  readonly file: string;
} & (
  | { readonly kind: 'ready'; readonly version: number }
  | { readonly kind: 'sql'; readonly sql: string }
);

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
