import type { Client } from '../../core/card.js';
import { KEY_WORDS, type PreparedClients, type RowRecord } from '../../core/prepared.js';
import type { CompiledMapping, MappedRow } from '../../mapping/compile.js';
import { ENVELOPE_BYTES } from '../../pipeline/batch.js';
import type { DuplicateRule } from '../../pipeline/screen.js';
import { ByteWriter } from './byte-writer.js';
import { keysBy } from './keys.js';

type MappedClient = Extract<MappedRow, { status: 'client' }>;
type RejectedRow = Exclude<MappedRow, { status: 'client' }>;

/** The clients of a chunk under construction, column by column. */
export interface ClientColumns {
  /** Adds the client of the row at this position of the chunk, or tells why it cannot be sent. */
  add(mapped: MappedClient, at: number, row: number): RejectedRow | null;
  /** The record of the client that was added last. */
  lastRecord(): RowRecord;
  /** The columns so far; nothing can be added after it. */
  take(): PreparedClients;
}

export interface ColumnSettings {
  /** `check`: what only sending needs is left out. */
  readonly purpose: 'send' | 'check';
  /** A client whose request would be larger is rejected, in bytes. */
  readonly requestBytes: number;
  readonly duplicates: DuplicateRule;
  /** Whether uuids are digests of the identifiers. */
  readonly derivedUuid: boolean;
}

export function createClientColumns(
  mapping: CompiledMapping,
  settings: ColumnSettings,
): ClientColumns {
  return settings.purpose === 'send'
    ? sendColumns(mapping, settings)
    : checkColumns(mapping, settings);
}

function sendColumns(mapping: CompiledMapping, settings: ColumnSettings): ClientColumns {
  const names = mapping.identifierNames;
  const payload = new ByteWriter();
  const uuids: string[] = [];
  const identifiers: string[] = [];
  const ends: number[] = [];
  const common = commonColumns(mapping, settings);
  let last: RowRecord = [0, null, [], 0];
  return {
    add: ({ client, identifiers: named }, at, row) => {
      const identity = names.map((name) => named[name] ?? '');
      const text = JSON.stringify(client);
      const refused = refuseTooLarge(client, identity, text, settings.requestBytes);
      if (refused) return refused;
      if (ends.length > 0) payload.write(',');
      payload.write(text);
      ends.push(payload.length);
      uuids.push(client.uuid);
      identifiers.push(JSON.stringify(named));
      common.add(client, identity, at, row);
      last = [row, client.uuid, identity, 0];
      return null;
    },
    lastRecord: () => last,
    take: () => ({
      ...common.take(),
      uuids,
      identifiers,
      payload: payload.take(),
      ends: Uint32Array.from(ends),
    }),
  };
}

const NO_RECORD: RowRecord = [0, null, [], 0];

function checkColumns(mapping: CompiledMapping, settings: ColumnSettings): ClientColumns {
  const names = mapping.identifierNames;
  const common = commonColumns(mapping, settings);
  return {
    add: ({ client, identifiers: named }, at, row) => {
      const identity = names.map((name) => named[name] ?? '');
      const refused = refuseTooLarge(client, identity, null, settings.requestBytes);
      if (refused) return refused;
      common.add(client, identity, at, row);
      return null;
    },
    lastRecord: () => NO_RECORD,
    take: () => ({
      ...common.take(),
      uuids: [],
      identifiers: [],
      payload: new Uint8Array(),
      ends: new Uint32Array(),
    }),
  };
}

/** What both sending and checking need: where a client comes from, and what tells its duplicates. */
function commonColumns(mapping: CompiledMapping, { duplicates, derivedUuid }: ColumnSettings) {
  const at: number[] = [];
  const rows: number[] = [];
  const keys: number[] = [];
  const keyEnds: number[] = [];
  const pushKeys = keysBy(duplicates, derivedUuid, mapping.identifierNames.length > 0);
  return {
    add: (
      client: Client,
      identity: readonly (string | number)[],
      position: number,
      row: number,
    ): void => {
      at.push(position);
      rows.push(row);
      pushKeys(keys, client, identity);
      keyEnds.push(keys.length / KEY_WORDS);
    },
    take: () => ({
      at: Uint32Array.from(at),
      rows: Uint32Array.from(rows),
      keys: Uint32Array.from(keys),
      keyEnds: Uint32Array.from(keyEnds),
    }),
  };
}

/** Most bytes that a character of text can take in JSON: `\u0000`. */
const LONGEST_ESCAPE = 6;
/** Generous for the names, marks and fixed values of a client's JSON around its texts. */
const FRAME_BYTES = 16 * 1024;

/** The text is made only where a client could be too large at all. */
function refuseTooLarge(
  client: Client,
  identity: readonly (string | number)[],
  text: string | null,
  limit: number,
): RejectedRow | null {
  const most = text === null ? FRAME_BYTES + LONGEST_ESCAPE * textLength(client) : text.length * 3;
  if (most + ENVELOPE_BYTES <= limit) return null;
  const bytes = Buffer.byteLength(text ?? JSON.stringify(client)) + ENVELOPE_BYTES;
  if (bytes <= limit) return null;
  const message = `The row needs a request of ${bytes} bytes, and ${limit} are allowed. Shorten its cells.`;
  const problem = { column: null, code: 'too_large', message, value: null };
  return { status: 'rejected', uuid: client.uuid, identifiers: identity, problems: [problem] };
}

/** Characters of everything in a client that comes from cells. */
function textLength({ uuid, timeZone, fields, phones, emails, addresses }: Client): number {
  let length = uuid.length + timeZone.length;
  for (const name in fields) {
    const value = fields[name];
    length += name.length + (typeof value === 'string' ? value.length : 24);
  }
  for (const { phoneNumber } of phones) length += phoneNumber.length + 100;
  for (const { email } of emails) length += email.length + 100;
  for (const { address } of addresses) length += address.length + 100;
  return length;
}
