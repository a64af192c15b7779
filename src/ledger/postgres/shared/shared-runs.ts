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

/** A shared run that this process hands over: its place, and the lease by which it may. */
export interface SharedWork extends SharedRun {
  readonly place: number;
  readonly lease: Lease;
}

/** What is left of a shared run. */
export interface SharedState {
  /** Pieces on record that have not ended. */
  readonly left: number;
  /** Whether its input has not been handed over as a whole, or pieces are left. */
  readonly isOpen: boolean;
}

/**
 * What is left of a run, which nobody ends until the transaction does; `undefined`: it is not shared. Its line is locked
 * before that of the run, as whoever ends a piece does.
 */
export async function lockShared(
  queries: Queries,
  place: number,
): Promise<SharedState | undefined> {
  const [shared] = await queries.rows<{ pieces: number | null }>(
    `SELECT pieces FROM ${S}.shared WHERE run = $1 FOR NO KEY UPDATE`,
    [place],
  );
  if (!shared) return undefined;
  const [found] = await queries.rows<{ left: number }>(
    `SELECT count(*) AS left FROM ${S}.piece WHERE run = $1 AND outcomes IS NULL`,
    [place],
  );
  const left = found?.left ?? 0;
  return { left, isOpen: shared.pieces === null || left > 0 };
}

/** Lets a run that this process has taken be shared. `plan`: what workers need to know, as JSON. */
export async function beginShared(
  queries: Queries,
  place: number,
  { epoch }: Lease,
  plan: string,
): Promise<SharedRun> {
  await queries.run(
    `INSERT INTO ${S}.shared AS had (run, epoch, plan, facts)
     VALUES ($1, $2, $3, (SELECT coalesce(max(number), 0) FROM ${S}.fact WHERE run = $1))
     ON CONFLICT (run) DO UPDATE SET epoch = excluded.epoch, plan = excluded.plan,
       facts = greatest(had.facts, excluded.facts)`,
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

/**
 * Puts on record that all pieces are handed over. Where they have all ended already, the run is at its end. Resolves with
 * whether the run was still this process's.
 */
export function closeShared(
  connections: Connections,
  place: number,
  lease: Lease,
  pieces: number,
): Promise<boolean> {
  return connections.transaction(async (queries) => {
    const closed = await queries.run(
      `WITH held AS MATERIALIZED (SELECT run FROM ${S}.lease WHERE run = $1 AND epoch = $2 FOR SHARE)
       UPDATE ${S}.shared SET pieces = $4 WHERE run = $3 AND EXISTS (SELECT FROM held)`,
      [lease.run, lease.epoch, place, pieces],
    );
    if (closed === 1) await endIfDone(queries, place);
    return closed === 1;
  });
}

/** What a piece came to. */
export interface PieceEnd {
  readonly outcomes: OutcomeCounts;
  readonly requests: number;
  readonly retries: number;
}

/** How the rows of a piece ended. Resolves with whether it was still this process's, and whether it ended the run. */
export function endPiece(
  connections: Connections,
  { place, number, epoch }: PieceLease,
  { outcomes, requests, retries }: PieceEnd,
): Promise<{ readonly isOwn: boolean; readonly endsRun: boolean }> {
  return connections.transaction(async (queries) => {
    const ended = await queries.run(
      `UPDATE ${S}.piece SET outcomes = $4, data = NULL, counts = NULL, until = '-infinity',
         requests = requests + $5, retries = retries + $6
       WHERE run = $1 AND number = $2 AND epoch = $3 AND outcomes IS NULL`,
      [place, number, epoch, JSON.stringify(outcomes), requests, retries],
    );
    const isOwn = ended === 1;
    return { isOwn, endsRun: isOwn && (await endIfDone(queries, place)) };
  });
}

/** The last piece ends its run. The line of the run is locked first: of two that end at once, the second sees both. */
async function endIfDone(queries: Queries, place: number): Promise<boolean> {
  const [shared] = await queries.rows<{ pieces: number | null }>(
    `SELECT pieces FROM ${S}.shared WHERE run = $1 FOR NO KEY UPDATE`,
    [place],
  );
  if (typeof shared?.pieces !== 'number') return false;
  const ended = await endedPieces(queries, place);
  if (ended.length < shared.pieces) return false;
  const outcomes = noOutcomes();
  let rows = 0;
  for (const piece of ended) {
    rows += piece.rows;
    addCounts(outcomes, piece.outcomes);
  }
  await endRun(queries, place, {
    state: outcomes.unknown > 0 ? 'open' : 'finished',
    rows,
    outcomes,
  });
  return true;
}

const endedPieces = (queries: Queries, place: number) =>
  queries.rows<{ rows: number; outcomes: string }>(
    `SELECT rows, outcomes FROM ${S}.piece WHERE run = $1 AND outcomes IS NOT NULL`,
    [place],
  );

/** Written by us: the shape of the counts is not checked again. */
function addCounts(to: OutcomeCounts, json: string): void {
  for (const [outcome, count] of Object.entries(JSON.parse(json) as OutcomeCounts))
    to[outcome as keyof OutcomeCounts] += count;
}

/** How far all who work on a run have come. */
export interface SharedProgress {
  readonly outcomes: OutcomeCounts;
  /** Rows that have been handed over. */
  readonly rows: number;
  readonly requests: number;
  readonly retries: number;
  readonly isEnded: boolean;
}

export async function progressOfShared(queries: Queries, place: number): Promise<SharedProgress> {
  const pieces = await queries.rows<{
    pieces: number | null;
    ended: boolean;
    rows: number;
    counts: string | null;
    requests: number;
    retries: number;
  }>(
    `SELECT s.pieces, p.outcomes IS NOT NULL AS ended, coalesce(p.rows, 0) AS rows,
       coalesce(p.outcomes, p.counts) AS counts, coalesce(p.requests, 0) AS requests,
       coalesce(p.retries, 0) AS retries
     FROM ${S}.shared s LEFT JOIN ${S}.piece p USING (run) WHERE s.run = $1`,
    [place],
  );
  const outcomes = noOutcomes();
  const sums = { rows: 0, requests: 0, retries: 0, ended: 0 };
  for (const { ended, rows, counts, requests, retries } of pieces) {
    sums.rows += rows;
    sums.requests += requests;
    sums.retries += retries;
    if (ended) sums.ended++;
    if (counts !== null) addCounts(outcomes, counts);
  }
  const { rows, requests, retries, ended } = sums;
  const total = pieces[0]?.pieces ?? null;
  // Of a run that was forgotten, nothing is left to do.
  const isEnded = pieces.length === 0 || (total !== null && ended >= total);
  return { outcomes, rows, requests, retries, isEnded };
}

/** A shared run that is not at its end, with what its workers need to know. */
export interface OpenShared {
  readonly place: number;
  readonly run: string;
  /** Of its submitter: where it is another one, the plan may have changed. */
  readonly epoch: number;
  readonly settlesAll: boolean;
}

/** Shared runs with pieces that have not ended, in the order in which they began. */
export function openShared(queries: Queries): Promise<OpenShared[]> {
  return queries.rows<OpenShared>(
    `SELECT s.run AS place, r.id AS run, s.epoch, r.settles_all = 1 AS "settlesAll"
     FROM ${S}.shared s JOIN ${S}.run r ON r.place = s.run
     WHERE r.state IS DISTINCT FROM 'finished'
       AND EXISTS (SELECT FROM ${S}.piece p WHERE p.run = s.run AND p.outcomes IS NULL)
     ORDER BY s.run`,
  );
}

/** Ids of shared runs that are not at their end, whether or not there is something to take. */
export async function liveShared(queries: Queries): Promise<Set<string>> {
  const found = await queries.rows<{ id: string }>(
    `SELECT r.id FROM ${S}.shared s JOIN ${S}.run r ON r.place = s.run
     WHERE s.pieces IS NULL
       OR EXISTS (SELECT FROM ${S}.piece p WHERE p.run = s.run AND p.outcomes IS NULL)`,
  );
  return new Set(found.map(({ id }) => id));
}

/** What workers need to know of a run; `undefined`: it was forgotten. */
export async function planOf(queries: Queries, place: number): Promise<string | undefined> {
  const [found] = await queries.rows<{ plan: string }>(
    `SELECT plan FROM ${S}.shared WHERE run = $1`,
    [place],
  );
  return found?.plan;
}
