import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { addNumber, filterBitsFor, filterBytesFor } from './filter.js';
import { BLOCK_BYTES, HEAD_BYTES, headBytes, type ListHead, VERSION } from './layout.js';
import { varintBytes, writeVarint } from './varint.js';

/** What a list is made of, beside what is found out while it is written. */
export type ListFacts = Omit<
  ListHead,
  'version' | 'numbers' | 'blocks' | 'filterBytes' | 'filterBits' | 'check'
>;

/** Largest filter of a list, in bytes: with what else is at hand, it has room in 64 MB twice. */
export const MAX_FILTER = 16 * 1024 ** 2;
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
