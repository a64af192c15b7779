import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import {
  bucketOf,
  bucketsOf,
  FLOAT_BYTES,
  HEAD_BYTES,
  hashOf,
  headOf,
  type LookupHead,
  lookupBytes,
} from './layout.js';

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
