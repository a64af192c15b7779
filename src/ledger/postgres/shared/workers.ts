import { type OutcomeCounts, noOutcomes } from '../../../core/outcome.js';
import type { Queries } from '../connection/connection.js';
import { LEDGER_SCHEMA } from '../schema.js';
import { STOP, type SharedStop } from './shared-stop.js';

const S = LEDGER_SCHEMA;

/** After so long nobody wants to know of a worker that is not there any more. */
const FORGOTTEN = "interval '1 hour'";

/** Notes that a worker is there. `data`: what others may want to know of it, as JSON. */
export async function noteSeen(queries: Queries, id: string, data: string): Promise<void> {
  await queries.run(
    `INSERT INTO ${S}.worker (id, data, seen) VALUES ($1, $2, clock_timestamp())
     ON CONFLICT (id) DO UPDATE SET data = excluded.data, seen = excluded.seen`,
    [id, data],
  );
}

/** Forgets a worker that has ended, and those that have not been seen for long. */
export async function forgetWorker(queries: Queries, id: string): Promise<void> {
  await queries.run(
    `DELETE FROM ${S}.worker WHERE id = $1 OR seen < clock_timestamp() - ${FORGOTTEN}`,
    [id],
  );
}

/** A worker as it was seen last. */
export interface SeenWorker {
  /** As pieces name it. */
  readonly id: string;
  readonly data: string;
  readonly secondsAgo: number;
}

export function seenWorkers(queries: Queries): Promise<SeenWorker[]> {
  return queries.rows<SeenWorker>(
    `SELECT id, data, extract(epoch FROM clock_timestamp() - seen)::float8 AS "secondsAgo"
     FROM ${S}.worker ORDER BY id`,
  );
}

/** A piece that somebody works on. */
export interface LeasedPiece {
  readonly run: string;
  readonly number: number;
  readonly rows: number;
  /** Rows of it that have ended. */
  readonly ended: number;
  readonly worker: string;
  /** Until its lease lapses, where nobody renews it. */
  readonly secondsLeft: number;
}

export async function leasedPieces(queries: Queries): Promise<LeasedPiece[]> {
  const found = await queries.rows<Omit<LeasedPiece, 'ended'> & { counts: string | null }>(
    `SELECT r.id AS run, p.number, p.rows, p.counts, coalesce(p.worker, '') AS worker,
       extract(epoch FROM p.until - clock_timestamp())::float8 AS "secondsLeft"
     FROM ${S}.piece p JOIN ${S}.run r ON r.place = p.run
     WHERE p.outcomes IS NULL AND p.until > clock_timestamp() ORDER BY p.run, p.number`,
  );
  return found.map(({ counts, ...piece }) => ({ ...piece, ended: sumOf(counts) }));
}

function sumOf(counts: string | null): number {
  // Written by us: its shape is not checked again.
  const outcomes = counts === null ? noOutcomes() : (JSON.parse(counts) as OutcomeCounts);
  return Object.values(outcomes).reduce((sum, count) => sum + count, 0);
}

/** How far a shared run has come. */
export interface SharedCount {
  readonly run: string;
  /** How many pieces there are so far, and whether these are all. */
  readonly pieces: number;
  readonly isWhole: boolean;
  readonly ended: number;
  readonly rows: number;
  /** Why nothing more of it is sent; `null`: it goes on. */
  readonly stopped: SharedStop['by'] | null;
}

/** Shared runs with something left to do. */
export function sharedCounts(queries: Queries): Promise<SharedCount[]> {
  return queries.rows<SharedCount>(
    `SELECT r.id AS run, count(p.number) AS pieces, s.pieces IS NOT NULL AS "isWhole",
       count(p.outcomes) AS ended, coalesce(sum(p.rows), 0)::bigint AS rows, ${STOP} AS stopped
     FROM ${S}.shared s JOIN ${S}.run r ON r.place = s.run LEFT JOIN ${S}.piece p ON p.run = s.run
     GROUP BY r.id, s.run
     HAVING s.pieces IS NULL OR count(p.outcomes) < s.pieces ORDER BY s.run`,
  );
}
