import type { Fact } from '../../core/facts/facts.js';
import type { RowState } from '../../core/facts/row-state.js';
import { foldChunk } from '../../core/facts/fold.js';
import { identitiesOf } from '../../core/client/identities.js';
import type { PreparedChunk, RowRecord } from '../../core/client/prepared.js';
import type { Problem } from '../../core/problem.js';

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

/** A row with something to do. */
interface Taken {
  readonly at: number;
  readonly record: RowRecord;
  readonly payload: object;
}

function chunkOf(
  { read, states }: NonNullable<ReturnType<typeof foldChunk>>,
  { identifierNames, total, payloadOf, skipped, backwards = false }: LedgerChunks,
): PreparedChunk {
  const taken: Taken[] = [];
  const records = read.rows.map((record, at): RowRecord => {
    const state = states[at];
    const payload = state ? payloadOf(state) : null;
    const [row, uuid, identifiers] = record;
    if (!payload) return [row, uuid, identifiers, 2, [skipped]];
    taken.push({ at, record, payload });
    return [row, uuid, identifiers, 0];
  });
  if (backwards) taken.reverse();
  const identities = taken.map(({ record: [, uuid, identifiers] }) => ({
    uuid: uuid ?? '',
    values: identifierNames.map((_, place) => identifiers[place] ?? ''),
  }));
  const payloads = taken.map(({ payload }) => Buffer.from(JSON.stringify(payload)));
  return {
    input: read.input,
    sheet: read.sheet,
    first: read.first,
    count: records.length,
    read: Buffer.from(JSON.stringify({ ...read, rows: records })),
    clients: {
      at: Uint32Array.from(taken, ({ at }) => at),
      rows: Uint32Array.from(taken, ({ record }) => record[0]),
      identities: identitiesOf(identifierNames, identities),
      derivedUuids: false,
      payload: joined(payloads),
      ends: endsOf(payloads),
      keys: new Uint32Array(),
      keyEnds: new Uint32Array(taken.length),
    },
    rejected: 0,
    skipped: records.length - taken.length,
    problems: [],
    remarks: [],
    evidence: [],
    progress: shareOf(total, backwards ? total - read.first : read.first + records.length),
    kept: [],
    shown: [],
  };
}

function shareOf(total: number, done: number): number {
  return total === 0 ? 1 : Math.max(0, Math.min(1, done / total));
}

const COMMA = Buffer.from(',');

function joined(payloads: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(payloads.flatMap((payload, at) => (at > 0 ? [COMMA, payload] : [payload])));
}

/** Where each payload ends, with a comma between one and the next. */
function endsOf(payloads: readonly Uint8Array[]): Uint32Array {
  const ends = new Uint32Array(payloads.length);
  let end = 0;
  for (const [at, payload] of payloads.entries()) {
    end += payload.length + (at > 0 ? COMMA.length : 0);
    ends[at] = end;
  }
  return ends;
}
