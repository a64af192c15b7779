import { KEY_WORDS, type PreparedClients, type RowRecord } from '../../core/prepared.js';
import type { CompiledMapping, MappedRow } from '../../mapping/compile.js';
import { ENVELOPE_BYTES } from '../../pipeline/batch.js';
import type { DuplicateRule } from '../../pipeline/screen.js';
import { keysBy } from './keys.js';

type MappedClient = Extract<MappedRow, { status: 'client' }>;
type RejectedRow = Exclude<MappedRow, { status: 'client' }>;

/** The clients of a chunk under construction, column by column. */
export interface ClientColumns {
  /** Adds the client of the row at this position of the chunk, or tells why it cannot be sent. */
  add(mapped: MappedClient, at: number, row: number): RejectedRow | null;
  /** The record of the client that was added last. */
  lastRecord(): RowRecord;
  count(): number;
  bytes(): number;
  take(): PreparedClients;
}

export interface ColumnSettings {
  readonly requestBytes: number;
  readonly duplicates: DuplicateRule;
  /** Whether uuids are digests of the identifiers. */
  readonly derivedUuid: boolean;
}

/** `take` ends the columns: nothing can be added after it. */
export function createClientColumns(
  mapping: CompiledMapping,
  { requestBytes, duplicates, derivedUuid }: ColumnSettings,
): ClientColumns {
  const at: number[] = [];
  const rows: number[] = [];
  const uuids: string[] = [];
  const identifiers: string[] = [];
  const texts: string[] = [];
  const ends: number[] = [];
  const keys: number[] = [];
  const keyEnds: number[] = [];
  const pushKeys = keysBy(duplicates, derivedUuid, mapping.identifierNames.length > 0);
  let bytes = 0;
  let last: RowRecord = [0, null, [], 0];

  return {
    add: ({ client, identifiers: named }, position, row) => {
      const identity = mapping.identifierNames.map((name) => named[name] ?? '');
      const text = JSON.stringify(client);
      const size = Buffer.byteLength(text);
      if (size + ENVELOPE_BYTES > requestBytes)
        return tooLarge(client.uuid, identity, size + ENVELOPE_BYTES, requestBytes);
      bytes += size + (bytes === 0 ? 0 : 1);
      at.push(position);
      rows.push(row);
      uuids.push(client.uuid);
      identifiers.push(JSON.stringify(named));
      texts.push(text);
      ends.push(bytes);
      pushKeys(keys, client, identity);
      keyEnds.push(keys.length / KEY_WORDS);
      last = [row, client.uuid, identity, 0];
      return null;
    },
    lastRecord: () => last,
    count: () => uuids.length,
    bytes: () => bytes,
    take: () => ({
      at: Uint32Array.from(at),
      rows: Uint32Array.from(rows),
      uuids,
      identifiers,
      payload: new TextEncoder().encode(texts.join(',')),
      ends: Uint32Array.from(ends),
      keys: Uint32Array.from(keys),
      keyEnds: Uint32Array.from(keyEnds),
    }),
  };
}

function tooLarge(
  uuid: string,
  identifiers: readonly (string | number)[],
  bytes: number,
  limit: number,
): RejectedRow {
  const message = `The row needs a request of ${bytes} bytes, and ${limit} are allowed. Shorten its cells.`;
  const problem = { column: null, code: 'too_large', message, value: null };
  return { status: 'rejected', uuid, identifiers, problems: [problem] };
}
