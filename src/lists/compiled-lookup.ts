import { createHash } from 'node:crypto';
import { type Compiled, compiledForm, isSameMark, markOf, noteHead } from './compiled-form.js';
import { digestOf } from './list-source.js';
import {
  headBytes,
  type LookupHead,
  type LookupTable,
  openLookupTable,
  bucketOf,
  HEAD_BYTES,
  hashOf,
  VERSION,
} from './lookup-table.js';
import { closeSync, fsyncSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { SortedRuns } from './write-list.js';

/** A row of a table: what it says of a key, and its number from 1. */
export type LookupEntry = readonly [key: string, value: string, row: number];

/** A table that is looked up by one column, and says what stands in another. */
interface LookupSource {
  readonly file: string;
  /** All that decides what is taken of the file, as text: another one is compiled beside it. */
  readonly settings: string;
  /** The entries, batch by batch. */
  readonly entries: () => AsyncIterable<readonly LookupEntry[]>;
}

/**
 * Opens the compiled form of a table, and compiles it where it was not, or where the file has changed since.
 * @throws ConflictError, and what reading the table throws
 */
export async function compiledLookup(source: LookupSource): Promise<Compiled<LookupTable>> {
  const { file, settings } = source;
  return await compiledForm({
    file,
    suffix: `.${createHash('sha256').update(settings).digest('hex').slice(0, 8)}.lookup`,
    open: openLookupTable,
    isCurrent: ({ head }, path) => isOf(head, source, path),
    make: (path, touch) => compile(source, path, touch),
  });
}

/** What was copied or touched has another time and the same digest: then its new times are noted. */
async function isOf(
  head: LookupHead,
  { file, settings }: LookupSource,
  path: string,
): Promise<boolean> {
  const mark = markOf(file);
  if (head.settings !== settings || head.source.bytes !== mark.bytes) return false;
  if (isSameMark(head.source, mark)) return true;
  const digest = await digestOf(file);
  if (head.source.digest !== digest) return false;
  noteHead(path, headBytes({ ...head, source: { ...mark, digest } }));
  return true;
}

async function compile(
  { file, settings, entries }: LookupSource,
  path: string,
  touch: () => void,
): Promise<void> {
  const mark = markOf(file);
  const digest = await digestOf(file);
  const writer = new LookupWriter(path);
  try {
    for await (const batch of entries()) {
      for (const [key, value, row] of batch) writer.add(key, value, row);
      touch();
    }
    writer.finish({ settings, source: { ...mark, digest } });
  } finally {
    writer.close();
  }
}

/** What a lookup is made of, beside what is found out while it is written. */
type LookupFacts = Pick<LookupHead, 'settings' | 'source'>;

/** Two rows have the same key and other values. */
export class ConflictError extends Error {
  /** @param row number of the second one, from 1, with the header counted */
  constructor(readonly row: number) {
    super('Two rows of a table say different things of the same key.');
  }
}

/** A number has room for that many bits of the hash, and for the place of an entry in a file of 8 GB. */
const HASH_BITS = 20;
const PLACES = 2 ** 33;
/** Entries that share a bucket, on average: they are read with one call. */
const PER_BUCKET = 4;
const WRITE_BYTES = 256 * 1024;
/** Row, and lengths of key and value. */
const ENTRY_HEAD = 12;

/** Writes a compiled lookup from entries in any number and order, in memory that does not grow with them. */
export class LookupWriter {
  readonly #entriesFile: string;
  readonly #entries: FileWriter;
  readonly #order: SortedRuns;
  #count = 0;

  /** @param file where it will be; other files are beside it until `finish` or `close` */
  constructor(private readonly file: string) {
    const beside = `${file}.${process.pid}.${performance.now().toString(36)}`;
    this.#entriesFile = `${beside}.entries`;
    this.#entries = new FileWriter(this.#entriesFile);
    // No place is 0, which the order could not hold.
    this.#entries.write(Buffer.alloc(1));
    this.#order = new SortedRuns(`${beside}.runs`);
  }

  /** @param row its number, from 1 */
  add(key: string, value: string, row: number): void {
    const place = this.#entries.end;
    if (place >= PLACES) throw new Error('A lookup table is larger than 8 GB.');
    this.#order.add(bucketOf(hashOf(key), HASH_BITS) * PLACES + place);
    this.#entries.write(entryBytes(key, value, row));
    this.#count++;
  }

  /** @throws ConflictError for the first row that says something else of a key than one further up */
  finish(facts: LookupFacts): void {
    this.#order.finish();
    this.#entries.flush();
    const beside = `${this.#entriesFile}.new`;
    const writer = new FileWriter(beside);
    try {
      writer.write(Buffer.alloc(HEAD_BYTES));
      const bucketBits = bitsFor(this.#count);
      const { starts, entries } = this.#writeBuckets(writer, bucketBits);
      const dataBytes = writer.end - HEAD_BYTES;
      const startBytes = Buffer.from(starts.buffer);
      writer.write(startBytes);
      writer.flush();
      const check = crc32(startBytes);
      // The head comes last: a file without it is none.
      const head = { ...facts, version: VERSION, entries, bucketBits, dataBytes, check };
      writeSync(writer.descriptor, headBytes(head), 0, HEAD_BYTES, 0);
      fsyncSync(writer.descriptor);
    } catch (error) {
      rmSync(beside, { force: true });
      throw error;
    } finally {
      writer.close();
    }
    renameSync(beside, this.file);
  }

  close(): void {
    this.#order.close();
    this.#entries.close();
    rmSync(this.#entriesFile, { force: true });
  }

  #writeBuckets(writer: FileWriter, bits: number): { starts: Float64Array; entries: number } {
    const starts = new Float64Array(2 ** bits + 1);
    let conflict = Infinity;
    let [bucket, entries] = [0, 0];
    let found = new Map<string, Entry>();
    const endBucket = (next: number): void => {
      for (const { key, value } of found.values()) writer.write(pairBytes(key, value));
      entries += found.size;
      if (found.size > 0) found = new Map();
      starts.fill(writer.end - HEAD_BYTES, bucket + 1, next + 1);
      bucket = next;
    };
    for (const batch of this.#order.merged())
      for (const place of batch) {
        const of = Math.floor(place / PLACES) >>> (HASH_BITS - bits);
        if (of !== bucket) endBucket(of);
        const entry = readEntry(this.#entries.descriptor, place % PLACES);
        const earlier = found.get(entry.key);
        if (!earlier) found.set(entry.key, entry);
        else if (earlier.value !== entry.value)
          conflict = Math.min(conflict, Math.max(earlier.row, entry.row));
      }
    endBucket(2 ** bits);
    if (conflict < Infinity) throw new ConflictError(conflict);
    return { starts, entries };
  }
}

interface Entry {
  readonly key: string;
  readonly value: string;
  readonly row: number;
}

const bitsFor = (entries: number): number =>
  Math.min(HASH_BITS, Math.max(0, Math.ceil(Math.log2(Math.max(1, entries / PER_BUCKET)))));

function entryBytes(key: string, value: string, row: number): Buffer {
  const pair = pairBytes(key, value);
  const bytes = Buffer.alloc(4 + pair.length);
  bytes.writeUInt32LE(row);
  pair.copy(bytes, 4);
  return bytes;
}

function pairBytes(key: string, value: string): Buffer {
  const keyLength = Buffer.byteLength(key);
  const valueLength = Buffer.byteLength(value);
  const bytes = Buffer.alloc(8 + keyLength + valueLength);
  bytes.writeUInt32LE(keyLength);
  bytes.writeUInt32LE(valueLength, 4);
  bytes.write(key, 8);
  bytes.write(value, 8 + keyLength);
  return bytes;
}

/** Usual entries are read with one call. */
const ahead = Buffer.alloc(512);

function readEntry(descriptor: number, place: number): Entry {
  const read = readSync(descriptor, ahead, 0, ahead.length, place);
  const [row, keyLength] = [ahead.readUInt32LE(0), ahead.readUInt32LE(4)];
  const length = ENTRY_HEAD + keyLength + ahead.readUInt32LE(8);
  let bytes = ahead;
  if (length > read) {
    bytes = Buffer.alloc(length);
    readSync(descriptor, bytes, 0, length, place);
  }
  const valueAt = ENTRY_HEAD + keyLength;
  return {
    key: bytes.toString('utf8', ENTRY_HEAD, valueAt),
    value: bytes.toString('utf8', valueAt, length),
    row,
  };
}

/** Writes a file from its beginning, in large pieces. */
class FileWriter {
  readonly descriptor: number;
  readonly #bytes = Buffer.alloc(WRITE_BYTES);
  #held = 0;
  #written = 0;

  constructor(file: string) {
    this.descriptor = openSync(file, 'wx+', 0o600);
  }

  /** Where the next byte belongs. */
  get end(): number {
    return this.#written + this.#held;
  }

  write(bytes: Buffer): void {
    if (this.#held + bytes.length > WRITE_BYTES) this.flush();
    if (bytes.length > WRITE_BYTES) this.#put(bytes);
    else this.#held += bytes.copy(this.#bytes, this.#held);
  }

  flush(): void {
    this.#put(this.#bytes.subarray(0, this.#held));
    this.#held = 0;
  }

  close(): void {
    closeSync(this.descriptor);
  }

  #put(bytes: Buffer): void {
    for (let done = 0; done < bytes.length;)
      done += writeSync(this.descriptor, bytes, done, bytes.length - done, this.#written + done);
    this.#written += bytes.length;
  }
}
