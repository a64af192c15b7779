import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { VARINT_BYTES, writeVarint } from './varint.js';

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
