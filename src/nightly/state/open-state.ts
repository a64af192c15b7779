import { isPostgresAddress } from '../../core/ledger.js';
import { SqlState } from './sql-state.js';
import type { WatchState } from './state.js';

/** Opens the state of watchers: beside the runs where these are in PostgreSQL, else in a file. */
export async function openState(
  ledger: string | undefined,
  file: string,
  claimMs?: number,
): Promise<WatchState> {
  if (ledger !== undefined && isPostgresAddress(ledger)) {
    const { postgresState } = await import('./postgres.js');
    return new SqlState(await postgresState(ledger), claimMs);
  }
  const { sqliteState } = await import('./sqlite.js');
  return new SqlState(sqliteState(file), claimMs);
}
