import { execFileSync } from 'node:child_process';
import { initNamedLedger } from '../../../src/setup/ledger.js';
import {
  addressOf,
  ORIGIN,
  POSTGRES,
  SHARED_SERVER,
  startOwnPostgres,
  TABLES,
} from '../postgres.js';

/** Starts the one server of PostgreSQL that tests make their databases on. */
export async function setup(): Promise<(() => void) | undefined> {
  if (POSTGRES === undefined) return undefined;
  const server = await startOwnPostgres();
  await server.execute('postgres', `CREATE DATABASE ${TABLES}`);
  await initNamedLedger(addressOf(server.port, TABLES), false);
  server.stop();
  const origin = `${server.data}-origin`;
  execFileSync('cp', ['-a', server.data, origin]);
  server.start();
  // Workers that are started from now on have them.
  process.env[ORIGIN] = origin;
  process.env[SHARED_SERVER] = String(server.port);
  return () => server.remove();
}
