import { postgresAddress } from '../ledger/address.js';
import { type Connections, connectionsTo } from '../ledger/connection.js';
import { LEASE_TIMES, type LeaseTimes } from '../ledger/lease.js';
import { prepareTables } from '../ledger/postgres-schema.js';
import { PieceJobs } from './jobs.js';

/** What machines share: the database of the ledger, with the jobs of pieces in it. */
export interface Fleet {
  readonly connections: Connections;
  readonly jobs: PieceJobs;
  readonly times: LeaseTimes;
  close(): Promise<void>;
}

/** After which part of a lease an answer is no longer waited for. */
const NOTICED = 0.5;

/** @throws LedgerError, NoLedgerError: what is wrong with address, user, certificate, server or tables */
export async function openFleet(address: string, times: LeaseTimes = LEASE_TIMES): Promise<Fleet> {
  // Where nothing comes back, leases lapse: it has to be noticed before.
  const connections = connectionsTo(postgresAddress(address), {
    statementMs: times.leaseMs * NOTICED,
  });
  try {
    await prepareTables(connections);
    const jobs = await PieceJobs.open(connections);
    return { connections, jobs, times, close: () => connections.close() };
  } catch (error) {
    await connections.close();
    throw error;
  }
}
