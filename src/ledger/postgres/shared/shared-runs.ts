import type { Connections, Queries } from '../connection/connection.js';
import type { Lease } from '../lease.js';
import { LEDGER_SCHEMA } from '../schema.js';
import type { SubmitterTally } from './append-shared.js';
import { endIfDone } from './end-piece.js';
import { firstEpoch } from './piece-epoch.js';
import { STOP } from './shared-stop.js';
import { WAITING } from './waiting.js';

const S = LEDGER_SCHEMA;

/** How far a run has been handed over. */
export interface SharedRun {
  /** How many pieces are on record: the next one has this number. */
  readonly handed: number;
  /** How many chunks these have. */
  readonly chunks: number;
  /** How many pieces there are; `null` while the input is being read. */
  readonly pieces: number | null;
  /** Whether rows that ended badly before it was shared have been counted. */
  readonly isCounted: boolean;
}

/** A shared run that this process hands over: its place, and the lease by which it may. */
export interface SharedWork extends SharedRun {
  readonly place: number;
  readonly lease: Lease;
  /** Whether this process ends it. */
  readonly stays: boolean;
  /** What it counts meanwhile. */
  readonly tally: SubmitterTally;
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

/** How a run is shared. */
export interface BegunShared {
  /** What workers need to know, as JSON. */
  readonly plan: string;
  /** Whether whoever submits it ends it, since something is left to do when all pieces have ended. */
  readonly stays: boolean;
}

/** Whether pieces are left that were mapped before: lists of numbers may have changed since then. */
const HAS_PIECES = `EXISTS (SELECT FROM ${S}.piece p WHERE p.run = had.run AND p.outcomes IS NULL)`;

/** Lets a run that this process has taken be shared. Its rows count as mapped when the first piece was that is left. */
export async function beginShared(
  queries: Queries,
  place: number,
  { epoch }: Lease,
  { plan, stays }: BegunShared,
): Promise<SharedRun> {
  await queries.run(
    `INSERT INTO ${S}.shared AS had (run, epoch, plan, stays, facts, failed)
     SELECT $1::bigint, $2::bigint, $3::text, $4::boolean, f.last, CASE f.last WHEN 0 THEN 0 END
     FROM (SELECT coalesce(max(number), 0) AS last FROM ${S}.fact WHERE run = $1) f
     ON CONFLICT (run) DO UPDATE SET epoch = excluded.epoch, plan = CASE WHEN ${HAS_PIECES}
         THEN (excluded.plan::jsonb || jsonb_build_object('mappedAt', had.plan::jsonb -> 'mappedAt'))::text
         ELSE excluded.plan END,
       stays = excluded.stays, facts = greatest(had.facts, excluded.facts)`,
    [place, epoch, plan, stays],
  );
  const [found] = await queries.rows<SharedRun>(
    `SELECT s.pieces, s.failed IS NOT NULL AS "isCounted", count(p.number) AS handed, coalesce(sum(p.chunks), 0)::bigint AS chunks
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
  /** Whether it has rows of clients of whom earlier pieces have some. */
  readonly waits: boolean;
}

/** What became of a piece that was to be handed over. */
export interface AddedPiece {
  /** Whether the run was still this process's: else nothing is handed over. */
  readonly isOwn: boolean;
  /** Whether workers may take it: not before the canary has passed, and pieces for which it waits have ended. */
  readonly isOpen: boolean;
}

/** Hands a piece over; to be called in a transaction. */
export async function addPiece(
  queries: Queries,
  place: number,
  lease: Lease,
  { number, chunks, rows, data, waits }: NewPiece,
): Promise<AddedPiece> {
  const added = await queries.run(
    `WITH held AS MATERIALIZED (SELECT run FROM ${S}.lease WHERE run = $1 AND epoch = $2 FOR SHARE)
     INSERT INTO ${S}.piece (run, number, chunks, rows, data, waits, epoch)
     SELECT $3::bigint, $4::bigint, $5::bigint, $6::bigint, $7::bytea, $8::boolean, $9::bigint
     WHERE EXISTS (SELECT FROM held)`,
    [lease.run, lease.epoch, place, number, chunks, rows, data, waits, firstEpoch(lease)],
  );
  // Whoever ends a piece or the canary locks this line first, and then sees this piece.
  await queries.rows(`SELECT FROM ${S}.shared WHERE run = $1 FOR SHARE`, [place]);
  const [closed] = await queries.rows<{ closed: boolean }>(
    `SELECT coalesce(p.number >= s.gate, false) OR ${WAITING} AS closed
     FROM ${S}.piece p JOIN ${S}.shared s USING (run) WHERE p.run = $1 AND p.number = $2`,
    [place, number],
  );
  return { isOwn: added === 1, isOpen: closed?.closed === false };
}

/**
 * Puts on record that all pieces are handed over, and how many rows may end badly, now that it is known how many rows there
 * are. Where all pieces have ended already, the run is at its end. Resolves with whether the run was still this process's.
 */
export function closeShared(
  connections: Connections,
  { place, lease, tally }: Pick<SharedWork, 'place' | 'lease' | 'tally'>,
  pieces: number,
): Promise<boolean> {
  return connections.transaction(async (queries) => {
    const closed = await queries.run(
      `WITH held AS MATERIALIZED (SELECT run FROM ${S}.lease WHERE run = $1 AND epoch = $2 FOR SHARE)
       UPDATE ${S}.shared SET pieces = $4, allowed = $5::bigint WHERE run = $3 AND EXISTS (SELECT FROM held)`,
      [lease.run, lease.epoch, place, pieces, tally.allowed],
    );
    if (closed === 1) await endIfDone(queries, place);
    return closed === 1;
  });
}

/** A shared run that is not at its end, with what its workers need to know. */
export interface OpenShared {
  readonly place: number;
  readonly run: string;
  /** Of its submitter: where it is another one, the plan may have changed. */
  readonly epoch: number;
  readonly settlesAll: boolean;
}

/** Shared runs with pieces that have not ended, in the order in which they began; without those that have stopped. */
export function openShared(queries: Queries): Promise<OpenShared[]> {
  return queries.rows<OpenShared>(
    `SELECT s.run AS place, r.id AS run, s.epoch, r.settles_all = 1 AS "settlesAll"
     FROM ${S}.shared s JOIN ${S}.run r ON r.place = s.run
     WHERE r.state IS DISTINCT FROM 'finished' AND (${STOP}) IS NULL
       AND EXISTS (SELECT FROM ${S}.piece p WHERE p.run = s.run AND p.outcomes IS NULL)
     ORDER BY s.run`,
  );
}

/** How many pieces are left of the shared runs of which something will be sent, by their ids. */
export async function sharedLeft(queries: Queries): Promise<Map<string, number>> {
  const found = await queries.rows<{ id: string; left: number }>(
    `SELECT r.id, count(*) AS left
     FROM ${S}.shared s JOIN ${S}.run r ON r.place = s.run JOIN ${S}.piece p ON p.run = s.run
     WHERE p.outcomes IS NULL AND (${STOP}) IS NULL GROUP BY r.id`,
  );
  return new Map(found.map(({ id, left }) => [id, left]));
}

/**
 * Ids of shared runs that wait for a command to do what is left when all pieces have ended, which workers put on record at
 * any moment; there is nothing in them that somebody has to see first.
 */
export async function sharedWaiting(queries: Queries): Promise<Set<string>> {
  const found = await queries.rows<{ id: string }>(
    `SELECT r.id FROM ${S}.shared s JOIN ${S}.run r ON r.place = s.run
     WHERE r.state = 'stopped' AND s.stays AND (${STOP}) IS NULL`,
  );
  return new Set(found.map(({ id }) => id));
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
