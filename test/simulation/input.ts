import type { PreparedChunk } from '../../src/core/prepared.js';
import { type TestRow, chunkOf } from '../kit/chunks.js';
import type { RowKind, Scenario } from './scenario.js';

/** A row of the simulated file. */
export interface InputRow {
  readonly kind: RowKind;
  /** Identifier of its client; `null` when it is none. */
  readonly offerId: number | null;
}

/** The simulated file. */
export interface Input {
  readonly rows: readonly InputRow[];
  readonly chunks: readonly PreparedChunk[];
  /** What is particular about a client, by its identifier. */
  readonly kinds: ReadonlyMap<number, RowKind>;
  /** Where the row of a client stands. */
  readonly placeOf: ReadonlyMap<number, { readonly chunk: number; readonly at: number }>;
}

export function inputOf({ rows: kinds, rowsInChunk }: Scenario): Input {
  const rows = rowsOf(kinds);
  const chunks: PreparedChunk[] = [];
  const placeOf = new Map<number, { chunk: number; at: number }>();
  for (let first = 0; first < rows.length; first += rowsInChunk) {
    const part = rows.slice(first, first + rowsInChunk);
    for (const [at, { kind, offerId }] of part.entries())
      if (offerId !== null && kind !== 'repeat') placeOf.set(offerId, { chunk: chunks.length, at });
    chunks.push(chunkOf(part.map(testRow), { first }));
  }
  const clients = rows.flatMap(({ kind, offerId }) =>
    offerId === null || kind === 'repeat' ? [] : [[offerId, kind] as const],
  );
  return { rows, chunks, kinds: new Map(clients), placeOf };
}

/** A repeated row is the client of the first row that is one; where there is none, it is a client itself. */
function rowsOf(kinds: readonly RowKind[]): InputRow[] {
  let first: number | null = null;
  return kinds.map((kind, index) => {
    if (kind === 'rejected' || kind === 'skipped') return { kind, offerId: null };
    if (kind === 'repeat' && first !== null) return { kind, offerId: first };
    const offerId = index + 1;
    first ??= offerId;
    return { kind: kind === 'repeat' ? 'client' : kind, offerId };
  });
}

function testRow({ kind, offerId }: InputRow): TestRow {
  if (offerId !== null) return { id: offerId };
  return kind === 'rejected' ? { rejected: 'no_phone' } : { skipped: 'filtered' };
}
