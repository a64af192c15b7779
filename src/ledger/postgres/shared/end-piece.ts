import { failuresIn, type OutcomeCounts, noOutcomes } from '../../../core/outcome.js';
import type { Queries } from '../connection.js';
import { endRun } from '../run-statements.js';
import { LEDGER_SCHEMA } from '../schema.js';
import type { PieceLease } from './piece-lease.js';
import { addCounts, rowsIn } from './shared-progress.js';
import { STOP, type SharedStop } from './shared-stop.js';

const S = LEDGER_SCHEMA;

/** What a piece came to. */
export interface PieceEnd {
  readonly outcomes: OutcomeCounts;
  readonly requests: number;
  readonly retries: number;
}

export interface EndedPiece {
  /** Whether it was still this process's. */
  readonly isOwn: boolean;
  /** Whether it was the last one of its run. */
  readonly endsRun: boolean;
  /** The piece that may be given out now, since this one was a part of the canary; `null`: none. */
  readonly opens: number | null;
}

const NOT_OWN: EndedPiece = { isOwn: false, endsRun: false, opens: null };

/** How the rows of a piece ended; to be called in a transaction. */
export async function endPiece(
  queries: Queries,
  { place, number, epoch }: PieceLease,
  { outcomes, requests, retries }: PieceEnd,
): Promise<EndedPiece> {
  const [held] = await queries.rows<{ unknown: number }>(
    `SELECT unknown FROM ${S}.piece
     WHERE run = $1 AND number = $2 AND epoch = $3 AND outcomes IS NULL FOR NO KEY UPDATE`,
    [place, number, epoch],
  );
  if (!held) return NOT_OWN;
  await queries.run(
    `UPDATE ${S}.piece SET outcomes = $3, data = NULL, counts = NULL, until = '-infinity', unknown = $6,
       requests = requests + $4, retries = retries + $5
     WHERE run = $1 AND number = $2`,
    [place, number, JSON.stringify(outcomes), requests, retries, outcomes.unknown],
  );
  await queries.run(`UPDATE ${S}.shared SET failed = failed + $2 WHERE run = $1`, [
    ...[place, outcomes.unknown - held.unknown],
  ]);
  const opens = await openNext(queries, place, number, outcomes);
  return { isOwn: true, endsRun: await endIfDone(queries, place), opens };
}

/** Where a piece was a part of the canary and that has more clients, the next piece has the rest of them. */
async function openNext(
  queries: Queries,
  place: number,
  number: number,
  outcomes: OutcomeCounts,
): Promise<number | null> {
  const { rejected, skipped } = outcomes;
  const [opened] = await queries.rows<{ gate: number }>(
    `UPDATE ${S}.shared SET gate = gate + 1, canary = canary - $3, canary_failed = canary_failed + $4
     WHERE run = $1 AND gate = $2::bigint + 1 RETURNING gate`,
    [place, number, rowsIn(outcomes) - rejected - skipped, failuresIn(outcomes) - rejected],
  );
  return opened ? opened.gate - 1 : null;
}

/** The last piece ends its run. The line of the run is locked first: of two that end at once, the second sees both. */
export async function endIfDone(queries: Queries, place: number): Promise<boolean> {
  const [shared] = await queries.rows<{ pieces: number | null; stop: SharedStop['by'] | null }>(
    `SELECT pieces, ${STOP} AS stop FROM ${S}.shared WHERE run = $1 FOR NO KEY UPDATE`,
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
  const open = outcomes.unknown > 0 ? 'open' : 'finished';
  await endRun(queries, place, { state: shared.stop ? 'stopped' : open, rows, outcomes });
  return true;
}

const endedPieces = (queries: Queries, place: number) =>
  queries.rows<{ rows: number; outcomes: string }>(
    `SELECT rows, outcomes FROM ${S}.piece WHERE run = $1 AND outcomes IS NOT NULL`,
    [place],
  );
