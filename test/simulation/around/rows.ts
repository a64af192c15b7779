import type { PreparedChunk } from '../../../src/core/prepared.js';
import type { Mode } from '../../../src/core/outcome.js';
import { type TestRow, chunkOf } from '../../kit/chunks.js';
import type { RowKind, Version } from './story.js';

/** A row of the file as one version of it has it. */
export interface Row {
  readonly kind: RowKind;
  /** Identifier of its client; `null`: the row is none. */
  readonly client: number | null;
  /** The identifier by which it is sent: in mode `rekey` the new one. */
  readonly sentAs: number;
  readonly value: string;
  readonly active: boolean;
  /** Whether the contact center refuses it. */
  readonly bad: boolean;
  readonly callAt: string;
}

/** Internal id of the card that a client has had since before the story. */
export const earlierId = (client: number): number => 5000 + client;
export const phoneOf = (client: number): string => `+7000${client}`;
const NEW_IDENTIFIERS = 1000;

/** The rows of a version: a corrected file has other values, and its bad rows are mended. */
export function rowsOf(kinds: readonly RowKind[], mode: Mode, version: Version): Row[] {
  const { content, part } = version;
  const first = kinds.findIndex((kind) => isClient(kind)) + 1;
  return kinds.flatMap((kind, at): Row[] => {
    if (kind === 'added' && content === 0) return [];
    const mended = kind === 'rejected' && content > 0;
    const isRow = isClient(kind) || mended;
    const client = kind === 'repeat' && first > 0 ? first : at + 1;
    return [
      {
        kind,
        client: isRow ? client : null,
        sentAs: mode === 'rekey' ? client + NEW_IDENTIFIERS : client,
        value: `value ${at} of ${content}.${part}`,
        active: (at + content + part) % 2 === 0,
        bad: kind === 'bad' && content === 0,
        callAt: `2030-01-01T00:00:00+00:${String(10 + content)} row ${at}`,
      },
    ];
  });
}

const isClient = (kind: RowKind): boolean => kind !== 'rejected' && kind !== 'skipped';

/** The same rows as the reading thread prepares them. */
export function chunksOf(
  rows: readonly Row[],
  mode: Mode,
  rowsInChunk: number,
): readonly PreparedChunk[] {
  const chunks: PreparedChunk[] = [];
  for (let first = 0; first < rows.length; first += rowsInChunk)
    chunks.push(
      chunkOf(
        rows.slice(first, first + rowsInChunk).map((row, at): TestRow => {
          const [id, uuid] = [row.sentAs, uuidOf(first + at)];
          if (row.client !== null) return { id, uuid, payload: payloadOf(row, mode, first + at) };
          return row.kind === 'rejected' ? { rejected: row.kind } : { skipped: row.kind };
        }),
        { first },
      ),
    );
  return chunks;
}

const uuidOf = (ordinal: number): string => `uuid-${ordinal}`;

function payloadOf(row: Row, mode: Mode, ordinal: number): object {
  const { client, sentAs, value, active, bad, callAt } = row;
  const phoneNumber = phoneOf(client ?? 0);
  const contacts = { phones: [{ phoneNumber, type: 'MOB' }], emails: [], addresses: [] };
  switch (mode) {
    case 'create':
    case 'upsert': {
      const fields = { offerId: sentAs, name: value, ...(bad ? { bad } : {}) };
      return { uuid: uuidOf(ordinal), clientRoleId: 1, fields, ...contacts };
    }
    case 'update':
      return { fields: { name: value, ...(bad ? { bad } : {}) }, ...contacts };
    case 'dequeue':
      return { cancelCallbacks: false };
    case 'contacts':
      return { phones: [{ phoneNumber, active }], emails: [], addresses: [] };
    case 'callbacks':
      return {
        name: value,
        description: '',
        phone: phoneNumber,
        operatorId: 1,
        callAt,
        callAutomatically: true,
      };
    case 'rekey':
      return { clientId: earlierId(client ?? 0) };
    case 'enqueue':
    case 'delete':
      return {};
  }
}
