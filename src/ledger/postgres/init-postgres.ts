import { codeOf, CardlineError } from '../../core/errors.js';
import type { InitializedLedger } from '../initialized-ledger.js';
import { postgresAddress } from './connection/address.js';
import { administratorSql } from './administrator.js';
import { type Connections, connectionsTo } from './connection/connection.js';
import { prepareTables, refuseNewer, refuseServer, versionOf } from './prepare-tables.js';
import { mayWrite, roleOf } from './rights.js';
import { SCHEMA_VERSION } from './schema.js';

/** Makes the tables in a database, or says what an administrator has to execute. @throws LedgerError, NoLedgerError */
export async function initPostgres(
  address: string,
  justPrints: boolean,
): Promise<InitializedLedger> {
  const connections = connectionsTo(postgresAddress(address));
  const { name: file } = connections;
  try {
    await refuseServer(connections);
    if (!justPrints && (await isReady(connections)))
      return { file, kind: 'ready', version: SCHEMA_VERSION };
    const version = await knownVersion(connections);
    refuseNewer(version, file);
    return {
      file,
      kind: 'sql',
      sql: administratorSql({ role: await roleOf(connections), version }),
    };
  } finally {
    await connections.close();
  }
}

/** Whether there are tables now that the role may write to. */
async function isReady(connections: Connections): Promise<boolean> {
  try {
    await prepareTables(connections);
  } catch (error) {
    if (isForbidden(error)) return false;
    throw error;
  }
  return mayWrite(connections, SCHEMA_VERSION);
}

/** Tables that the role may not look at are up to date where somebody else uses them. */
async function knownVersion(connections: Connections): Promise<number> {
  try {
    return await versionOf(connections, connections.name);
  } catch (error) {
    if (isForbidden(error)) return SCHEMA_VERSION;
    throw error;
  }
}

const isForbidden = (error: unknown): boolean =>
  error instanceof CardlineError && codeOf(error.cause) === '42501';
