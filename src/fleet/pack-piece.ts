import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { PreparedChunk } from '../core/prepared.js';

/** What is not made of numbers and bytes, as JSON. */
interface Head {
  readonly number: number;
  readonly input: number;
  readonly sheet: string | null;
  readonly first: number;
  readonly count: number;
  readonly rejected: number;
  readonly skipped: number;
  readonly progress: number;
  readonly names: readonly string[];
  readonly derivedUuids: boolean;
  /** Whether `texts` are the bytes of `read`. */
  readonly isOfRead: boolean;
  /** Whether there are lists to compare numbers with. */
  readonly hasNumbers: boolean;
  /** Bytes of each part, in the order of `partsOf`. */
  readonly bytes: readonly number[];
}

const NO_BYTES = new Uint8Array();
/** Pieces are kept for minutes: what packs quickly serves best. */
const LEVEL = 1;
const WORD = 4;
const LENGTH_BYTES = 4;

const [pack, unpack] = [promisify(deflateRaw), promisify(inflateRaw)];

/** A chunk with its place among those of its run. */
export type NumberedChunk = PreparedChunk & { readonly number: number };

/**
 * Packs what is needed to send the clients of chunks; duplicates have been found, so that no keys are. The order of
 * bytes is that of the machine: little-endian on all that Node runs on with this program's databases.
 */
export async function packChunks(chunks: readonly NumberedChunk[]): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  const heads = chunks.map((chunk): Head => {
    const own = partsOf(chunk);
    parts.push(...own);
    const { number, input, sheet, first, count, rejected, skipped, progress, clients } = chunk;
    const { identities, derivedUuids } = clients;
    return {
      ...{ number, input, sheet, first, count, rejected, skipped, progress, derivedUuids },
      names: identities.names,
      isOfRead: isOfRead(chunk),
      hasNumbers: clients.callable !== undefined,
      bytes: own.map(({ byteLength }) => byteLength),
    };
  });
  const head = Buffer.from(JSON.stringify(heads));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32LE(head.length);
  return pack(Buffer.concat([length, head, ...parts]), { level: LEVEL });
}

export async function unpackChunks(packed: Uint8Array): Promise<NumberedChunk[]> {
  const all = await unpack(packed);
  const begin = LENGTH_BYTES + all.readUInt32LE();
  // Written by us: its shape is not checked again.
  const heads = JSON.parse(all.toString('utf8', LENGTH_BYTES, begin)) as Head[];
  let at = begin;
  const next = (bytes = 0): Uint8Array => all.subarray(at, (at += bytes));
  return heads.map(({ bytes, names, derivedUuids, isOfRead: ofRead, hasNumbers, ...chunk }) => {
    const [read = NO_BYTES, texts = NO_BYTES, payload = NO_BYTES, numbers = NO_BYTES, ...words] =
      bytes.map(next);
    const [members, rows, ends, marks, numberEnds] = words.map(wordsOf);
    return {
      ...chunk,
      read,
      clients: {
        at: members ?? NO_WORDS,
        rows: rows ?? NO_WORDS,
        identities: { names, texts: ofRead ? read : texts, marks: marks ?? NO_WORDS },
        derivedUuids,
        payload,
        ends: ends ?? NO_WORDS,
        keys: NO_WORDS,
        keyEnds: new Uint32Array(members?.length ?? 0),
        ...(hasNumbers
          ? { callable: { numbers: doublesOf(numbers), ends: numberEnds ?? NO_WORDS } }
          : {}),
      },
      ...{ problems: [], remarks: [], evidence: [], kept: [], shown: [] },
    };
  });
}

const NO_WORDS = new Uint32Array();

function partsOf(chunk: PreparedChunk): Uint8Array[] {
  const { read, clients } = chunk;
  const { at, rows, ends, identities, payload, callable } = clients;
  const texts = isOfRead(chunk) ? NO_BYTES : identities.texts;
  const numbers = callable ? bytesOf(callable.numbers) : NO_BYTES;
  const words = [at, rows, ends, identities.marks, callable?.ends ?? NO_WORDS];
  return [read, texts, payload, numbers, ...words.map(bytesOf)];
}

/** In an import, who the clients are stands in their records. */
function isOfRead({ read, clients: { identities } }: PreparedChunk): boolean {
  const { texts } = identities;
  return (
    texts.buffer === read.buffer &&
    texts.byteOffset === read.byteOffset &&
    texts.length === read.length
  );
}

const bytesOf = (words: Uint32Array | Float64Array): Uint8Array =>
  new Uint8Array(words.buffer, words.byteOffset, words.byteLength);

/** Copied: words begin at whole words. */
const wordsOf = (bytes: Uint8Array): Uint32Array =>
  new Uint32Array(Uint8Array.from(bytes).buffer, 0, bytes.length / WORD);

const doublesOf = (bytes: Uint8Array): Float64Array =>
  new Float64Array(Uint8Array.from(bytes).buffer, 0, bytes.length / Float64Array.BYTES_PER_ELEMENT);
