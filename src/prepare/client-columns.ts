import {
  type ClientNumbers,
  identityJson,
  NO_IDENTITIES,
  KEY_WORDS,
  type PreparedClients,
  ENVELOPE_BYTES,
  PRINT_WORDS,
  printOf,
  printsText,
} from '../core/prepared.js';
import { isClient, type MappedClient } from '../core/client.js';
import { unquoted, numberText } from '../core/text.js';
import { ZONE_SOURCES } from '../core/hours.js';
import type { CompiledMapping, MappedRow } from '../mapping/compile.js';
import type { DuplicateRule } from '../core/duplicates.js';
import { ByteWriter, createClientJson, type Records } from './client-json.js';
import { keysBy, phonesText, WordWriter } from './keys.js';

/** As many as a usual chunk has clients with two phones each. */
const FIRST_NUMBERS = 2048;

/** Gathers the numbers of clients that are compared with lists; nothing where there are none. */
class CallableWriter {
  #numbers = new Float64Array(FIRST_NUMBERS);
  #length = 0;
  readonly #ends = new WordWriter();
  #isUsed = false;

  /** Adds the numbers of the next client. */
  add(numbers: readonly number[] | undefined): void {
    if (numbers === undefined && !this.#isUsed) return;
    this.#isUsed = true;
    for (const number of numbers ?? []) this.#push(number);
    this.#ends.push(this.#length);
  }

  /** What was added since this was last called. */
  take(): ClientNumbers | undefined {
    if (!this.#isUsed) return undefined;
    const numbers = this.#numbers.slice(0, this.#length);
    this.#length = 0;
    return { numbers, ends: this.#ends.take() };
  }

  #push(number: number): void {
    if (this.#length === this.#numbers.length) {
      const larger = new Float64Array(this.#length * 2);
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[this.#length++] = number;
  }
}

type ClientRow = Extract<MappedRow, { status: 'client' }>;
type RejectedRow = Exclude<MappedRow, { status: 'client' }>;

/** The clients of the chunk under construction, column by column. */
interface ClientColumns {
  /** Adds what the row at this position of the chunk became, or why it cannot be sent. */
  add(mapped: ClientRow, at: number, row: number): RejectedRow | null;
  /**
   * The columns of the chunk of so many rows. `close` gives its records, which end with the fingerprints of its rows.
   * What is added then is of the next chunk.
   */
  take(count: number, close: (prints?: string) => Uint8Array): PreparedClients;
}

export interface ColumnSettings {
  /** `check`: what only sending needs is left out. */
  readonly purpose: 'send' | 'check';
  /** A client whose request would be larger is rejected, in bytes. */
  readonly requestBytes: number;
  readonly duplicates: DuplicateRule;
  /** Whether uuids are digests of the identifiers. */
  readonly derivedUuid: boolean;
  /** Whether what the rows become is compared with earlier runs. @default false */
  readonly prints?: boolean;
}

/**
 * Where the columns of a chunk are gathered: the same for one chunk after the other. Arrays and texts would live until
 * the chunk is whole, and be copied by every collection of garbage.
 */
export const createColumnWriters = () => ({
  payload: new ByteWriter(),
  at: new WordWriter(),
  rows: new WordWriter(),
  keys: new WordWriter(),
  keyEnds: new WordWriter(),
  ends: new WordWriter(),
  marks: new WordWriter(),
  callable: new CallableWriter(),
  prints: new WordWriter(),
});

type ColumnWriters = Readonly<ReturnType<typeof createColumnWriters>>;

/** `records`: where the chunk's records are written; `null` in a check, which has none. */
export function createClientColumns(
  mapping: CompiledMapping,
  settings: ColumnSettings,
  writers: ColumnWriters,
  records: Records | null,
): ClientColumns {
  return records
    ? sendColumns(mapping, settings, writers, records)
    : checkColumns(mapping, settings, writers);
}

function sendColumns(
  mapping: CompiledMapping,
  settings: ColumnSettings,
  writers: ColumnWriters,
  records: Records,
): ClientColumns {
  const { payload, ends, marks, keys, prints, callable } = writers;
  const names = mapping.identifierNames;
  const clientJson = createClientJson();
  // Digits and letters of a digest need no escape.
  const uuidJson = settings.derivedUuid ? (uuid: string) => uuid : unquoted;
  const refuseTooLarge = sizeRule(names, settings.requestBytes);
  const common = commonColumns(mapping, settings, writers);
  const { by, within } = settings.duplicates;
  // Whether later runs are to know of the phones.
  const keepsPhones = within === 'runs' && by.includes('phone');
  const record = recordWriter(records, marks);
  return {
    add: (mapped, at, row) => {
      const { payload: sent } = mapped;
      const before = payload.length;
      const uuid = uuidJson(mapped.uuid);
      const text = isClient(sent) ? clientJson(uuid, sent) : JSON.stringify(sent);
      payload.write(before > 0 ? `,${text}` : text);
      const refused = refuseTooLarge(mapped, payload.length - before);
      if (refused) {
        payload.cut(before);
        return refused;
      }
      ends.push(payload.length);
      if (settings.prints) pushPrint(prints, isClient(sent) ? behindUuid(text, uuid) : text);
      const firstKey = keys.length;
      common.add(mapped, at, row);
      callable.add(mapped.callable);
      record(uuid, mapped, row, keepsPhones ? phonesText(keys.from(firstKey)) : '');
      return null;
    },
    take: (count, close) => {
      const columns = common.take();
      const printed = settings.prints ? prints.take() : undefined;
      const read = close(printed && printsText(byRow(printed, columns.at, count)));
      return {
        ...columns,
        identities: { names, texts: read, marks: marks.take() },
        derivedUuids: settings.derivedUuid && names.length > 0,
        payload: payload.take(),
        ends: ends.take(),
        callable: callable.take(),
        ...(printed ? { prints: printed } : {}),
      };
    },
  };
}

/** Writes the records (`RowRecord`) of clients, whose uuids are given as JSON without their quotes. */
function recordWriter(records: Records, marks: WordWriter) {
  return (uuid: string, mapped: ClientRow, row: number, phones: string): void => {
    const { identifiers, remarks, zoneFrom } = mapped;
    const head = `[${numberText(row)},"`;
    const begin = records.next() + head.length;
    const before = marks.length;
    const identity = identityJson(uuid, identifiers, begin, true, marks);
    const tail = remarks || zoneFrom || phones !== '' ? recordEnd(mapped, phones) : RECORD_END;
    records.add(`${head}${identity}${tail}`);
    const tailBytes = tail === RECORD_END ? tail.length : Buffer.byteLength(tail);
    if (records.length - begin === identity.length + tailBytes) return;
    marks.cut(before);
    identityJson(uuid, identifiers, begin, false, marks);
  };
}

/** A client's JSON without its uuid, of which a mapping may give another one each time. */
const behindUuid = (text: string, uuid: string): string =>
  text.slice('{"uuid":"'.length + uuid.length);

function pushPrint(words: WordWriter, text: string): void {
  const [low, high] = printOf(text);
  words.push(low);
  words.push(high);
}

/** Fingerprints of clients at the places of their rows. */
function byRow(prints: Uint32Array, at: Uint32Array, count: number): Uint32Array {
  const words = new Uint32Array(count * PRINT_WORDS);
  for (const [index, row] of at.entries())
    words.set(prints.subarray(index * PRINT_WORDS, (index + 1) * PRINT_WORDS), row * PRINT_WORDS);
  return words;
}

/** What stands behind the identity in the record of a client of which nothing else is to be kept. */
const RECORD_END = ',0]';

function recordEnd({ remarks, zoneFrom }: ClientRow, phones: string): string {
  const begin = `,0,[],${JSON.stringify(remarks ?? null)}`;
  if (phones === '' && !zoneFrom) return `${begin}]`;
  const zone = zoneFrom ? ZONE_SOURCES.indexOf(zoneFrom) : null;
  return phones === '' ? `${begin},${zone}]` : `${begin},${zone},"${phones}"]`;
}

function checkColumns(
  mapping: CompiledMapping,
  settings: ColumnSettings,
  writers: ColumnWriters,
): ClientColumns {
  const refuseTooLarge = sizeRule(mapping.identifierNames, settings.requestBytes);
  const common = commonColumns(mapping, settings, writers);
  return {
    add: (mapped, at, row) => {
      const refused = refuseTooLarge(mapped, null);
      if (!refused) common.add(mapped, at, row);
      return refused;
    },
    take: () => ({
      ...common.take(),
      identities: NO_IDENTITIES,
      derivedUuids: false,
      payload: new Uint8Array(),
      ends: new Uint32Array(),
    }),
  };
}

/** What both sending and checking need: where a client comes from, and what shows its duplicates. */
function commonColumns(
  mapping: CompiledMapping,
  { duplicates, derivedUuid }: ColumnSettings,
  { at, rows, keys, keyEnds }: ColumnWriters,
) {
  const pushKeys = keysBy(duplicates, derivedUuid, mapping.identifierNames.length > 0);
  return {
    add: (mapped: ClientRow, position: number, row: number): void => {
      at.push(position);
      rows.push(row);
      pushKeys(keys, mapped);
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

/** The problem of a client whose request would be too large. */
type SizeRule = (mapped: ClientRow, payloadBytes: number | null) => RejectedRow | null;

/** `payloadBytes`: how long its payload is as JSON in UTF-8; `null` when that has not been made. */
function sizeRule(names: readonly string[], limit: number): SizeRule {
  return (mapped, payloadBytes) => {
    const bytes = requestBytes(mapped, names, payloadBytes, limit);
    if (bytes <= limit) return null;
    const message = `The row needs a request of ${bytes} bytes, and ${limit} are allowed. Shorten its cells.`;
    const problem = { column: null, code: 'too_large', message, value: null };
    const { uuid, identifiers } = mapped;
    return { status: 'rejected', uuid, identifiers, problems: [problem] };
  };
}

/** Maximum bytes that a character takes in JSON: `\u0000`. */
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
  { identifiers, payload }: ClientRow,
  names: readonly string[],
  payloadBytes: number | null,
  limit: number,
): number {
  const own = (): number => payloadBytes ?? Buffer.byteLength(JSON.stringify(payload));
  if (!isClient(payload)) return own() + bytesOf(named(names, identifiers)) + KEY_BYTES;
  if (payloadBytes === null) {
    const max = FRAME_BYTES + LONGEST_ESCAPE * textLength(payload);
    if (max + ENVELOPE_BYTES <= limit) return max;
  }
  return own() + ENVELOPE_BYTES;
}

function bytesOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** The identifiers by their names. */
export function named(names: readonly string[], values: readonly (string | number)[]) {
  return Object.fromEntries(names.map((name, place) => [name, values[place] ?? '']));
}

/** Characters of everything in a client that comes from cells. */
function textLength({ uuid, timeZone, fields, phones, emails, addresses }: MappedClient): number {
  let length = uuid.length + timeZone.length;
  for (const name of fields.names) length += name.length;
  for (const value of fields.values) length += typeof value === 'string' ? value.length : 24;
  for (const { phoneNumber } of phones) length += phoneNumber.length + 100;
  for (const { email } of emails) length += email.length + 100;
  for (const { address } of addresses) length += address.length + 100;
  return length;
}
