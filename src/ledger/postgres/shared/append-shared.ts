import { failedRows } from '../../../core/facts.js';
import type { RunMode } from '../../../core/mode.js';
import type { StoredFact } from '../../recorder/recorder.js';
import { type FactAppender, factAppender, factLines } from '../append-facts.js';
import type { Connections, Queries } from '../connection/connection.js';
import type { Lease } from '../lease.js';
import { LEDGER_SCHEMA } from '../schema.js';
import type { PieceLease } from './piece-lease.js';
import { STOP, type SharedStop } from './shared-stop.js';

const S = LEDGER_SCHEMA;

/** What the submitter counts while it hands a run over. */
export interface SubmitterTally {
  /** Rows that are no clients, of all that this process has read. */
  rejected: number;
  /** How many rows may end badly; `null`: any. */
  allowed: number | null;
  /** Called when a statement says that the run stops, before what it appended is acted upon. */
  onStop: (stop: SharedStop) => void;
}

/** What a worker counts while it works on a piece. */
export interface WorkerTally {
  readonly mode: RunMode;
  /** Rows of the piece of which this process does not know what became of them. */
  readonly unknown: () => number;
  readonly onStop: (stop: SharedStop) => void;
}

/** Who may append: the submitter, by the lease of the run, or a worker, by that of a piece. */
export type Fence =
  | { readonly kind: 'run'; readonly lease: Lease; readonly tally: SubmitterTally }
  | { readonly kind: 'piece'; readonly piece: PieceLease; readonly tally: WorkerTally };

/** Appends facts of a run that several machines share. */
export function appenderOfShared(
  connections: Connections,
  run: string,
  place: number,
  fence: Fence,
): FactAppender {
  return factAppender(connections, {
    run,
    // Whoever hands over sends nothing.
    count: (facts) => (fence.kind === 'piece' ? failedRows(facts, fence.tally.mode) : 0),
    insert: (queries, facts, { counted }) => insert(queries, place, fence, facts, counted),
  });
}

interface Appended {
  readonly appended: number;
  readonly stop: SharedStop['by'] | null;
  readonly bad: number | null;
}

/**
 * The lease is looked at, the numbers of the facts are taken, and rows that ended badly are counted, in the statement that
 * writes. The line with the numbers stays locked until that is committed, so that whoever reads by numbers misses none,
 * and so that of all who append, those after the one that passes a limit learn of it.
 */
async function insert(
  queries: Queries,
  place: number,
  fence: Fence,
  facts: readonly StoredFact[],
  failed: number,
): Promise<number> {
  const { steps, values: of } = stepsOf(fence, place, failed);
  const values: unknown[] = [place, facts.length, ...of];
  const [found] = await queries.rows<Appended>(
    `WITH ${steps},
     appended AS (
       INSERT INTO ${S}.fact (run, number, chunk, kind, data)
       SELECT $1::bigint, numbered.last + f.at, f.chunk, f.kind, f.data
       FROM numbered, (${factLines(facts, values)}) AS f (at, chunk, kind, data) ORDER BY f.at
       RETURNING 1
     )
     SELECT (SELECT count(*) FROM appended) AS appended, (SELECT stop FROM numbered) AS stop,
       (SELECT bad FROM numbered) AS bad`,
    values,
  );
  if (found?.stop) fence.tally.onStop({ by: found.stop, bad: found.bad ?? 0 });
  return found?.appended ?? 0;
}

/** What comes before the facts: `numbered` gives the last number, where the fence lets pass. */
function stepsOf(
  fence: Fence,
  place: number,
  failed: number,
): { readonly steps: string; readonly values: readonly unknown[] } {
  const numbered = (set: string): string =>
    `numbered AS (
       UPDATE ${S}.shared SET facts = facts + $2, ${set}
       WHERE run = $1 AND EXISTS (SELECT FROM held)
       RETURNING facts - $2 AS last, ${STOP} AS stop, rejected + failed AS bad
     )`;
  if (fence.kind === 'run') {
    const { lease, tally } = fence;
    return {
      steps: `held AS MATERIALIZED (SELECT run FROM ${S}.lease WHERE run = $3 AND epoch = $4 FOR SHARE),
        ${numbered('rejected = greatest(rejected, $5::bigint), allowed = $6::bigint')}`,
      values: [lease.run, lease.epoch, tally.rejected, tally.allowed],
    };
  }
  const { piece, tally } = fence;
  return {
    steps: `held AS MATERIALIZED (
        SELECT run, number, unknown FROM ${S}.piece
        WHERE run = $3 AND number = $4 AND epoch = $5 FOR NO KEY UPDATE
      ),
      noted AS (
        UPDATE ${S}.piece p SET unknown = $7::bigint FROM held
        WHERE p.run = held.run AND p.number = held.number AND held.unknown <> $7::bigint
      ),
      ${numbered('failed = failed + $6::bigint + $7::bigint - (SELECT unknown FROM held)')}`,
    values: [place, piece.number, piece.epoch, failed, tally.unknown()],
  };
}
