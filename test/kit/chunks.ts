import { createHash } from 'node:crypto';
import { identitiesOf, type PreparedChunk, type RowRecord } from '../../src/core/prepared.js';
import { type DuplicateKind, markedWord } from '../../src/core/duplicates.js';

/** A row for a chunk made by hand: a client by its id, or a row that mapping left out. */
export type TestRow =
  | { id: number; uuid?: string; key?: string; payload?: object }
  | { rejected: string }
  | { skipped: string };

/** A prepared chunk as the reading thread would make it. The header is row 1 and there are no gaps. */
export function chunkOf(
  rows: readonly TestRow[],
  place: { first?: number; input?: number } = {},
): PreparedChunk {
  const { first = 0, input = 0 } = place;
  const firstRow = first + 2;
  const records = rows.map((row, at): RowRecord => {
    if ('id' in row) return [firstRow + at, uuidOf(row), [row.id], 0];
    const [code, status] =
      'rejected' in row ? [row.rejected, 1 as const] : [row.skipped, 2 as const];
    return [
      firstRow + at,
      null,
      [null],
      status,
      [{ column: null, code, message: code, value: null }],
    ];
  });
  const clients = rows.flatMap((row, at) => ('id' in row ? [{ row, at }] : []));
  const texts = clients.map(({ row }) =>
    JSON.stringify(row.payload ?? { uuid: uuidOf(row), fields: { offerId: row.id } }),
  );
  const identities = clients.map(({ row }) => ({ uuid: uuidOf(row), values: [row.id] }));
  let end = -1;
  return {
    input,
    sheet: null,
    first,
    count: rows.length,
    read: Buffer.from(JSON.stringify({ input, sheet: null, first, rows: records })),
    clients: {
      at: Uint32Array.from(clients.map(({ at }) => at)),
      rows: Uint32Array.from(clients.map(({ at }) => firstRow + at)),
      identities: identitiesOf(['offerId'], identities),
      derivedUuids: false,
      payload: Buffer.from(texts.join(',')),
      ends: Uint32Array.from(texts.map((text) => (end += Buffer.byteLength(text) + 1))),
      keys: Uint32Array.from(clients.flatMap(({ row }) => keyOf(row.key ?? String(row.id)))),
      keyEnds: Uint32Array.from(clients.map((_, index) => index + 1)),
    },
    rejected: rows.filter((row) => 'rejected' in row).length,
    skipped: rows.filter((row) => 'skipped' in row).length,
    problems: [],
    remarks: [],
    evidence: [],
    progress: 1,
    kept: [],
    shown: [],
  };
}

/** A key by which duplicates are known. */
export function keyOf(text: string, kind: DuplicateKind = 'sync'): number[] {
  const digest = createHash('sha1').update(text).digest();
  const [first = 0, second = 0, last = 0] = [0, 4, 8].map((offset) => digest.readUInt32LE(offset));
  return [first, second, markedWord(last, kind)];
}

function uuidOf(row: { id: number; uuid?: string }): string {
  return row.uuid ?? `uuid-${row.id}`;
}
