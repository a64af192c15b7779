import { type OutcomeCounts, noOutcomes } from '../../../core/outcome.js';
import type { Connections, Queries } from '../connection.js';
import type { Lease } from '../lease.js';
import { endRun } from '../run-statements.js';
import { LEDGER_SCHEMA } from '../schema.js';
import type { PieceLease } from './piece-lease.js';

const S = LEDGER_SCHEMA;

/** How far a run has been handed over. */
export interface SharedRun {
  /** How many pieces are on record: the next one has this number. */
  readonly handed: number;
  /** How many chunks these have. */
  readonly chunks: number;
  /** How many pieces there are; `null` while the input is being read. */
  readonly pieces: number | null;
}

/** Lets a run that this process has taken be shared. `plan`: what workers need to know, as JSON. */
export async function beginShared(
  queries: Queries,
  place: number,
  { epoch }: Lease,
  plan: string,
): Promise<SharedRun> {
  await queries.run(
    `INSERT INTO ${S}.shared (run, epoch, plan, facts)
     VALUES ($1, $2, $3, (SELECT coalesce(max(number), 0) FROM ${S}.fact WHERE run = $1))
     ON CONFLICT (run) DO UPDATE SET epoch = excluded.epoch, plan = excluded.plan`,
    [place, epoch, plan],
  );
  const [found] = await queries.rows<SharedRun>(
    `SELECT s.pieces, count(p.number) AS handed, coalesce(sum(p.chunks), 0)::bigint AS chunks
     FROM ${S}.shared s LEFT JOIN ${S}.piece p USING (run) WHERE s.run = $1 GROUP BY s.run`,
    [place],
  );
  if (!found) throw new Error('The run is not shared.');
  return found;
}

/** What workers need to know of a run; `undefined`: it was forgotten. */
export async function planOf(queries: Queries, place: number): Promise<string | undefined> {
  const [found] = await queries.rows<{ plan: string }>(
    `SELECT plan FROM ${S}.shared WHERE run = $1`,
    [place],
  );
  return found?.plan;
}

export interface NewPiece {
  readonly number: number;
  readonly chunks: number;
  readonly rows: number;
  readonly data: Buffer;
}

/** Hands a piece over. Whoever lost the run meanwhile hands nothing over: `false`. */
export async function addPiece(
  queries: Queries,
  place: number,
  lease: Lease,
  { number, chunks, rows, data }: NewPiece,
): Promise<boolean> {
  const added = await queries.run(
    `WITH held AS MATERIALIZED (SELECT run FROM ${S}.lease WHERE run = $1 AND epoch = $2 FOR SHARE)
     INSERT INTO ${S}.piece (run, number, chunks, rows, data)
     SELECT $3::bigint, $4::bigint, $5::bigint, $6::bigint, $7::bytea WHERE EXISTS (SELECT FROM held)`,
    [lease.run, lease.epoch, place, number, chunks, rows, data],
  );
  return added === 1;
}

/** Puts on record that all pieces are handed over. Where they have all ended already, the run is at its end. */
export function closeShared(
  connections: Connections,
  place: number,
  pieces: number,
): Promise<boolean> {
  return connections.transaction(async (queries) => {
    await queries.run(`UPDATE ${S}.shared SET pieces = $2 WHERE run = $1`, [place, pieces]);
    return endIfDone(queries, place);
  });
}

/** How the rows of a piece ended. Resolves with whether it was still this process's. */
export function endPiece(
  connections: Connections,
  { place, number, epoch }: PieceLease,
  outcomes: OutcomeCounts,
): Promise<boolean> {
  return connections.transaction(async (queries) => {
    const ended = await queries.run(
      `UPDATE ${S}.piece SET outcomes = $4, data = NULL, until = '-infinity'
       WHERE run = $1 AND number = $2 AND epoch = $3`,
      [place, number, epoch, JSON.stringify(outcomes)],
    );
    if (ended === 1) await endIfDone(queries, place);
    return ended === 1;
  });
}

/** The last piece ends its run. The line of the run is locked first: of two that end at once, the second sees both. */
async function endIfDone(queries: Queries, place: number): Promise<boolean> {
  const [shared] = await queries.rows<{ pieces: number | null }>(
    `SELECT pieces FROM ${S}.shared WHERE run = $1 FOR UPDATE`,
    [place],
  );
  if (typeof shared?.pieces !== 'number') return false;
  const ended = await queries.rows<{ rows: number; outcomes: string }>(
    `SELECT rows, outcomes FROM ${S}.piece WHERE run = $1 AND outcomes IS NOT NULL`,
    [place],
  );
  if (ended.length < shared.pieces) return false;
  const outcomes = noOutcomes();
  let rows = 0;
  for (const piece of ended) {
    rows += piece.rows;
    // Written by us: its shape is not checked again.
    const counts = Object.entries(JSON.parse(piece.outcomes) as OutcomeCounts);
    for (const [outcome, count] of counts) outcomes[outcome as keyof OutcomeCounts] += count;
  }
  await endRun(queries, place, {
    state: outcomes.unknown > 0 ? 'open' : 'finished',
    rows,
    outcomes,
  });
  return true;
}
