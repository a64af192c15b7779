import type { StoredFact } from '../../recorder/recorder.js';
import { type FactAppender, factAppender, factLines } from '../append-facts.js';
import type { Connections, Queries } from '../connection.js';
import type { Lease } from '../lease.js';
import { LEDGER_SCHEMA } from '../schema.js';
import type { PieceLease } from './piece-lease.js';

const S = LEDGER_SCHEMA;

/** Who may append: the submitter, by the lease of the run, or a worker, by that of a piece. */
export type Fence =
  | { readonly kind: 'run'; readonly lease: Lease }
  | { readonly kind: 'piece'; readonly piece: PieceLease };

/** Appends facts of a run that several machines share. */
export function appenderOfShared(
  connections: Connections,
  run: string,
  place: number,
  fence: Fence,
): FactAppender {
  return factAppender(connections, {
    run,
    insert: (queries, facts) => insert(queries, place, fence, facts),
  });
}

/**
 * The lease is looked at, and the numbers of the facts are taken, in the statement that writes. The line with the numbers
 * stays locked until that is committed, so that whoever reads by numbers misses none.
 */
function insert(
  queries: Queries,
  place: number,
  fence: Fence,
  facts: readonly StoredFact[],
): Promise<number> {
  const [held, ...of] = heldBy(fence, place);
  const values: unknown[] = [place, facts.length, ...of];
  return queries.run(
    `WITH held AS MATERIALIZED (${held} FOR SHARE),
     numbered AS (
       UPDATE ${S}.shared SET facts = facts + $2
       WHERE run = $1 AND EXISTS (SELECT FROM held) RETURNING facts - $2 AS last
     )
     INSERT INTO ${S}.fact (run, number, chunk, kind, data)
     SELECT $1::bigint, numbered.last + f.at, f.chunk, f.kind, f.data
     FROM numbered, (${factLines(facts, values)}) AS f (at, chunk, kind, data) ORDER BY f.at`,
    values,
  );
}

function heldBy(fence: Fence, place: number): readonly [sql: string, ...values: unknown[]] {
  if (fence.kind === 'run')
    return [
      `SELECT run FROM ${S}.lease WHERE run = $3 AND epoch = $4`,
      fence.lease.run,
      fence.lease.epoch,
    ];
  const { number, epoch } = fence.piece;
  return [
    `SELECT run FROM ${S}.piece WHERE run = $3 AND number = $4 AND epoch = $5`,
    ...[place, number, epoch],
  ];
}
