import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { FileMark } from './compiled-form.js';

/** A compiled lookup that is open. */
export interface LookupTable {
  readonly head: LookupHead;
  /** What the table says of a key; `undefined` where it has none. */
  get(key: string): string | undefined;
  close(): void;
}

/** Answers that are kept: most columns say the same again and again. */
const KEPT = 4096;
/** Usual buckets are shorter. */
const BUCKET_BYTES = 4096;
const KEY_BYTES = 1024;

/** Whoever tries a mapping out keeps no track of its tables. */
const forgotten = new FinalizationRegistry((descriptor: number) => {
  closeSync(descriptor);
});

/** Opens a compiled lookup; `null` where the file is none, or is not whole. */
export function openLookupTable(file: string): LookupTable | null {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    // Whoever asks compiles it, and is told then why that cannot be done.
    return null;
  }
  const opened = openParts(descriptor);
  if (opened === null) closeSync(descriptor);
  else forgotten.register(opened, descriptor, opened);
  return opened;
}

function openParts(descriptor: number): LookupTable | null {
  const head = headOf(read(descriptor, Buffer.alloc(HEAD_BYTES), HEAD_BYTES, 0));
  if (head === null || fstatSync(descriptor).size !== lookupBytes(head)) return null;
  const starts = new Float64Array(bucketsOf(head) + 1);
  const bytes = Buffer.from(starts.buffer);
  read(descriptor, bytes, starts.length * FLOAT_BYTES, HEAD_BYTES + head.dataBytes);
  if (crc32(bytes) !== head.check) return null;
  const find = finder(descriptor, head, starts);
  const kept = new Map<string, string | undefined>();
  const table: LookupTable = {
    head,
    get: (key) => {
      const known = kept.get(key);
      if (known !== undefined || kept.has(key)) return known;
      const found = find(key);
      if (kept.size === KEPT) kept.clear();
      kept.set(key, found);
      return found;
    },
    close: () => {
      forgotten.unregister(table);
      closeSync(descriptor);
    },
  };
  return table;
}

function finder(
  descriptor: number,
  { bucketBits }: LookupHead,
  starts: Float64Array,
): LookupTable['get'] {
  let bucketBytes = Buffer.alloc(BUCKET_BYTES);
  let keyBytes = Buffer.alloc(KEY_BYTES);
  return (key) => {
    const bucket = bucketOf(hashOf(key), bucketBits);
    const [from, to] = [starts[bucket] ?? 0, starts[bucket + 1] ?? 0];
    const length = to - from;
    if (length === 0) return undefined;
    if (length > bucketBytes.length) bucketBytes = Buffer.alloc(2 * length);
    if (key.length * 3 > keyBytes.length) keyBytes = Buffer.alloc(key.length * 3);
    read(descriptor, bucketBytes, length, HEAD_BYTES + from);
    return valueIn(bucketBytes, length, keyBytes.subarray(0, keyBytes.write(key)));
  };
}

function valueIn(bucket: Buffer, length: number, key: Buffer): string | undefined {
  for (let at = 0; at < length;) {
    const keyLength = bucket.readUInt32LE(at);
    const valueAt = at + 8 + keyLength;
    const next = valueAt + bucket.readUInt32LE(at + 4);
    if (keyLength === key.length && bucket.compare(key, 0, keyLength, at + 8, valueAt) === 0)
      return bucket.toString('utf8', valueAt, next);
    at = next;
  }
  return undefined;
}

/** Returns what was read, which is all of it but for a file that is too short. */
function read(descriptor: number, bytes: Buffer, length: number, position: number): Buffer {
  let done = 0;
  while (done < length) {
    const count = readSync(descriptor, bytes, done, length - done, position + done);
    if (count === 0) break;
    done += count;
  }
  return bytes.subarray(0, done);
}

/**
 * A compiled lookup: a head of fixed size, entries bucket by bucket, and where each bucket begins, with the end of the
 * last one behind. An entry has the bytes of its key and of its value, each behind its length.
 */
export const HEAD_BYTES = 4096;
export const VERSION = 2;
const FLOAT_BYTES = Float64Array.BYTES_PER_ELEMENT;

/** What is known of a lookup beside its entries. */
export interface LookupHead {
  /** Changes with the layout: a lookup of another version is compiled anew. */
  readonly version: number;
  /** What was taken of the file: the columns, and how they are read. */
  readonly settings: string;
  readonly source: FileMark & {
    /** SHA-256 of all of it, as hexadecimal text. */
    readonly digest: string;
  };
  readonly entries: number;
  /** The number of buckets is a power of two: these bits of the hash choose one. */
  readonly bucketBits: number;
  readonly dataBytes: number;
  /** CRC-32 of where the buckets begin. */
  readonly check: number;
}

const MAGIC = 'cardline lookup\n';

/** The head as bytes, padded to its size. */
export function headBytes(head: LookupHead): Buffer {
  const bytes = Buffer.alloc(HEAD_BYTES, ' ');
  bytes.write(`${MAGIC}${JSON.stringify(head)}\n`);
  return bytes;
}

/** `null` where this is no lookup, or one of another version. */
function headOf(bytes: Buffer): LookupHead | null {
  const text = bytes.toString();
  if (bytes.length < HEAD_BYTES || !text.startsWith(MAGIC)) return null;
  try {
    const head = JSON.parse(text.slice(MAGIC.length)) as LookupHead;
    return head.version === VERSION ? head : null;
  } catch {
    // What was cut off while it was written is compiled anew.
    return null;
  }
}

const bucketsOf = ({ bucketBits }: Pick<LookupHead, 'bucketBits'>): number => 2 ** bucketBits;

/** Bytes of the whole file. */
const lookupBytes = (head: LookupHead): number =>
  HEAD_BYTES + head.dataBytes + (bucketsOf(head) + 1) * FLOAT_BYTES;

/** 32 bits of which all depend on every character (FNV-1a, and MurmurHash3's last steps). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The bucket of a hash; all of them are one where there are no bits. */
export const bucketOf = (hash: number, bits: number): number =>
  bits === 0 ? 0 : hash >>> (32 - bits);
