import type { RunEnd } from '../../core/ledger.js';
import { type Moment, momentNow } from '../../core/time.js';
import { runTaken } from '../runs/in-use.js';
import { RUN_COLUMNS, type RunRow } from '../runs/run-table.js';
import type { Queries } from './connection/connection.js';
import type { Lease } from './lease.js';
import { LEDGER_SCHEMA } from './schema.js';

export const RUN_TABLE = `${LEDGER_SCHEMA}.run`;

const RUN = RUN_TABLE;

/** A line of the table of runs. */
export interface PlacedRun extends RunRow {
  readonly place: number;
  /** The server, and which of its histories, that has confirmed the facts of the run. */
  readonly cluster: string;
}

/** All runs in the order in which they began. */
export function allRuns(queries: Queries): Promise<PlacedRun[]> {
  return queries.rows<PlacedRun>(`SELECT * FROM ${RUN} ORDER BY place`);
}

/** Undos, and others that name one: spares reading the settings of all runs. */
export function runsLikeUndos(queries: Queries): Promise<PlacedRun[]> {
  return queries.rows<PlacedRun>(
    `SELECT * FROM ${RUN} WHERE position('"undoes"' IN settings) > 0 ORDER BY place`,
  );
}

/** Whether one of these runs may be continued. */
export async function hasUnfinished(queries: Queries, ids: readonly string[]): Promise<boolean> {
  const [found] = await queries.rows(
    `SELECT FROM ${RUN} WHERE id = ANY ($1::text[]) AND state IS DISTINCT FROM 'finished' LIMIT 1`,
    [ids],
  );
  return found !== undefined;
}

export async function placedRun(queries: Queries, id: string): Promise<PlacedRun | undefined> {
  const [found] = await queries.rows<PlacedRun>(`SELECT * FROM ${RUN} WHERE id = $1`, [id]);
  return found;
}

/** The columns that are written when a run begins. */
const WRITTEN = [...RUN_COLUMNS, 'cluster'] as const satisfies readonly (keyof PlacedRun)[];

/** Puts a run on record. One of the same id is forgotten. */
export async function replaceRun(
  queries: Queries,
  row: Omit<PlacedRun, 'place'>,
): Promise<PlacedRun> {
  await forgetRuns(queries, [row.id]);
  return insertRun(queries, row);
}

/** Puts a run on record that is not there yet. */
export async function insertRun(
  queries: Queries,
  row: Omit<PlacedRun, 'place'>,
): Promise<PlacedRun> {
  const places = WRITTEN.map((_, at) => `$${at + 1}`).join(', ');
  const [inserted] = await queries.rows<PlacedRun>(
    `INSERT INTO ${RUN} (${WRITTEN.join(', ')}) VALUES (${places}) RETURNING *`,
    WRITTEN.map((column) => row[column]),
  );
  if (!inserted) throw new Error(`Run ${row.id} is not on record.`);
  return inserted;
}

/** What is put on record when a process goes on with a run. */
export interface Reopening extends Pick<RunRow, 'content' | 'settings' | 'worker' | 'settles_all'> {
  readonly cluster: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** How the run ended before says nothing any more. */
export async function reopenRun(
  queries: Queries,
  { place, id }: PlacedRun,
  { content, settings, now, worker, settles_all, cluster }: Reopening,
): Promise<PlacedRun> {
  const [row] = await queries.rows<PlacedRun>(
    `UPDATE ${RUN} SET content = $2, settings = $7, opened_at = greatest(opened_at + 1, $3::bigint), worker = $4, state = NULL,
       ended_at = NULL, rows = NULL, outcomes = NULL, settles_all = greatest(settles_all, $5::smallint), cluster = $6
     WHERE place = $1 RETURNING *`,
    [place, content, now, worker, settles_all, cluster, settings],
  );
  if (!row) throw new Error(`Run ${id} is not on record.`);
  return row;
}

export async function noteWorker(queries: Queries, id: string, worker: string): Promise<void> {
  await queries.run(`UPDATE ${RUN} SET worker = $2 WHERE id = $1`, [id, worker]);
}

/** Has everything of a run looked up before it is sent, when it goes on. */
export async function settleAllOf(queries: Queries, place: number): Promise<void> {
  await queries.run(`UPDATE ${RUN} SET settles_all = 1 WHERE place = $1`, [place]);
}

/** A run, and the lease by which this process works on it; absent: whoever asks has locked it otherwise. */
export interface OwnRun {
  readonly place: number;
  readonly lease?: Lease;
}

/** @throws RunTakenError where another process has taken the run */
export function keepSettings(queries: Queries, own: OwnRun, settings: string): Promise<void> {
  return changeOwn(queries, own, 'settings = $4', [settings]);
}

/** @throws RunTakenError where another process has taken the run */
export function identifyRun(queries: Queries, own: OwnRun, content: string): Promise<void> {
  return changeOwn(queries, own, 'content = $4', [content]);
}

/**
 * Puts the end of a run on record, at a moment by the database's clock: those of two machines may differ by more than a
 * command takes.
 * @throws RunTakenError where another process has taken the run
 */
export function endRun(
  queries: Queries,
  own: OwnRun,
  { state, rows, outcomes }: RunEnd,
): Promise<void> {
  return changeOwn(queries, own, `state = $4, ended_at = ${NOW_MS}, rows = $5, outcomes = $6`, [
    ...[state, rows, JSON.stringify(outcomes)],
  ]);
}

const NOW_MS = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** When a command began, in milliseconds since the epoch by the database's clock; at most a statement too early. */
export async function beganAt(queries: Queries, begun: Moment): Promise<number> {
  const [found] = await queries.rows<{ now: number }>(`SELECT ${NOW_MS} AS now`);
  if (!found) throw new Error('The database does not say what time it is.');
  return found.now - (momentNow().monotonic - begun.monotonic);
}

/** The lease is looked at in the statement that writes, as with facts. `set`: its values are those from $4 on. */
async function changeOwn(
  queries: Queries,
  { place, lease }: OwnRun,
  set: string,
  values: readonly unknown[],
): Promise<void> {
  const changed = await queries.run(
    `WITH held AS MATERIALIZED (
       SELECT FROM ${LEDGER_SCHEMA}.lease WHERE run = $2 AND epoch = $3 FOR SHARE
     )
     UPDATE ${RUN} SET ${set} WHERE place = $1 AND ($2::text IS NULL OR EXISTS (SELECT FROM held))`,
    [place, lease?.run ?? null, lease?.epoch ?? null, ...values],
  );
  if (changed === 0 && lease) throw runTaken(lease.run);
}

/** Takes runs out of the ledger, with all their facts. */
export async function forgetRuns(queries: Queries, ids: readonly string[]): Promise<void> {
  await queries.run(`DELETE FROM ${RUN} WHERE id = ANY ($1::text[])`, [ids]);
}

/** The same of old ones, on which nobody works: their leases are not needed either. */
export async function pruneRuns(queries: Queries, ids: readonly string[]): Promise<void> {
  await forgetRuns(queries, ids);
  await queries.run(`DELETE FROM ${LEDGER_SCHEMA}.lease WHERE run = ANY ($1::text[])`, [ids]);
}

/** The number of the last fact of a run; 0: there is none. */
export async function lastNumber(queries: Queries, place: number): Promise<number> {
  const [found] = await queries.rows<{ last: number | null }>(
    `SELECT max(number) AS last FROM ${LEDGER_SCHEMA}.fact WHERE run = $1`,
    [place],
  );
  return found?.last ?? 0;
}
