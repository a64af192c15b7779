import {
  identityJson,
  KEY_WORDS,
  type PreparedClients,
  ENVELOPE_BYTES,
  PRINT_WORDS,
  printOf,
  printsText,
  joinedBytes,
} from '../core/prepared.js';
import {
  isClient,
  type MappedClient,
  type AddressType,
  type Client,
  type PhoneType,
  type FieldList,
} from '../core/client.js';
import { jsonOf, unquoted, numberText } from '../core/text.js';
import { ZONE_SOURCES } from '../core/time.js';
import type { CompiledMapping, MappedRow } from '../mapping/compile.js';
import {
  type DuplicateRule,
  kindOfKey,
  markedWord,
  keysText,
  pushIdentifiersKey,
  pushPhoneKey,
} from '../core/duplicates.js';
import { hash } from 'node:crypto';

type ClientRow = Extract<MappedRow, { status: 'client' }>;
type RejectedRow = Exclude<MappedRow, { status: 'client' }>;

export interface ColumnSettings {
  /** A client whose request would be larger is rejected, in bytes. */
  readonly requestBytes: number;
  readonly duplicates: DuplicateRule;
  /** Whether uuids are digests of the identifiers. */
  readonly derivedUuid: boolean;
  /** Whether what the rows become is compared with earlier runs. @default false */
  readonly prints?: boolean;
}

/**
 * The clients of the chunk under construction, column by column. They are gathered in the same memory for one chunk after
 * the other: arrays and texts would live until the chunk is whole, and be copied by every collection of garbage.
 * @param records where the chunk's records are written; `null` in a check, which leaves out what only sending needs
 */
export function createClientColumns(
  mapping: CompiledMapping,
  { requestBytes: limit, duplicates, derivedUuid, prints: isPrinted = false }: ColumnSettings,
  records: Records | null,
) {
  const names = mapping.identifierNames;
  const [payload, ends, marks] = [new ByteWriter(), new WordWriter(), new WordWriter()];
  const [at, rows, prints] = [new WordWriter(), new WordWriter(), new WordWriter()];
  const [keys, keyEnds] = [new WordWriter(), new WordWriter()];
  const [numbers, numberEnds]: [number[], WordWriter] = [[], new WordWriter()];
  const clientJson = createClientJson();
  // Digits and letters of a digest need no escape.
  const uuidJson = derivedUuid ? (uuid: string) => uuid : unquoted;
  const pushKeys = keysBy(duplicates, derivedUuid, names.length > 0);
  // Whether later runs are to know of the phones.
  const keepsPhones = duplicates.within === 'runs' && duplicates.by.includes('phone');
  const refuseTooLarge = (mapped: ClientRow, payloadBytes: number | null): RejectedRow | null => {
    const bytes = requestBytes(mapped, names, payloadBytes, limit);
    if (bytes <= limit) return null;
    const message = `The row needs a request of ${bytes} bytes, and ${limit} are allowed. Shorten its cells.`;
    const problem = { column: null, code: 'too_large', message, value: null };
    const { uuid, identifiers } = mapped;
    return { status: 'rejected', uuid, identifiers, problems: [problem] };
  };
  const addCommon = (mapped: ClientRow, position: number, row: number): void => {
    at.push(position);
    rows.push(row);
    pushKeys(keys, mapped);
    keyEnds.push(keys.length / KEY_WORDS);
  };
  const addSent = (to: Records, mapped: ClientRow, position: number, row: number) => {
    const { payload: sent, callable } = mapped;
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
    if (isPrinted) {
      // Without its uuid, of which a mapping may give another one each time.
      const [low, high] = printOf(
        isClient(sent) ? text.slice('{"uuid":"'.length + uuid.length) : text,
      );
      prints.push(low);
      prints.push(high);
    }
    const firstKey = keys.length;
    addCommon(mapped, position, row);
    if (callable !== undefined || numberEnds.length > 0) {
      for (const number of callable ?? []) numbers.push(number);
      numberEnds.push(numbers.length);
    }
    addRecord(to, marks, uuid, mapped, row, keepsPhones ? phonesText(keys.from(firstKey)) : '');
    return null;
  };
  return {
    /** Adds what the row at this position of the chunk became, or tells why it cannot be sent. */
    add: (mapped: ClientRow, position: number, row: number): RejectedRow | null => {
      if (records) return addSent(records, mapped, position, row);
      const refused = refuseTooLarge(mapped, null);
      if (!refused) addCommon(mapped, position, row);
      return refused;
    },
    /** The columns of the chunk of so many rows, and its records. What is added then is of the next chunk. */
    take: (count: number): { clients: PreparedClients; read: Uint8Array } => {
      const columns = {
        ...{ at: at.take(), rows: rows.take(), keys: keys.take(), keyEnds: keyEnds.take() },
        ...{ payload: payload.take(), ends: ends.take() },
      };
      if (!records) {
        const clients = {
          ...columns,
          identities: { names: [], texts: new Uint8Array(), marks: new Uint32Array() },
          derivedUuids: false,
        };
        return { clients, read: new Uint8Array() };
      }
      const printed = isPrinted ? prints.take() : undefined;
      const read = records.take(printed && printsText(byRow(printed, columns.at, count)));
      const callable = numberEnds.length > 0 && {
        numbers: Float64Array.from(numbers.splice(0)),
        ends: numberEnds.take(),
      };
      const clients = {
        ...columns,
        identities: { names, texts: read, marks: marks.take() },
        derivedUuids: derivedUuid && names.length > 0,
        ...(callable ? { callable } : {}),
        ...(printed ? { prints: printed } : {}),
      };
      return { clients, read };
    },
  };
}

/** Writes the record (`RowRecord`) of a client, whose uuid is given as JSON without its quotes. */
function addRecord(
  records: Records,
  marks: WordWriter,
  uuid: string,
  mapped: ClientRow,
  row: number,
  phones: string,
): void {
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

/** Maximum bytes that a character takes in JSON: `\u0000`. */
const LONGEST_ESCAPE = 6;
/** Generous for the names, marks and fixed values of a client's JSON around its texts. */
const FRAME_BYTES = 16 * 1024;
/** Generous for what the interface wants of a single client beside its identifiers and its payload. */
const KEY_BYTES = 256;

/**
 * Bytes of the request that a row needs, alone if need be; anything below the limit when it surely is. Clients to be
 * created share requests, and every other one has its own. The text is made only where it could be too large at all.
 * @param payloadBytes how long its payload is as JSON in UTF-8; `null` when that has not been made
 */
function requestBytes(
  { identifiers, payload }: ClientRow,
  names: readonly string[],
  payloadBytes: number | null,
  limit: number,
): number {
  const bytesOf = (value: object): number => Buffer.byteLength(JSON.stringify(value));
  const own = (): number => payloadBytes ?? bytesOf(payload);
  if (!isClient(payload)) return own() + bytesOf(named(names, identifiers)) + KEY_BYTES;
  if (payloadBytes === null) {
    const max = FRAME_BYTES + LONGEST_ESCAPE * textLength(payload);
    if (max + ENVELOPE_BYTES <= limit) return max;
  }
  return own() + ENVELOPE_BYTES;
}

/** The identifiers by their names. */
export function named(names: readonly string[], values: readonly (string | number)[]) {
  return Object.fromEntries(names.map((name, place) => [name, values[place] ?? '']));
}

function textLength({ uuid, timeZone, fields, phones, emails, addresses }: MappedClient): number {
  let length = uuid.length + timeZone.length;
  for (const name of fields.names) length += name.length;
  for (const value of fields.values) length += typeof value === 'string' ? value.length : 24;
  for (const { phoneNumber } of phones) length += phoneNumber.length + 100;
  for (const { email } of emails) length += email.length + 100;
  for (const { address } of addresses) length += address.length + 100;
  return length;
}

/**
 * JSON of a client, as `JSON.stringify` gives it, but that names which look like numbers stay where they are among the
 * fields; `uuid` is the client's, as JSON without its quotes. Written by hand, since it runs for every row of an import:
 * it takes half of the time, and a test holds the two to the same text. Fixed pieces are as long as they can be, since
 * every piece is an object until the text is written.
 */
export function createClientJson(): (uuid: string, client: MappedClient) => string {
  const headOf = createHeads();
  const fieldsJson = createFieldsJson();
  return (uuid, client) => {
    const { fields, phones, addresses, emails } = client;
    return (
      `{"uuid":"${uuid}${headOf(client)}` +
      fieldsJson(fields) +
      `},"phones":[${phonesJson(phones)}],"addresses":[${addressesJson(addresses)}],"emails":[${emailsJson(emails)}]}`
    );
  };
}

function createFieldsJson(): (fields: FieldList) => string {
  let known: readonly string[] = [];
  let members: ReturnType<typeof memberOf>[] = [];
  return ({ names, values }) => {
    if (names !== known) {
      members = names.map(memberOf);
      known = names;
    }
    let [text, place]: [string, number] = ['', 0];
    // How a member begins depends on what is before it: nothing, a text whose closing quote is to come, or another value.
    let before: keyof ReturnType<typeof memberOf> = 'first';
    for (const member of members) {
      const value = values[place++] ?? null;
      if (value === null) continue;
      const begin =
        before === 'afterText'
          ? member.afterText
          : before === 'first'
            ? member.first
            : member.afterOther;
      if (typeof value === 'string') {
        text = text + begin.text + unquoted(value);
        before = 'afterText';
      } else {
        text = text + begin.other + jsonOf(value);
        before = 'afterOther';
      }
    }
    return before === 'afterText' ? `${text}"` : text;
  };
}

/** How a member of an object begins, by what it follows; `text`: with the opening quote of a text. */
function memberOf(name: string) {
  const begin = (mark: string) => {
    const other = `${mark}${JSON.stringify(name)}:`;
    return { text: `${other}"`, other };
  };
  return { first: begin(''), afterText: begin('",'), afterOther: begin(',') };
}

/** More than there are time zones. */
const MAX_KNOWN = 1000;

/** What stands between a client's uuid and its fields: the last one of each time zone is known. */
function createHeads() {
  type Head = Pick<MappedClient, 'clientRoleId' | 'type'> & { readonly text: string };
  const byZone = new Map<string, Head>();
  return ({ clientRoleId, type, timeZone }: MappedClient): string => {
    const known = byZone.get(timeZone);
    if (known?.type === type && known.clientRoleId === clientRoleId) return known.text;
    const text = `","clientRoleId":${jsonOf(clientRoleId)},"type":"${type}","timeZone":"${unquoted(timeZone)}","fields":{`;
    if (byZone.size === MAX_KNOWN) byZone.clear();
    byZone.set(timeZone, { clientRoleId, type, text });
    return text;
  };
}

function phonesJson(phones: Client['phones']): string {
  let text = '';
  for (const { phoneNumber, type, active, disabled } of phones) {
    text += text === '' ? '{"phoneNumber":"' : ',{"phoneNumber":"';
    text += unquoted(phoneNumber) + TYPE_END[type];
    text += active === undefined && disabled === undefined ? '}' : flags(active, disabled);
  }
  return text;
}

function addressesJson(addresses: Client['addresses']): string {
  let text = '';
  for (const { address, type, active } of addresses) {
    text += text === '' ? '{"address":"' : ',{"address":"';
    text += unquoted(address) + TYPE_END[type];
    text += active === undefined ? '}' : flags(active);
  }
  return text;
}

function emailsJson(emails: Client['emails']): string {
  let text = '';
  for (const { email, active } of emails) {
    text += text === '' ? '{"email":"' : ',{"email":"';
    text += unquoted(email);
    text += active === undefined ? '"}' : `"${flags(active)}`;
  }
  return text;
}

const TYPE_END: Readonly<Record<PhoneType | AddressType, string>> = {
  MOB: '","type":"MOB"',
  HOME: '","type":"HOME"',
  WORK: '","type":"WORK"',
  FAX: '","type":"FAX"',
};

function flags(active?: boolean, disabled?: boolean): string {
  return `${active === undefined ? '' : `,"active":${active}`}${disabled === undefined ? '' : `,"disabled":${disabled}`}}`;
}

const FIRST_BYTES = 64 * 1024;
/** Maximum bytes of UTF-8 for one unit of a text. */
const LONGEST_CHARACTER = 3;

/** Texts in UTF-8, one after the other. What has been taken makes room for others in the same memory. */
class ByteWriter {
  #bytes = Buffer.from(new ArrayBuffer(FIRST_BYTES));
  length = 0;

  write(text: string): void {
    const max = this.length + text.length * LONGEST_CHARACTER;
    if (max > this.#bytes.length) this.#grow(max);
    this.length += this.#bytes.write(text, this.length, 'utf8');
  }

  cut(length: number): void {
    this.length = length;
  }

  take(): Uint8Array {
    const bytes = joinedBytes([this.#bytes.subarray(0, this.length)]);
    this.length = 0;
    return bytes;
  }

  #grow(needed: number): void {
    const larger = Buffer.from(new ArrayBuffer(Math.max(needed, this.#bytes.length * 2)));
    this.#bytes.copy(larger, 0, 0, this.length);
    this.#bytes = larger;
  }
}

/** Where a chunk stands: `first` is the ordinal of its first row. */
export interface ChunkPlace {
  readonly input: number;
  readonly sheet: string | null;
  readonly first: number;
}

type Records = ReturnType<typeof createRecords>;

/**
 * The `read` fact of a chunk under construction: what became of each of its rows. Kept as bytes: texts that are kept until
 * the end are copied by the collector of garbage.
 */
export function createRecords() {
  const bytes = new ByteWriter();
  let none = 0;
  return {
    /** To be called before the first record of a chunk. */
    begin: ({ input, sheet, first }: ChunkPlace): void => {
      bytes.write(`{"input":${input},"sheet":${JSON.stringify(sheet)},"first":${first},"rows":[`);
      none = bytes.length;
    },
    get length(): number {
      return bytes.length;
    },
    /** Where the next record will begin. */
    next: (): number => (bytes.length === none ? none : bytes.length + 1),
    add: (json: string): void => {
      bytes.write(bytes.length === none ? json : `,${json}`);
    },
    /** The fact in UTF-8, with the fingerprints of its rows; nothing can be added before the next chunk has begun. */
    take: (prints?: string): Uint8Array => {
      bytes.write(prints === undefined ? ']}' : `],"prints":"${prints}"}`);
      return bytes.take();
    },
  };
}

/** A client as far as duplicates are known by it. */
export interface ComparedClient {
  readonly uuid: string;
  readonly identifiers: readonly (string | number)[];
  /** Its phones: E.164 without the plus, or as they are sent where they are none. */
  readonly compared?: readonly (number | string)[] | undefined;
}

type PushKeys = (words: WordWriter, client: ComparedClient) => void;

/**
 * Appends the keys by which a client is found to be a duplicate, as words of 32 bits. Where rows are compared with those
 * of earlier runs, their keys are the same in every run, and the one of the identifiers is always among them: it shows
 * which rows are of the same client.
 * @param derivedUuid whether the clients' uuids are digests of their identifiers, so that nothing is to be digested again
 * @param identified false where clients have no identifiers, as in a check without an installation
 */
export function keysBy(
  { by, within }: DuplicateRule,
  derivedUuid: boolean,
  identified: boolean,
): PushKeys {
  if (by.length === 0) return () => undefined;
  const isLasting = within === 'runs';
  const pushSync = !(identified && (isLasting || by.includes('sync')))
    ? null
    : isLasting
      ? pushLastingIdentifiers
      : derivedUuid
        ? pushUuid
        : pushIdentifiers;
  if (!by.includes('phone')) return pushSync ?? (() => undefined);
  const pushPhone = isLasting ? pushPhoneKey : pushNumber;
  return (words, client) => {
    pushSync?.(words, client);
    for (const phone of client.compared ?? []) pushPhone(words, phone);
  };
}

/** The keys of phones among these as text, for the record of their row; empty where there are none. */
export function phonesText(keys: Uint32Array): string {
  const offsets: number[] = [];
  for (let at = 0; at < keys.length; at += KEY_WORDS)
    if (kindOfKey(keys, at) === 'phone') offsets.push(at);
  return offsets.length === 0 ? '' : keysText(keys, offsets);
}

const pushLastingIdentifiers: PushKeys = (words, { identifiers }) => {
  pushIdentifiersKey(words, identifiers);
};

const pushIdentifiers: PushKeys = (words, { identifiers }) => {
  const hex = hash('sha1', JSON.stringify(identifiers.map(String)), 'hex');
  words.push(wordAt(hex, 0, 8));
  words.push(wordAt(hex, 8, 16));
  words.push(markedWord(wordAt(hex, 16, 24), 'sync'));
};

/** The parts of a UUIDv5 that are digest: 91 of its 122 bits, without the version and the variant. */
const pushUuid: PushKeys = (words, { uuid }) => {
  words.push(wordAt(uuid, 0, 8));
  words.push(((wordAt(uuid, 9, 13) << 12) | wordAt(uuid, 15, 18)) >>> 0);
  words.push(markedWord(wordAt(uuid, 28, 36), 'sync'));
};

const WORD_VALUES = 2 ** 32;
/** Odd, and without a pattern in their bits. */
const [FIRST, SECOND, THIRD] = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d] as const;

/** Within a file, numbers are mixed and not digested, in a tenth of the time. The first two words are of one number alone. */
function pushNumber(words: WordWriter, phone: number | string): void {
  if (typeof phone === 'string') {
    pushPhoneKey(words, phone);
    return;
  }
  const high = Math.floor(phone / WORD_VALUES);
  const spread = mixed(high + FIRST);
  const first = mixed(phone ^ spread);
  const second = mixed(first + Math.imul(high, SECOND) + THIRD);
  words.push(first);
  words.push(second);
  words.push(markedWord(mixed(first ^ Math.imul(second, FIRST)), 'phone'));
}

const LETTERS = 0x40;

function wordAt(hex: string, from: number, to: number): number {
  let word = 0;
  for (let at = from; at < to; at++) {
    const code = hex.charCodeAt(at);
    // Digits end on their value, letters on theirs less nine.
    word = (word << 4) | ((code & 0x0f) + (code > LETTERS ? 9 : 0));
  }
  return word >>> 0;
}

/** As many as the largest column of a usual chunk has: where the engine never sees it grow, nothing is compiled again. */
const FIRST_WORDS = 4096;

/** Words of 32 bits, one after the other. What has been taken makes room for others in the same memory. */
export class WordWriter {
  #words = new Uint32Array(FIRST_WORDS);
  length = 0;

  push(word: number): void {
    if (this.length === this.#words.length) this.#grow();
    this.#words[this.length++] = word;
  }

  has(word: number, start: number): boolean {
    for (let at = start; at < this.length; at++) if (this.#words[at] === word) return true;
    return false;
  }

  cut(length: number): void {
    this.length = length;
  }

  from(start: number): Uint32Array {
    return this.#words.subarray(start, this.length);
  }

  take(): Uint32Array {
    const words = this.#words.slice(0, this.length);
    this.length = 0;
    return words;
  }

  #grow(): void {
    const larger = new Uint32Array(this.#words.length * 2);
    larger.set(this.#words);
    this.#words = larger;
  }
}

/** A word whose bits all depend on all bits of another one, and that no other one gives (the finalizer of MurmurHash3). */
export function mixed(word: number): number {
  let bits = word ^ (word >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits ^= bits >>> 13;
  bits = Math.imul(bits, 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
