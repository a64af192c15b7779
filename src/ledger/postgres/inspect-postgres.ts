import type { InspectedLedger } from '../inspected-ledger.js';
import { postgresAddress } from './connection/address.js';
import { connectionsTo } from './connection/connection.js';
import { takenRuns } from './lease.js';
import { refuseServer, versionOf } from './prepare-tables.js';
import { mayWrite } from './rights.js';
import { SCHEMA_VERSION } from './schema.js';

/** What is known of a ledger in PostgreSQL without making or changing anything. @throws LedgerError, NoLedgerError */
export async function inspectPostgres(address: string): Promise<InspectedLedger> {
  const connections = connectionsTo(postgresAddress(address));
  const { name } = connections;
  try {
    await refuseServer(connections);
    const version = await versionOf(connections, name);
    return {
      file: name,
      version: version === 0 ? undefined : version,
      ownVersion: SCHEMA_VERSION,
      notWritable: (await mayWrite(connections, version)) ? [] : [name],
      inUse: version === 0 ? [] : [...(await takenRuns(connections))],
    };
  } finally {
    await connections.close();
  }
}
