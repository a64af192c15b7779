import type { FileMark } from '../compiled/compiled-form.js';

/**
 * A compiled lookup: a head of fixed size, entries bucket by bucket, and where each bucket begins, with the end of the
 * last one behind. An entry has the bytes of its key and of its value, each behind its length.
 */
export const HEAD_BYTES = 4096;
export const VERSION = 2;
export const FLOAT_BYTES = Float64Array.BYTES_PER_ELEMENT;

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
export function headOf(bytes: Buffer): LookupHead | null {
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

export const bucketsOf = ({ bucketBits }: Pick<LookupHead, 'bucketBits'>): number =>
  2 ** bucketBits;

/** Bytes of the whole file. */
export const lookupBytes = (head: LookupHead): number =>
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
