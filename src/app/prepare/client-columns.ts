import { type Client, isClient } from '../../core/card.js';
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
  /** Adds what the row at this position of the chunk became, or tells why it cannot be sent. */
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
    add: (mapped, at, row) => {
      const { uuid, identifiers: named } = mapped;
      const identity = names.map((name) => named[name] ?? '');
      const text = JSON.stringify(mapped.payload);
      const refused = refuseTooLarge(mapped, identity, text, settings.requestBytes);
      if (refused) return refused;
      if (ends.length > 0) payload.write(',');
      payload.write(text);
      ends.push(payload.length);
      uuids.push(uuid);
      identifiers.push(JSON.stringify(named));
      common.add(mapped, identity, at, row);
      last = [row, uuid, identity, 0];
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
    add: (mapped, at, row) => {
      const identity = names.map((name) => mapped.identifiers[name] ?? '');
      const refused = refuseTooLarge(mapped, identity, null, settings.requestBytes);
      if (refused) return refused;
      common.add(mapped, identity, at, row);
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
      mapped: MappedClient,
      identity: readonly (string | number)[],
      position: number,
      row: number,
    ): void => {
      at.push(position);
      rows.push(row);
      pushKeys(keys, mapped, identity);
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

function refuseTooLarge(
  mapped: MappedClient,
  identity: readonly (string | number)[],
  text: string | null,
  limit: number,
): RejectedRow | null {
  const bytes = requestBytes(mapped, text, limit);
  if (bytes <= limit) return null;
  const message = `The row needs a request of ${bytes} bytes, and ${limit} are allowed. Shorten its cells.`;
  const problem = { column: null, code: 'too_large', message, value: null };
  return { status: 'rejected', uuid: mapped.uuid, identifiers: identity, problems: [problem] };
}

/** Most bytes that a character takes in UTF-8, and in JSON: `\u0000`. */
const LONGEST_CHARACTER = 3;
const LONGEST_ESCAPE = 6;
/** Generous for the names, marks and fixed values of a client's JSON around its texts. */
const FRAME_BYTES = 16 * 1024;
/** Generous for what the interface wants of a single client beside its identifiers and its payload. */
const KEY_BYTES = 256;

/**
 * Bytes of the request that a row needs, alone if need be; anything below the limit when it surely is. Clients to be
 * created share requests, and every other one has its own. The text is made only where it could be too large at all.
 */
function requestBytes(
  { identifiers, payload }: MappedClient,
  text: string | null,
  limit: number,
): number {
  if (isClient(payload)) {
    const most =
      text === null
        ? FRAME_BYTES + LONGEST_ESCAPE * textLength(payload)
        : text.length * LONGEST_CHARACTER;
    if (most + ENVELOPE_BYTES <= limit) return most;
    return Buffer.byteLength(text ?? JSON.stringify(payload)) + ENVELOPE_BYTES;
  }
  const own = (text ?? JSON.stringify(payload)) + JSON.stringify(identifiers);
  return Buffer.byteLength(own) + KEY_BYTES;
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
