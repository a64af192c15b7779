import { jsonOf, unquoted } from './text.js';
import type { Client, SyncIdentifiers, Payload, Payloads } from './client.js';
import type { ColumnEvidence, Cell } from './table.js';
import type { CallCounts } from './time.js';
import type { HitCount, QualityCounts } from './quality.js';
import { type Problem, type ProblemCount, type SuppressedCount, rowProblem } from './outcome.js';
import { hash } from 'node:crypto';

/** Who the clients of a chunk are: their uuids, and their synchronization identifiers. */
interface Identities {
  /** Names of the identifiers, in the installation's order. */
  readonly names: readonly string[];
  /** UTF-8 in which `"<uuid>",[<value>,…]` stands of each client, as in a `RowRecord`; what is between is not read. */
  readonly texts: Uint8Array;
  /** Of each client, in order: where its uuid begins, where that ends, and where each value ends; quotes left out. */
  readonly marks: Uint32Array;
}

/** Whatever has clients that can be identified by their index. */
interface Identified {
  readonly identities: Identities;
}

/** What stands between a uuid and the first value. */
const BETWEEN = '",[';
const BACKSLASH = '\\';

/** Marks of a client before the ends of its values: where its uuid begins and ends. */
const UUID_MARKS = 2;

/** Where marks are gathered. */
interface Marks {
  push(place: number): void;
}

/**
 * JSON of a client's uuid and identifiers as `texts` holds it, without the quote that it begins with; `begin` is its
 * place there. `uuid` is JSON without its quotes. `isAscii`: whether everything is taken to have one byte a character.
 * Whoever writes it sees whether it has.
 */
export function identityJson(
  uuid: string,
  values: readonly (string | number)[],
  begin: number,
  isAscii: boolean,
  marks: Marks,
): string {
  let text = uuid;
  let end = begin + (isAscii ? text.length : Buffer.byteLength(text));
  marks.push(begin);
  marks.push(end);
  end += BETWEEN.length - 1;
  text += BETWEEN;
  let place = 0;
  for (const value of values) {
    const json = jsonOf(value);
    end += 1 + (isAscii ? json.length : Buffer.byteLength(json));
    marks.push(end);
    text = place++ === 0 ? text + json : `${text},${json}`;
  }
  return `${text}]`;
}

/** The identities of clients that are at hand as texts and values. */
export function identitiesOf(
  names: readonly string[],
  clients: readonly { readonly uuid: string; readonly values: readonly (string | number)[] }[],
): Identities {
  const marks: number[] = [];
  const texts: Buffer[] = [];
  let begin = 0;
  for (const { uuid, values } of clients) {
    const text = Buffer.from(identityJson(unquoted(uuid), values, begin, false, marks));
    texts.push(text);
    begin += text.length;
  }
  return { names, texts: Buffer.concat(texts), marks: Uint32Array.from(marks) };
}

/** The uuid of client `index`. */
export function uuidOf({ identities }: Identified, index: number): string {
  const first = firstMark(identities, index);
  const text = textBetween(identities, markAt(identities, first), markAt(identities, first + 1));
  return text.includes(BACKSLASH) ? (JSON.parse(`"${text}"`) as string) : text;
}

/** JSON text of the synchronization identifiers of client `index`. */
export function identifiersOf({ identities }: Identified, index: number): string {
  const first = firstMark(identities, index) + UUID_MARKS;
  let begin = markAt(identities, first - 1) + BETWEEN.length;
  let text = '';
  for (const [place, name] of identities.names.entries()) {
    const end = markAt(identities, first + place);
    const value = textBetween(identities, begin, end);
    text += `${place === 0 ? '' : ','}${JSON.stringify(name)}:${value}`;
    begin = end + 1;
  }
  return `{${text}}`;
}

/**
 * Whether a text is the uuid of a client, for members in ascending order: their uuids are read as one text.
 * `undefined` where they are not in plain ASCII, or do not stand in their order.
 */
export function uuidTest(
  { identities }: Identified,
  members: readonly number[],
): ((index: number, text: string) => boolean) | undefined {
  const begin = markAt(identities, firstMark(identities, members[0] ?? 0));
  const end = markAt(identities, firstMark(identities, members.at(-1) ?? 0) + 1);
  if (end < begin) return undefined;
  const all = textBetween(identities, begin, end);
  if (all.length !== end - begin || all.includes(BACKSLASH)) return undefined;
  return (index, text) => {
    const mark = firstMark(identities, index);
    const from = markAt(identities, mark) - begin;
    const isWhole = markAt(identities, mark + 1) - begin === from + text.length;
    return from >= 0 && isWhole && all.startsWith(text, from);
  };
}

function firstMark({ names }: Identities, index: number): number {
  return index * (UUID_MARKS + names.length);
}

function markAt({ marks }: Identities, at: number): number {
  return marks[at] ?? 0;
}

/** A third of the time of a TextDecoder, for texts as short as these. */
function textBetween({ texts }: Identities, from: number, to: number): string {
  return Buffer.from(texts.buffer, texts.byteOffset + from, to - from).toString();
}

/**
 * One row as the ledger keeps it: `[row number, uuid, identifier values in the installation's order, 0 for a client,
 * 1 for a rejected row, 2 for a skipped one, problems, remarks, index into ZONE_SOURCES, keys of its phones]`. A tuple,
 * since a run has millions of them. Phones are there where later runs are to know of them (`keysText`).
 */
export type RowRecord = readonly [
  row: number,
  uuid: string | null,
  identifiers: readonly (string | number | null)[],
  status: 0 | 1 | 2,
  problems?: readonly Problem[],
  remarks?: readonly Problem[] | null,
  zoneFrom?: number | null,
  phones?: string,
];

/** The clients of a chunk, column by column. In a check, what only sending needs is empty. */
export interface PreparedClients {
  /** Position of the client's row in its chunk. */
  readonly at: Uint32Array;
  /** The row's number as the person sees it. */
  readonly rows: Uint32Array;
  /** Who the clients are. In an import these stand in the chunk's `read`. */
  readonly identities: Identities;
  /** Whether uuids are digests of the identifiers: clients that differ in these differ in their uuids. */
  readonly derivedUuids: boolean;
  /** JSON text in UTF-8 of the clients' payloads (`Payload`), one after the other with a comma between. */
  readonly payload: Uint8Array;
  /** Where client `i` ends in `payload`; the next one begins one byte later, after the comma. */
  readonly ends: Uint32Array;
  /** Digests by which duplicates are found, `KEY_WORDS` words each. */
  readonly keys: Uint32Array;
  /** How many keys the clients up to and including `i` have. */
  readonly keyEnds: Uint32Array;
  /** Fingerprints of the clients, `PRINT_WORDS` words each; absent where nobody compares them. */
  readonly prints?: Uint32Array;
  /** Numbers of the clients' phones, E.164 without the plus; absent where there are no lists to compare them with. */
  readonly callable?: ClientNumbers | undefined;
}

/** `numbers` from the end of the client before to `ends[i]` are those of client `i`. */
interface ClientNumbers {
  readonly numbers: Float64Array;
  readonly ends: Uint32Array;
}

/** Words of 32 bits in a duplicate key: 96 bits make a false match less likely than a broken disk. */
export const KEY_WORDS = 3;

/** A rejected row as a check keeps it. */
export interface KeptRow {
  /** The row's number as the person sees it. */
  readonly row: number;
  readonly cells: readonly Cell[];
  readonly problems: readonly Problem[];
}

/** What would be sent for a row: a client, or which client is meant and what its payload says of it. */
export type ShownPayload = Client | Meant | (Meant & Exclude<Payload, Client | Payloads['delete']>);

interface Meant {
  readonly identifiers: SyncIdentifiers;
}

/**
 * One of the first clients of a chunk, as a check shows it. `index` is its place among the chunk's clients, `json` its
 * `ShownPayload`: parts of the file's text would keep all of that in memory.
 */
export interface ShownClient {
  readonly index: number;
  readonly json: string;
}

/** What the rows of a chunk show of the list as a whole. */
export interface ListCounts {
  /** Rows that the mapping takes. */
  readonly taken: number;
  /** Rows that are as the mapping's checks look for, check by check. */
  readonly checked: readonly HitCount[];
  /** In a check: what they show of its quality, duplicates aside. */
  readonly quality?: QualityCounts;
  /** In a check, with hours: when each client may be called (index into CALL_TIMES), and those who are left out for now. */
  readonly calls?: { readonly clients: Uint8Array; readonly leftOut: CallCounts };
}

/**
 * Size of a file in bytes and time of its last change, then what changes also where these are kept, when another file takes
 * its place, or it is renamed: as text.
 */
export type FileTimes = string;

/** Some consecutive data rows of one sheet, read, mapped and serialised. It can be passed between threads. */
export interface PreparedChunk {
  /** Its place among the chunks of the run, from 0, where they do not come in order. */
  readonly number?: number;
  /** Index of the input file in the run. */
  readonly input: number;
  readonly sheet: string | null;
  /** Ordinal of the first row: data rows are numbered from 0 over all inputs of the run. */
  readonly first: number;
  readonly count: number;
  /** JSON text in UTF-8 of a `ReadFact`, with a record for each row; empty in a check. */
  readonly read: Uint8Array;
  readonly clients: PreparedClients;
  readonly rejected: number;
  readonly skipped: number;
  /** Which problems the rows have, each once. */
  readonly problems: readonly ProblemCount[];
  /** What was left out of the clients. */
  readonly remarks: readonly ProblemCount[];
  /** What lists of numbers that must not be called did; absent where there are none. */
  readonly suppressed?: readonly SuppressedCount[];
  /** What numbers and dates look like in the rows of the chunk. */
  readonly evidence: readonly ColumnEvidence[];
  /** Share of the run's input bytes that has been read, 0 to 1. */
  readonly progress: number;
  /** Those of the input when the chunk had been read; `null` where it could not be looked at, absent where nobody did. */
  readonly inputTimes?: FileTimes | null;
  /** Rejected rows, in a check. */
  readonly kept: readonly KeptRow[];
  /** The first clients, in a check. */
  readonly shown: readonly ShownClient[];
  /** Words that stand for the phones of the clients, until they have been counted over the list; `ends` as of numbers. */
  readonly phones?: { readonly words: Uint32Array; readonly ends: Uint32Array };
  /** Positions of the rows with a phone that many rows have; absent where there is none. */
  readonly shared?: readonly number[];
  /** What is counted of the list; absent where nobody asks. */
  readonly list?: ListCounts;
}

/**
 * Memory for bytes that live as long as a chunk or a request. It is shared memory, since the engine counts all other
 * towards its heap: it would walk through the whole heap, the program included, for every few megabytes that were
 * sent. Handed to another thread, it is neither copied nor taken away.
 */
export function sharedBytes(length: number): Uint8Array<SharedArrayBuffer> {
  return new Uint8Array(new SharedArrayBuffer(roundedUp(length)), 0, length);
}

/**
 * To an eighth of the power of two below: what has been freed fits what comes next, which is hardly ever as long to the
 * byte. Otherwise holes would be left between them, and memory would grow with the run.
 */
function roundedUp(length: number): number {
  const step = 2 ** Math.max(6, 31 - Math.clz32(length) - 3);
  return Math.ceil(length / step) * step;
}

/** The engine copies shared memory so many bytes at a time, where both places are aligned alike, and else one by one. */
const WORD = 8;

/** The parts one after the other. */
export function joinedBytes(parts: readonly Uint8Array[]): Uint8Array<SharedArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const begin = alignment(parts);
  const joined = sharedBytes(begin + length).subarray(begin);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** How far from a whole word the first part has to begin, so that the longest is aligned as it was. */
function alignment(parts: readonly Uint8Array[]): number {
  let [longest, offset, at] = [0, 0, 0];
  for (const { length, byteOffset } of parts) {
    if (length > longest) [longest, offset] = [length, byteOffset - at];
    at += length;
  }
  return ((offset % WORD) + WORD) % WORD;
}

/** Words of 32 bits of a fingerprint. Two clients that differ have the same once in 10^15. */
export const PRINT_WORDS = 2;
const WORD_BYTES = 4;
const PRINT_BYTES = PRINT_WORDS * WORD_BYTES;

/** Bits of the second word that count: what is compared has to fit beside a key. */
const HIGH_BITS = 20;

/** What a row became, as two numbers that differ where that differs. Both are zero for a row that became no client. */
export type Print = readonly [low: number, high: number];

export const NO_PRINT: Print = [0, 0];

/** The fingerprint of a text. */
export function printOf(text: string): Print {
  const digest = hash('sha1', text, 'buffer');
  // Never that of no client.
  return [(digest.readUInt32LE(0) | 1) >>> 0, digest.readUInt32LE(WORD_BYTES) >>> (32 - HIGH_BITS)];
}

/** The fingerprint at a place of those of a chunk. */
export function printAt(prints: Uint32Array, index: number): Print {
  const at = index * PRINT_WORDS;
  return [prints[at] ?? 0, prints[at + 1] ?? 0];
}

/** Fingerprints of the rows of a chunk as the ledger keeps them. */
export function printsText(prints: Uint32Array): string {
  const bytes = Buffer.alloc((prints.length / PRINT_WORDS) * PRINT_BYTES);
  for (const [at, word] of prints.entries()) bytes.writeUInt32LE(word, at * WORD_BYTES);
  return bytes.toString('base64');
}

/** Fingerprints of the rows of a chunk, as `printsText` wrote them; none where that is absent. */
export function printsIn(text: string | undefined): Uint32Array {
  if (text === undefined) return new Uint32Array();
  const bytes = Buffer.from(text, 'base64');
  const prints = new Uint32Array(Math.floor(bytes.length / WORD_BYTES));
  for (let at = 0; at < prints.length; at++) prints[at] = bytes.readUInt32LE(at * WORD_BYTES);
  return prints;
}

/** What stands around and between the clients in the body of 4.1. */
export const OPEN = Buffer.from('{"clients":[');
export const CLOSE = Buffer.from(']}');

/** Bytes of a body around its clients. */
export const ENVELOPE_BYTES = OPEN.length + CLOSE.length;

/** Code of the problem of a row whose person was erased. */
const ERASED = 'erased';
/** What then stands in place of whatever told of the person. */
export const ERASED_PROBLEM: Problem = rowProblem(
  ERASED,
  'Erased: what the record held of the person was removed.',
);

/** Whether the problems of a row say that its person was erased. */
export const holdErasure = (problems: readonly Problem[] | null | undefined): boolean =>
  problems?.some(({ code }) => code === ERASED) ?? false;

/** Whether the person of a row was erased. */
export const isErased = ([, , , , problems]: RowRecord): boolean => holdErasure(problems);
