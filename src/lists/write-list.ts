import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import {
  addNumber,
  filterBitsFor,
  filterBytesFor,
  BLOCK_BYTES,
  HEAD_BYTES,
  headBytes,
  type ListHead,
  VERSION,
} from './number-list.js';

/** What a list is made of, beside what is found out while it is written. */
type ListFacts = Omit<
  ListHead,
  'version' | 'numbers' | 'blocks' | 'filterBytes' | 'filterBits' | 'check'
>;

/** Largest filter of a list, in bytes: with what else is at hand, it has room in 64 MB twice. */
const MAX_FILTER = 16 * 1024 ** 2;
const WRITE_BLOCKS = 512;
const PIECE_HEADS = 32 * 1024;

/**
 * Writes a compiled list; what was at its path before is replaced when all of it is on the disk.
 * @param total at least as many numbers as there are; the filter is made for them
 */
export function writeList(
  file: string,
  numbers: Iterable<Float64Array>,
  total: number,
  facts: ListFacts,
): ListHead {
  const writer = new ListWriter(file, total);
  try {
    for (const batch of numbers) writer.add(batch);
    return writer.finish(facts);
  } finally {
    writer.close();
  }
}

/** The same, with pauses in which others have their turn: a thread that also sends must not stand still. */
export async function writeListWithPauses(
  file: string,
  numbers: Iterable<Float64Array>,
  total: number,
  facts: ListFacts,
): Promise<ListHead> {
  const writer = new ListWriter(file, total);
  let batches = 0;
  try {
    for (const batch of numbers) {
      writer.add(batch);
      if (++batches % PAUSE_BATCHES === 0) await new Promise(setImmediate);
    }
    return writer.finish(facts);
  } finally {
    writer.close();
  }
}

/** About ten milliseconds of work. */
const PAUSE_BATCHES = 8;

/** Writes a compiled list batch by batch. */
class ListWriter {
  readonly #beside: string;
  readonly #descriptor: number;
  readonly #filter: Uint8Array;
  readonly #filterBits: number;
  readonly #blocks: BlockWriter;
  #count = 0;
  #isOpen = true;

  constructor(
    private readonly file: string,
    total: number,
  ) {
    this.#beside = `${file}.${process.pid}.${performance.now().toString(36)}.new`;
    this.#descriptor = openSync(this.#beside, 'wx', 0o600);
    this.#filter = new Uint8Array(filterBytesFor(total, MAX_FILTER));
    this.#filterBits = filterBitsFor(total, this.#filter.length);
    this.#blocks = new BlockWriter(this.#descriptor);
  }

  /** Adds numbers in ascending order, larger than those before. */
  add(batch: Float64Array): void {
    for (let at = 0; at < batch.length; at++) {
      const number = batch[at] ?? 0;
      addNumber(this.#filter, this.#filterBits, number);
      this.#blocks.add(number);
    }
    this.#count += batch.length;
  }

  /** Puts the list into its place. */
  finish(facts: ListFacts): ListHead {
    const { end: headsAt, heads } = this.#blocks.finish();
    let end = headsAt;
    let check = 0;
    for (const piece of [...heads, this.#filter]) {
      check = crc32(piece, check);
      end = writeAll(this.#descriptor, piece, end);
    }
    const head: ListHead = {
      ...facts,
      version: VERSION,
      numbers: this.#count,
      blocks: this.#blocks.count,
      filterBytes: this.#filter.length,
      filterBits: this.#filterBits,
      check,
    };
    // The head comes last: a file without it is none.
    writeAll(this.#descriptor, headBytes(head), 0);
    fsyncSync(this.#descriptor);
    closeSync(this.#descriptor);
    this.#isOpen = false;
    renameSync(this.#beside, this.file);
    return head;
  }

  /** Removes what is not in its place. */
  close(): void {
    if (this.#isOpen) closeSync(this.#descriptor);
    rmSync(this.#beside, { force: true });
  }
}

/** Puts ascending numbers into blocks. */
class BlockWriter {
  count = 0;
  readonly #bytes = new Uint8Array(WRITE_BLOCKS * BLOCK_BYTES);
  readonly #heads: Float64Array[] = [];
  #block = -1;
  #at = BLOCK_BYTES;
  #before = 0;
  #end = HEAD_BYTES;

  constructor(private readonly descriptor: number) {}

  add(number: number): void {
    const step = number - this.#before;
    const limit = (this.#block + 1) * BLOCK_BYTES;
    if (this.count === 0 || this.#at + varintBytes(step) > limit) this.#begin(number);
    else this.#at = writeVarint(this.#bytes, this.#at, step);
    this.#before = number;
  }

  finish(): { readonly end: number; readonly heads: readonly Uint8Array[] } {
    this.#flush();
    const heads = this.#heads.map((piece, index) => {
      const isLast = index === this.#heads.length - 1;
      const used = isLast ? this.count - index * PIECE_HEADS : PIECE_HEADS;
      return new Uint8Array(piece.buffer, 0, used * Float64Array.BYTES_PER_ELEMENT);
    });
    return { end: this.#end, heads };
  }

  #begin(number: number): void {
    if (this.#block + 1 === WRITE_BLOCKS) this.#flush();
    this.#block++;
    this.#at = this.#block * BLOCK_BYTES;
    const place = this.count % PIECE_HEADS;
    if (place === 0) this.#heads.push(new Float64Array(PIECE_HEADS));
    const piece = this.#heads.at(-1);
    if (piece) piece[place] = number;
    this.count++;
  }

  #flush(): void {
    const length = (this.#block + 1) * BLOCK_BYTES;
    this.#end = writeAll(this.descriptor, this.#bytes.subarray(0, length), this.#end);
    this.#bytes.fill(0);
    this.#block = -1;
  }
}

/** Returns where the next bytes belong. */
function writeAll(descriptor: number, bytes: Uint8Array, position: number): number {
  for (let done = 0; done < bytes.length;)
    done += writeSync(descriptor, bytes, done, bytes.length - done, position + done);
  return position + bytes.length;
}

/** Numbers that are sorted in memory at a time: 12 MB. */
const RUN_NUMBERS = 1_500_000;
const WRITE_BYTES = 256 * 1024;
/** What is read of a run at a time: two hundred runs take 6 MB. */
const READ_BYTES = 32 * 1024;

interface Run {
  readonly from: number;
  readonly to: number;
}

/** Sorts more numbers than memory has room for: sorted runs in one file, and a merge of all of them. */
export class SortedRuns {
  #numbers: Float64Array | null = new Float64Array(RUN_NUMBERS);
  #count = 0;
  #end = 0;
  readonly #runs: Run[] = [];
  readonly #descriptor: number;

  /** @param file where the runs are; nothing must be there. `close` removes it. */
  constructor(private readonly file: string) {
    this.#descriptor = openSync(file, 'wx+', 0o600);
  }

  /** How many numbers there are at the most: those in several runs count several times. */
  total = 0;

  add(number: number): void {
    if (this.#numbers === null) throw new Error('Nothing can be added to runs that are merged.');
    this.#numbers[this.#count++] = number;
    if (this.#count === RUN_NUMBERS) this.#write();
  }

  /** Nothing can be added any more. */
  finish(): void {
    if (this.#count > 0) this.#write();
    this.#numbers = null;
  }

  /** All numbers in ascending order, each once, after `finish`. */
  *merged(): Generator<Float64Array, void, undefined> {
    const cursors = this.#runs.map((run) => new RunCursor(this.#descriptor, run));
    yield* mergedBatches(cursors);
  }

  close(): void {
    closeSync(this.#descriptor);
    rmSync(this.file, { force: true });
  }

  #write(): void {
    const sorted = (this.#numbers ?? new Float64Array()).subarray(0, this.#count).sort();
    const bytes = new Uint8Array(WRITE_BYTES + VARINT_BYTES);
    const from = this.#end;
    let at = 0;
    let before = 0;
    for (let place = 0; place < sorted.length; place++) {
      const number = sorted[place] ?? 0;
      if (number === before) continue;
      at = writeVarint(bytes, at, number - before);
      before = number;
      this.total++;
      if (at >= WRITE_BYTES) at = this.#flush(bytes, at);
    }
    this.#flush(bytes, at);
    this.#runs.push({ from, to: this.#end });
    this.#count = 0;
  }

  #flush(bytes: Uint8Array, length: number): 0 {
    for (let done = 0; done < length;)
      done += writeSync(this.#descriptor, bytes, done, length - done, this.#end + done);
    this.#end += length;
    return 0;
  }
}

/** Goes through the numbers of one run. */
class RunCursor {
  /** The number at hand; `Infinity` at the end. */
  number = 0;
  readonly #bytes = new Uint8Array(READ_BYTES);
  #at = 0;
  #length = 0;
  #next: number;

  constructor(
    private readonly descriptor: number,
    private readonly run: Run,
  ) {
    this.#next = run.from;
    this.advance();
  }

  advance(): void {
    if (this.#length - this.#at < VARINT_BYTES) this.#fill();
    if (this.#at >= this.#length) {
      this.number = Infinity;
      return;
    }
    const bytes = this.#bytes;
    let byte = bytes[this.#at++] ?? 0;
    let step = byte & 127;
    for (let unit = 128; byte >= 128; unit *= 128) {
      byte = bytes[this.#at++] ?? 0;
      step += (byte & 127) * unit;
    }
    this.number += step;
  }

  #fill(): void {
    if (this.#next >= this.run.to) return;
    this.#bytes.copyWithin(0, this.#at, this.#length);
    this.#length -= this.#at;
    this.#at = 0;
    const wanted = Math.min(READ_BYTES - this.#length, this.run.to - this.#next);
    const read = readSync(this.descriptor, this.#bytes, this.#length, wanted, this.#next);
    if (read === 0) throw new Error('The file of sorted numbers is shorter than what was written.');
    this.#length += read;
    this.#next += read;
  }
}

const BATCH = 8192;

/** The smallest number of all runs again and again, by a heap of cursors. */
function* mergedBatches(cursors: readonly RunCursor[]): Generator<Float64Array, void, undefined> {
  const heap = cursors.toSorted((a, b) => a.number - b.number);
  const batch = new Float64Array(BATCH);
  let count = 0;
  let before = 0;
  for (let top = heap[0]; top && top.number !== Infinity; top = heap[0]) {
    if (top.number !== before) {
      before = top.number;
      batch[count++] = before;
      if (count === BATCH) {
        yield batch;
        count = 0;
      }
    }
    top.advance();
    sink(heap, top);
  }
  if (count > 0) yield batch.subarray(0, count);
}

/** Puts the cursor on top, whose number has grown, where it belongs. */
function sink(heap: RunCursor[], moved: RunCursor): void {
  const { length } = heap;
  const { number } = moved;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    let smaller = heap[child];
    if (smaller === undefined) break;
    const right = child + 1 < length ? heap[child + 1] : undefined;
    if (right !== undefined && right.number < smaller.number) {
      smaller = right;
      child++;
    }
    if (smaller.number >= number) break;
    heap[at] = smaller;
    at = child;
  }
  heap[at] = moved;
}

/** Whole numbers in pieces of seven bits, the lowest first; the highest bit of a byte says that another one follows. */

/** Bytes that the largest number takes. */
const VARINT_BYTES = 8;
const MORE = 128;

/** Writes a number and returns where the next one begins. */
function writeVarint(bytes: Uint8Array, at: number, number: number): number {
  while (number >= MORE) {
    bytes[at++] = (number % MORE) | MORE;
    number = Math.floor(number / MORE);
  }
  bytes[at++] = number;
  return at;
}

function varintBytes(number: number): number {
  let bytes = 1;
  while (number >= MORE) {
    number = Math.floor(number / MORE);
    bytes++;
  }
  return bytes;
}
