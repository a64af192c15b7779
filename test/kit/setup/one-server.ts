import { POSTGRES, SHARED_SERVER, startOwnPostgres } from '../postgres.js';

/** Starts the one server of PostgreSQL that tests make their databases on. */
export async function setup(): Promise<(() => void) | undefined> {
  if (POSTGRES === undefined) return undefined;
  const server = await startOwnPostgres();
  // Workers that are started from now on have it.
  process.env[SHARED_SERVER] = String(server.port);
  return () => server.remove();
}
