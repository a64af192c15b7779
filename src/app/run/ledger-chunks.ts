import { type Fact, type RowState, foldChunk } from '../../core/facts.js';
import { isErased } from '../../core/erase.js';
import type { PreparedChunk, RowRecord } from '../../core/prepared.js';
import type { Problem } from '../../core/problem.js';
import { type TakenRow, recordedChunk } from './recorded-chunk.js';

/** What is to be done about a row of an earlier run; `null` when nothing is. */
export type FromRow = (state: RowState) => object | null;

export interface LedgerChunks {
  /** The facts of the earlier run, chunk by chunk, each with its number. */
  readonly chunks: () => Promise<Iterable<readonly [number: number, facts: readonly Fact[]]>>;
  /** Works from the last row to the first, for what has to be taken back in that order. @default false */
  readonly backwards?: boolean;
  readonly identifierNames: readonly string[];
  /** Rows of the run, for the progress. */
  readonly total: number;
  readonly payloadOf: FromRow;
  /** Says of a row without payload why it is skipped. */
  readonly skipped: Problem;
}

/** The rows of an earlier run, as its ledger has them, for a run that works on what it did. */
export async function* ledgerChunks(
  request: LedgerChunks,
): AsyncGenerator<PreparedChunk, void, undefined> {
  for (const [number, facts] of await request.chunks()) {
    const folded = foldChunk(facts);
    if (folded) yield { ...chunkOf(folded, request), number };
    // Reading the ledger holds up everything else; others have their turn in between.
    await new Promise(setImmediate);
  }
}

function chunkOf(
  { read, states }: NonNullable<ReturnType<typeof foldChunk>>,
  { identifierNames, total, payloadOf, skipped, backwards = false }: LedgerChunks,
): PreparedChunk {
  const taken: TakenRow[] = [];
  const records = read.rows.map((record, at): RowRecord => {
    const state = states[at];
    const [row, uuid, identifiers] = record;
    // Of an erased person nobody knows who it was.
    const payload = state && !isErased(record) ? payloadOf(state) : null;
    if (!payload) return [row, uuid, identifiers, 2, [skipped]];
    taken.push({ at, record, payload });
    return [row, uuid, identifiers, 0];
  });
  if (backwards) taken.reverse();
  const { input, sheet, first } = read;
  const done = backwards ? total - first : first + records.length;
  return recordedChunk({ input, sheet, first, rows: records }, taken, identifierNames, {
    total,
    done,
  });
}
