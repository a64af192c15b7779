import type { Queries } from '../connection/connection.js';
import { endRun } from '../run-statements.js';
import { LEDGER_SCHEMA } from '../schema.js';
import { progressOfShared } from './shared-progress.js';
import { STOP, type SharedStop } from './shared-stop.js';

const S = LEDGER_SCHEMA;

/**
 * Puts on record that a run has stopped, once nobody works on a piece of it; to be called in a transaction. Does nothing
 * where it goes on.
 */
export async function noteStopped(queries: Queries, place: number): Promise<void> {
  const [shared] = await queries.rows<{ stop: SharedStop['by'] | null }>(
    `SELECT ${STOP} AS stop FROM ${S}.shared WHERE run = $1 FOR NO KEY UPDATE`,
    [place],
  );
  if (!shared?.stop) return;
  const leased = await queries.rows(
    `SELECT FROM ${S}.piece WHERE run = $1 AND outcomes IS NULL AND until > clock_timestamp() LIMIT 1`,
    [place],
  );
  if (leased.length > 0) return;
  const { outcomes, ended } = await progressOfShared(queries, place);
  await endRun(queries, { place }, { state: 'stopped', rows: ended, outcomes });
}
