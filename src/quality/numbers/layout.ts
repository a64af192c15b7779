import type { FileMark } from '../compiled/compiled-form.js';

/**
 * A compiled list: a head of fixed size, blocks of numbers, the first number of each block, and a filter. Numbers are
 * E.164 without the plus, in ascending order, each once. A block begins with its own first number, which is among the
 * heads, and holds the differences from one number to the next.
 */
export const HEAD_BYTES = 4096;

/** Small enough to be searched from its beginning in half a microsecond, and read with one call. */
export const BLOCK_BYTES = 512;

export const FLOAT_BYTES = Float64Array.BYTES_PER_ELEMENT;

/** What is known of a list beside its numbers. */
export interface ListHead {
  /** Changes with the layout: a list of another version is compiled anew. */
  readonly version: number;
  /** How the file was read: format, column, country, and what numbers it was taken to hold. */
  readonly settings: string;
  readonly source: SourceMark;
  /** Different numbers. */
  readonly numbers: number;
  /** Lines that hold something and no number. */
  readonly unread: number;
  /** Line of the first of them; 0 where there is none. */
  readonly firstUnread: number;
  /** Date in the first line of the file, in milliseconds since 1970. */
  readonly dated: number | null;
  /** Of a store: from when and until when its numbers are these, in milliseconds since 1970; `null`: for ever. */
  readonly valid?: { readonly from: number; readonly until: number | null };
  readonly blocks: number;
  /** Bytes of the filter: a power of two. */
  readonly filterBytes: number;
  /** Bits that each number sets in the filter. */
  readonly filterBits: number;
  /** CRC-32 of heads and filter. */
  readonly check: number;
}

export const VERSION = 1;

/** By what it is seen that the file has not changed since. */
export interface SourceMark extends FileMark {
  /** SHA-256 of all of it, as hexadecimal text; of a store, the number of its changes. */
  readonly digest: string;
}

const MAGIC = 'cardline numbers\n';

/** The head as bytes, padded to its size. */
export function headBytes(head: ListHead): Buffer {
  const bytes = Buffer.alloc(HEAD_BYTES, ' ');
  bytes.write(`${MAGIC}${JSON.stringify(head)}\n`);
  return bytes;
}

/** `null` where this is no list, or one of another version. */
export function headOf(bytes: Buffer): ListHead | null {
  const text = bytes.toString();
  if (bytes.length < HEAD_BYTES || !text.startsWith(MAGIC)) return null;
  try {
    const head = JSON.parse(text.slice(MAGIC.length)) as ListHead;
    return head.version === VERSION ? head : null;
  } catch {
    // What was cut off while it was written is compiled anew.
    return null;
  }
}

/** Bytes of the whole file. */
export function listBytes({ blocks, filterBytes }: ListHead): number {
  return HEAD_BYTES + blocks * (BLOCK_BYTES + FLOAT_BYTES) + filterBytes;
}
