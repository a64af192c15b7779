import { type OutcomeCounts, noOutcomes } from '../../../core/outcome.js';
import type { Queries } from '../connection/connection.js';
import { LEDGER_SCHEMA } from '../schema.js';
import { STOP, type SharedStop } from './shared-stop.js';

const S = LEDGER_SCHEMA;

/** Written by us: the shape of the counts is not checked again. */
export function addCounts(to: OutcomeCounts, json: string): void {
  for (const [outcome, count] of Object.entries(JSON.parse(json) as OutcomeCounts))
    to[outcome as keyof OutcomeCounts] += count;
}

interface PieceLine {
  readonly stop: SharedStop['by'] | null;
  readonly bad: number | null;
  readonly pieces: number | null;
  readonly ended: boolean;
  readonly rows: number;
  readonly counts: string | null;
  readonly requests: number;
  readonly retries: number;
}

/** How far all who work on a run have come. */
export interface SharedProgress {
  readonly outcomes: OutcomeCounts;
  /** Rows that have been handed over, and those among them that have ended. */
  readonly rows: number;
  readonly ended: number;
  readonly requests: number;
  readonly retries: number;
  readonly isEnded: boolean;
  /** Why nobody is to go on; `null`: somebody may. */
  readonly stop: SharedStop | null;
}

/** How far a shared run has come, whoever works on it. */
export async function progressOfShared(queries: Queries, place: number): Promise<SharedProgress> {
  const pieces = await queries.rows<PieceLine>(
    `SELECT ${STOP} AS stop, rejected + failed AS bad, s.pieces, p.outcomes IS NOT NULL AS ended, coalesce(p.rows, 0) AS rows,
       coalesce(p.outcomes, p.counts) AS counts, coalesce(p.requests, 0) AS requests,
       coalesce(p.retries, 0) AS retries
     FROM ${S}.shared s LEFT JOIN ${S}.piece p USING (run) WHERE s.run = $1`,
    [place],
  );
  const outcomes = noOutcomes();
  const sums = { rows: 0, requests: 0, retries: 0, pieces: 0 };
  for (const { ended, rows, counts, requests, retries } of pieces) {
    sums.rows += rows;
    sums.requests += requests;
    sums.retries += retries;
    if (ended) sums.pieces++;
    if (counts !== null) addCounts(outcomes, counts);
  }
  const { rows, requests, retries } = sums;
  const first = pieces[0];
  return {
    ...{ outcomes, rows, requests, retries, ended: rowsIn(outcomes) },
    // Of a run that was forgotten, nothing is left to do.
    isEnded: !first || (first.pieces !== null && sums.pieces >= first.pieces),
    stop: first?.stop ? { by: first.stop, bad: first.bad ?? 0 } : null,
  };
}

/** Rows by whatever outcome. */
export const rowsIn = (outcomes: OutcomeCounts): number =>
  Object.values(outcomes).reduce((sum, count) => sum + count, 0);
