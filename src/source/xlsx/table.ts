import { LIMITS } from './limits.js';
import { decodeUtf8, PartError } from './xml.js';
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Larger than the longest string, which therefore always fits into one page. */
const PAGE = 2 ** 22;
const PAGES_IN_MEMORY = Math.floor(LIMITS.sharedStringsInMemory / PAGE);
const HEADER = 4;
const INDEX = 2 ** 16;
const CACHE = 2 ** 15;
/** Shorter strings are copied faster here than by native code. */
const SHORT = 64;
/** Longest text that is kept as such, in characters: all of them together stay below 64 MiB. */
const CACHED_LENGTH = 1_024;

/** A string is asked for that has not been read yet. */
export class StringAheadError extends Error {
  constructor(readonly number: number) {
    super('a string has not been read yet');
  }
}

/**
 * The shared strings, kept as UTF-8 in pages outside of the heap, where millions of them cost the garbage collector
 * nothing; what is beyond `LIMITS.sharedStringsInMemory` in a temporary file. A string becomes text when a cell asks
 * for it; the latest short ones are kept as text.
 */
export class StringTable {
  count = 0;
  /** Whether there will be no more. */
  isWhole = false;
  private readonly pages: Buffer[] = [];
  private page = Buffer.allocUnsafeSlow(PAGE);
  private used = 0;
  /** Pages that are full, in memory and spilled. */
  private full = 0;
  private spill: Spill | null = null;
  private readonly index: Uint32Array[] = [];
  private readonly cached = new Int32Array(CACHE).fill(-1);
  private readonly texts = new Array<string>(CACHE).fill('');
  /** Appends bytes of UTF-8 as the next string. At most `LIMITS.cellBytes`. */
  add(buffer: Buffer, from: number, to: number): void {
    const length = to - from;
    if (this.used + HEADER + length > PAGE) this.turnPage();
    const { page, used } = this;
    this.remember(this.full * PAGE + used);
    page.writeUInt32LE(length, used);
    copy(buffer, from, to, page, used + HEADER);
    this.used = used + HEADER + length;
  }

  /**
   * The string of that number; `undefined` when there is none.
   * @throws StringAheadError when it may still come, PartError when it is not UTF-8.
   */
  get(number: number): string | undefined {
    if (number >= this.count) {
      if (!this.isWhole) throw new StringAheadError(number);
      return undefined;
    }
    const slot = number & (CACHE - 1);
    if (this.cached[slot] === number) return this.texts[slot];
    const text = this.read(this.index[number >>> 16]?.[number & (INDEX - 1)] ?? 0);
    if (text.length <= CACHED_LENGTH) {
      this.cached[slot] = number;
      this.texts[slot] = text;
    }
    return text;
  }

  close(): void {
    this.spill?.close();
    this.spill = null;
  }

  private remember(offset: number): void {
    if ((this.count & (INDEX - 1)) === 0) this.index.push(new Uint32Array(INDEX));
    const block = this.index[this.count >>> 16];
    if (block !== undefined) block[this.count & (INDEX - 1)] = offset;
    this.count++;
  }

  private turnPage(): void {
    this.full++;
    this.used = 0;
    if (this.pages.length < PAGES_IN_MEMORY) {
      this.pages.push(this.page);
      this.page = Buffer.allocUnsafeSlow(PAGE);
    } else {
      this.spill ??= new Spill();
      this.spill.append(this.page);
    }
  }

  private read(offset: number): string {
    const number = Math.floor(offset / PAGE);
    const at = offset % PAGE;
    const page = number === this.full ? this.page : this.pages[number];
    if (page === undefined) return this.readSpilled(offset - this.pages.length * PAGE);
    const from = at + HEADER;
    return decodeUtf8(page, from, from + page.readUInt32LE(at));
  }

  private readSpilled(offset: number): string {
    const header = Buffer.allocUnsafe(HEADER);
    this.spill?.read(offset, header);
    const bytes = Buffer.allocUnsafe(header.readUInt32LE(0));
    this.spill?.read(offset + HEADER, bytes);
    return decodeUtf8(bytes, 0, bytes.length);
  }
}

function copy(source: Buffer, from: number, to: number, target: Buffer, at: number): void {
  if (to - from > SHORT) source.copy(target, at, from, to);
  else for (let read = from, write = at; read < to;) target[write++] = source[read++] ?? 0;
}

const BLOCK = 2 ** 16;
const BLOCKS = 64;

/** @throws PartError where the temporary file cannot be made, written or read */
function attempted<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const reason =
      'its many texts need a temporary file, which fails. Make room in the temporary folder.';
    throw new PartError(reason, 'no_space', { cause });
  }
}

/**
 * Bytes that do not fit into memory, in a temporary file that only this user can read and that has no name any more
 * once it is open, so that nothing is left behind however the process ends. Reading goes by blocks, of which the
 * latest are kept: neighbours are mostly asked for together. Synchronous, since cells are read synchronously.
 */
class Spill {
  private readonly folder = attempted(() => mkdtempSync(join(tmpdir(), 'cardline-strings-')));
  private readonly descriptor: number;
  private readonly blocks = new Array<Buffer | undefined>(BLOCKS).fill(undefined);
  private readonly numbers = new Int32Array(BLOCKS).fill(-1);
  private length = 0;

  constructor() {
    this.descriptor = attempted(() => openSync(join(this.folder, 'strings'), 'wx+', 0o600));
    // Where an open file cannot be removed (Windows), `close` does it.
    if (process.platform !== 'win32') this.remove();
  }

  append(bytes: Buffer): void {
    for (let done = 0; done < bytes.length;) {
      const rest = bytes.length - done;
      done += attempted(() => writeSync(this.descriptor, bytes, done, rest, this.length + done));
    }
    this.length += bytes.length;
  }

  read(offset: number, target: Buffer): void {
    let done = 0;
    while (done < target.length) {
      const at = offset + done;
      const block = this.block(Math.floor(at / BLOCK));
      const copied = block.copy(target, done, at % BLOCK);
      if (copied === 0) throw new RangeError('read beyond the end of the spilled bytes');
      done += copied;
    }
  }

  close(): void {
    closeSync(this.descriptor);
    this.remove();
  }

  private remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private block(number: number): Buffer {
    const slot = number % BLOCKS;
    const known = this.blocks[slot];
    if (known !== undefined && this.numbers[slot] === number) return known;
    const block = Buffer.allocUnsafe(BLOCK);
    const length = attempted(() => readSync(this.descriptor, block, 0, BLOCK, number * BLOCK));
    this.numbers[slot] = number;
    return (this.blocks[slot] = block.subarray(0, length));
  }
}
