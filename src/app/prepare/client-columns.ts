import { type Client, isClient } from '../../core/card.js';
import { jsonOf } from '../../core/json-text.js';
import { KEY_WORDS, type PreparedClients } from '../../core/prepared.js';
import type { CompiledMapping, MappedRow } from '../../mapping/compile.js';
import { ENVELOPE_BYTES } from '../../pipeline/batch.js';
import type { DuplicateRule } from '../../pipeline/screen.js';
import { ByteWriter } from './byte-writer.js';
import { createClientJson } from './client-json.js';
import { keysBy } from './keys.js';
import { WordWriter } from './word-writer.js';

type MappedClient = Extract<MappedRow, { status: 'client' }>;
type RejectedRow = Exclude<MappedRow, { status: 'client' }>;

/** The clients of a chunk under construction, column by column. */
export interface ClientColumns {
  /** Adds what the row at this position of the chunk became, or tells why it cannot be sent. */
  add(mapped: MappedClient, at: number, row: number): RejectedRow | null;
  /** JSON of the record (`RowRecord`) of the client that was added last. */
  lastRecord(): string;
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

/**
 * Where the columns of a chunk are gathered: the same for one chunk after the other. Arrays and texts would live until
 * the chunk is whole, and be copied by every collection of garbage.
 */
export interface ColumnWriters {
  readonly payload: ByteWriter;
  readonly identifiers: ByteWriter;
  readonly uuids: ByteWriter;
  readonly at: WordWriter;
  readonly rows: WordWriter;
  readonly keys: WordWriter;
  readonly keyEnds: WordWriter;
  readonly ends: WordWriter;
  readonly identifierEnds: WordWriter;
  readonly uuidEnds: WordWriter;
}

export function createColumnWriters(): ColumnWriters {
  return {
    payload: new ByteWriter(),
    identifiers: new ByteWriter(),
    uuids: new ByteWriter(),
    at: new WordWriter(),
    rows: new WordWriter(),
    keys: new WordWriter(),
    keyEnds: new WordWriter(),
    ends: new WordWriter(),
    identifierEnds: new WordWriter(),
    uuidEnds: new WordWriter(),
  };
}

export function createClientColumns(
  mapping: CompiledMapping,
  settings: ColumnSettings,
  writers: ColumnWriters,
): ClientColumns {
  return settings.purpose === 'send'
    ? sendColumns(mapping, settings, writers)
    : checkColumns(mapping, settings, writers);
}

function sendColumns(
  mapping: CompiledMapping,
  settings: ColumnSettings,
  writers: ColumnWriters,
): ClientColumns {
  const { payload, identifiers, uuids } = writers;
  const names = mapping.identifierNames;
  const clientJson = createClientJson();
  const namesJson = names.map((name) => `${jsonOf(name)}:`);
  const common = commonColumns(mapping, settings, writers);
  let last = '';
  return {
    add: (mapped, at, row) => {
      const { uuid, identifiers: named, payload: sent } = mapped;
      const identity = names.map((name) => named[name] ?? '');
      const before = payload.length;
      const text = isClient(sent) ? clientJson(sent) : JSON.stringify(sent);
      payload.write(payload.length > 0 ? `,${text}` : text);
      const refused = refuseTooLarge(
        mapped,
        identity,
        payload.length - before,
        settings.requestBytes,
      );
      if (refused) {
        payload.cut(before);
        return refused;
      }
      writers.ends.push(payload.length);
      uuids.write(uuid);
      writers.uuidEnds.push(uuids.length);
      common.add(mapped, identity, at, row);
      const values = identity.map(jsonOf);
      identifiers.write(
        `{${values.map((value, place) => `${namesJson[place] ?? ''}${value}`).join()}}`,
      );
      writers.identifierEnds.push(identifiers.length);
      last = `[${row},${jsonOf(uuid)},[${values.join()}],0]`;
      return null;
    },
    lastRecord: () => last,
    take: () => ({
      ...common.take(),
      uuids: uuids.take(),
      uuidEnds: writers.uuidEnds.take(),
      derivedUuids: settings.derivedUuid && names.length > 0,
      identifiers: identifiers.take(),
      identifierEnds: writers.identifierEnds.take(),
      payload: payload.take(),
      ends: writers.ends.take(),
    }),
  };
}

function checkColumns(
  mapping: CompiledMapping,
  settings: ColumnSettings,
  writers: ColumnWriters,
): ClientColumns {
  const names = mapping.identifierNames;
  const common = commonColumns(mapping, settings, writers);
  return {
    add: (mapped, at, row) => {
      const identity = names.map((name) => mapped.identifiers[name] ?? '');
      const refused = refuseTooLarge(mapped, identity, null, settings.requestBytes);
      if (refused) return refused;
      common.add(mapped, identity, at, row);
      return null;
    },
    lastRecord: () => '',
    take: () => ({
      ...common.take(),
      uuids: new Uint8Array(),
      uuidEnds: new Uint32Array(),
      derivedUuids: false,
      identifiers: new Uint8Array(),
      identifierEnds: new Uint32Array(),
      payload: new Uint8Array(),
      ends: new Uint32Array(),
    }),
  };
}

/** What both sending and checking need: where a client comes from, and what tells its duplicates. */
function commonColumns(
  mapping: CompiledMapping,
  { duplicates, derivedUuid }: ColumnSettings,
  { at, rows, keys, keyEnds }: ColumnWriters,
) {
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
      at: at.take(),
      rows: rows.take(),
      keys: keys.take(),
      keyEnds: keyEnds.take(),
    }),
  };
}

/** `payloadBytes`: how long its payload is as JSON in UTF-8; `null` when that has not been made. */
function refuseTooLarge(
  mapped: MappedClient,
  identity: readonly (string | number)[],
  payloadBytes: number | null,
  limit: number,
): RejectedRow | null {
  const bytes = requestBytes(mapped, payloadBytes, limit);
  if (bytes <= limit) return null;
  const message = `The row needs a request of ${bytes} bytes, and ${limit} are allowed. Shorten its cells.`;
  const problem = { column: null, code: 'too_large', message, value: null };
  return { status: 'rejected', uuid: mapped.uuid, identifiers: identity, problems: [problem] };
}

/** Most bytes that a character takes in JSON: `\u0000`. */
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
  payloadBytes: number | null,
  limit: number,
): number {
  const own = (): number => payloadBytes ?? Buffer.byteLength(JSON.stringify(payload));
  if (!isClient(payload)) return own() + Buffer.byteLength(JSON.stringify(identifiers)) + KEY_BYTES;
  if (payloadBytes === null) {
    const most = FRAME_BYTES + LONGEST_ESCAPE * textLength(payload);
    if (most + ENVELOPE_BYTES <= limit) return most;
  }
  return own() + ENVELOPE_BYTES;
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
