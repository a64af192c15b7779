import { failuresIn, type OutcomeCounts, noOutcomes } from '../../../core/outcome.js';
import type { Queries } from '../connection/connection.js';
import { endRun } from '../run-statements.js';
import { LEDGER_SCHEMA } from '../schema.js';
import type { PieceLease } from './piece-lease.js';
import { addCounts, rowsIn } from './shared-progress.js';
import { STOP, type SharedStop } from './shared-stop.js';

const S = LEDGER_SCHEMA;

/** What a piece came to. */
export interface PieceEnd {
  readonly outcomes: OutcomeCounts;
  /** Rows among them for which nothing was sent, since they are as an earlier run sent them. */
  readonly asBefore: number;
  readonly requests: number;
  readonly retries: number;
  /**
   * How long something of it may still arrive at the contact center, in milliseconds: a lost request must not come after
   * one for a later row of its client.
   */
  readonly unsettledMs: number;
}

export interface EndedPiece {
  /** Whether it was still this process's. */
  readonly isOwn: boolean;
  /** Whether it was the last one of its run. */
  readonly endsRun: boolean;
  /** Pieces that may be given out now: the next one of the canary, or one that has waited. */
  readonly opens: readonly number[];
}

const NOT_OWN: EndedPiece = { isOwn: false, endsRun: false, opens: [] };

/** How the rows of a piece ended; to be called in a transaction. */
export async function endPiece(
  queries: Queries,
  { place, number, epoch }: PieceLease,
  { outcomes, asBefore, requests, retries, unsettledMs }: PieceEnd,
): Promise<EndedPiece> {
  const [held] = await queries.rows<{ unknown: number }>(
    `SELECT unknown FROM ${S}.piece
     WHERE run = $1 AND number = $2 AND epoch = $3 AND outcomes IS NULL FOR NO KEY UPDATE`,
    [place, number, epoch],
  );
  if (!held) return NOT_OWN;
  await queries.run(
    `UPDATE ${S}.piece SET outcomes = $3, data = NULL, counts = NULL, until = '-infinity', unknown = $6,
       requests = requests + $4, retries = retries + $5,
       settled = clock_timestamp() + $7 * interval '1 ms'
     WHERE run = $1 AND number = $2`,
    [place, number, JSON.stringify(outcomes), requests, retries, outcomes.unknown, unsettledMs],
  );
  await queries.run(`UPDATE ${S}.shared SET failed = failed + $2 WHERE run = $1`, [
    ...[place, outcomes.unknown - held.unknown],
  ]);
  const opens = [
    ...(await openNext(queries, { place, number }, outcomes, asBefore)),
    ...(await endWaiting(queries, place)),
  ];
  return { isOwn: true, endsRun: await endIfDone(queries, place), opens };
}

/** Where a piece was a part of the canary and that has more clients, the next piece has the rest of them. */
async function openNext(
  queries: Queries,
  { place, number }: Pick<PieceLease, 'place' | 'number'>,
  outcomes: OutcomeCounts,
  asBefore: number,
): Promise<number[]> {
  const { rejected, skipped } = outcomes;
  const sent = rowsIn(outcomes) - rejected - skipped - asBefore;
  const [opened] = await queries.rows<{ gate: number }>(
    `UPDATE ${S}.shared SET gate = gate + 1, canary = canary - $3, canary_failed = canary_failed + $4
     WHERE run = $1 AND gate = $2::bigint + 1 RETURNING gate`,
    [place, number, sent, failuresIn(outcomes) - rejected],
  );
  return opened ? [opened.gate - 1] : [];
}

/** Of those that have not ended, the first has nothing before it to wait for. */
async function endWaiting(queries: Queries, place: number): Promise<number[]> {
  const first = await queries.rows<{ number: number; waits: boolean }>(
    `SELECT number, waits FROM ${S}.piece WHERE run = $1 AND outcomes IS NULL ORDER BY number LIMIT 1`,
    [place],
  );
  return first.filter(({ waits }) => waits).map(({ number }) => number);
}

interface EndingRun {
  readonly pieces: number | null;
  /** Whether whoever submits it has something left to do. */
  readonly stays: boolean;
  readonly stop: SharedStop['by'] | null;
}

/** The last piece ends its run. The line of the run is locked first: of two that end at once, the second sees both. */
export async function endIfDone(queries: Queries, place: number): Promise<boolean> {
  const [shared] = await queries.rows<EndingRun>(
    `SELECT pieces, stays, ${STOP} AS stop FROM ${S}.shared WHERE run = $1 FOR NO KEY UPDATE`,
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
  const isStopped = shared.stop !== null || shared.stays;
  await endRun(queries, { place }, { state: isStopped ? 'stopped' : open, rows, outcomes });
  return true;
}

const endedPieces = (queries: Queries, place: number) =>
  queries.rows<{ rows: number; outcomes: string }>(
    `SELECT rows, outcomes FROM ${S}.piece WHERE run = $1 AND outcomes IS NOT NULL`,
    [place],
  );
