import { postgresAddress } from '../../ledger/port.js';
import { connectionsTo, LEDGER_SCHEMA, prepareTables } from '../../ledger/database.js';
import type { StateDatabase } from './dialect.js';

/** A state in the database of a ledger, which watchers on several machines share. @throws LedgerError, NoLedgerError */
export async function postgresState(address: string): Promise<StateDatabase> {
  const connections = connectionsTo(postgresAddress(address));
  try {
    await prepareTables(connections);
  } catch (error) {
    await connections.close();
    throw error;
  }
  return {
    rows: (text, values) => connections.rows(text, values),
    run: (text, values) => connections.run(text, values),
    transaction: (work) => connections.transaction(work),
    close: () => connections.close(),
    table: (name) => `${LEDGER_SCHEMA}.watch_${name}`,
    now: '(extract(epoch FROM clock_timestamp()) * 1000)::bigint',
  };
}
