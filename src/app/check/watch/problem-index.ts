import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { codeOf } from '../../../core/errors.js';
import type { KeptRow, PreparedChunk } from '../../../core/prepared.js';
import { makeFolder } from '../../../files/folder.js';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { removeAtExit } from '../../../files/at-exit.js';

/** A cell that is longer is kept in part, in characters. */
const CELL_LENGTH = 4000;

/** What is kept of a rejected row. */
const record = z.tuple([
  z.number().describe('input'),
  z.string().nullable().describe('sheet'),
  z.number().describe('row'),
  z.array(z.string().nullable()).describe('cells'),
  z
    .array(z.tuple([z.string().nullable(), z.string(), z.string()]))
    .describe('column, code, message'),
  z.array(z.number()).describe('places of cells that are kept in part'),
]);
export type ProblemRecord = z.output<typeof record>;

/** How much of the problems the index has. */
export interface Indexed {
  /** Rows that can be shown. */
  readonly rows: number;
  /** Size of its file. */
  readonly bytes: number;
  /** Why rows are missing that were counted; absent where none is. */
  readonly missing?: string;
}

/**
 * The rejected rows of a check in a private file, by the groups of their problems. Beyond `maxBytes`, or when the disk is
 * full, rows are counted and not kept.
 */
export class ProblemIndex {
  readonly #all: Postings;
  readonly #groups: Postings[] = [];
  #missing: string | undefined;

  private constructor(
    private readonly file: ProblemFile,
    private readonly maxBytes: number,
  ) {
    this.#all = new Postings(file);
  }

  /** @throws what the file system says */
  static async create(folder: string, maxBytes: number): Promise<ProblemIndex> {
    makeFolder(folder);
    const path = join(folder, `check-${randomBytes(6).toString('hex')}.index`);
    return new ProblemIndex(await ProblemFile.create(path), maxBytes);
  }

  get indexed(): Indexed {
    const missing = this.#missing === undefined ? {} : { missing: this.#missing };
    return { rows: this.#all.length, bytes: this.file.length, ...missing };
  }

  /** How many rows of a group can be shown; `null`: of all groups. */
  rowsOf(group: number | null): number {
    return this.#postingsOf(group)?.length ?? 0;
  }

  /** Keeps a row of the chunk. */
  add({ input, sheet }: PreparedChunk, { row, cells, problems }: KeptRow, groups: number[]): void {
    if (this.#missing !== undefined) return;
    const cut: number[] = [];
    const kept = cells.map((cell, at) => {
      if (cell === null || cell.length <= CELL_LENGTH) return cell;
      cut.push(at);
      return cell.slice(0, CELL_LENGTH);
    });
    const wrong = problems.map(({ column, code, message }) => [column, code, message]);
    const bytes = Buffer.from(JSON.stringify([input, sheet, row, kept, wrong, cut]));
    if (this.file.length + bytes.length > this.maxBytes) {
      this.#missing = 'They take more room than is given to them; mend the others first.';
      return;
    }
    const at = this.file.add(bytes);
    this.#all.add(at);
    for (const group of groups) (this.#groups[group] ??= new Postings(this.file)).add(at);
  }

  /** Writes what has been added, where it is enough. A disk that is full ends the index, and not the check. */
  async write(): Promise<void> {
    if (!this.file.isDue) return;
    try {
      await this.file.flush();
    } catch (error) {
      this.#missing = `The index could not be written (${codeOf(error)}).`;
    }
  }

  /** Some rows of a group, in the order of the files. */
  async rows(group: number | null, from: number, count: number): Promise<ProblemRecord[]> {
    const places = (await this.#postingsOf(group)?.slice(from, from + count)) ?? [];
    const records = places.map(async (at) => {
      const text = (await this.file.read(at)).toString('utf8');
      return record.parse(JSON.parse(text));
    });
    return Promise.all(records);
  }

  close(): Promise<void> {
    return this.file.close();
  }

  #postingsOf(group: number | null): Postings | undefined {
    return group === null ? this.#all : this.#groups[group];
  }
}

/** Places of records that are written as one record of their own. */
const BLOCK = 1024;
const WORD_BYTES = 8;

/**
 * Where the records of one group begin, in their order. In memory is a place for each block of them, and the last places:
 * ten million take 80 KB.
 */
class Postings {
  readonly #blocks: number[] = [];
  #last: number[] = [];

  constructor(private readonly file: ProblemFile) {}

  get length(): number {
    return this.#blocks.length * BLOCK + this.#last.length;
  }

  add(at: number): void {
    this.#last.push(at);
    if (this.#last.length < BLOCK) return;
    const block = Float64Array.from(this.#last);
    this.#blocks.push(this.file.add(Buffer.from(block.buffer)));
    this.#last = [];
  }

  /** The places from one to another of the group's records. */
  async slice(from: number, to: number): Promise<number[]> {
    // What is added meanwhile moves none of these.
    const [blocks, last] = [[...this.#blocks], this.#last.slice()];
    const end = Math.min(to, blocks.length * BLOCK + last.length);
    // What a full disk did not take is left out.
    await this.file.flush().catch(() => undefined);
    const places: number[] = [];
    for (let at = from; at < end;) {
      const number = Math.floor(at / BLOCK);
      const begin = number * BLOCK;
      const until = Math.min(end, begin + BLOCK);
      const place = blocks[number];
      if (place !== undefined && !this.file.has(place)) break;
      const block = place === undefined ? last : placesIn(await this.file.read(place));
      for (; at < until; at++) places.push(block[at - begin] ?? 0);
    }
    return places.filter((at) => this.file.has(at));
  }
}

function placesIn(record: Buffer): number[] {
  const places: number[] = [];
  for (let at = 0; at < record.length; at += WORD_BYTES) places.push(record.readDoubleLE(at));
  return places;
}

/** Bytes that are gathered before they are written. */
const PIECE = 256 * 1024;
/** What is read of a record at first; most are shorter. */
const FIRST_READ = 4 * 1024;
const LENGTH_BYTES = 4;

/**
 * Records one after the other in a file of their owner alone. It goes when it is closed, or when the process exits. What
 * has not been written yet can be read all the same.
 */
class ProblemFile {
  #pieces: Buffer[] = [];
  #gathered = 0;
  #end = 0;
  #writing: Promise<void> = Promise.resolve();
  #written = 0;
  #safe = 0;

  private constructor(
    private readonly file: FileHandle,
    private readonly path: string,
    private readonly forget: () => void,
  ) {}

  /** @throws what the file system says */
  static async create(path: string): Promise<ProblemFile> {
    const file = await open(path, 'wx+', 0o600);
    return new ProblemFile(file, path, removeAtExit(path));
  }

  /** Bytes of all records. */
  get length(): number {
    return this.#end;
  }

  /** Adds a record, and returns where it begins. */
  add(record: Buffer): number {
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32LE(record.length);
    const at = this.#end;
    this.#pieces.push(length, record);
    this.#gathered += LENGTH_BYTES + record.length;
    this.#end += LENGTH_BYTES + record.length;
    return at;
  }

  /** Whether enough is gathered to be written. */
  get isDue(): boolean {
    return this.#gathered >= PIECE;
  }

  /** Writes what is gathered. @throws what the file system says, now and from then on */
  flush(): Promise<void> {
    const pieces = this.#pieces;
    [this.#pieces, this.#gathered] = [[], 0];
    if (pieces.length === 0) return this.#writing;
    const bytes = Buffer.concat(pieces);
    const at = this.#written;
    this.#written += bytes.length;
    this.#writing = this.#writing.then(() => this.#writeAll(bytes, at));
    // Whoever waits for it gets the error.
    this.#writing.catch(() => undefined);
    return this.#writing;
  }

  /** Whether the record that begins there is in the file, where all that is before it is. */
  has(at: number): boolean {
    return at < this.#safe;
  }

  /** The record that begins there. What was added before has to be flushed. */
  async read(at: number): Promise<Buffer> {
    const first = await this.#bytesAt(at, FIRST_READ);
    const end = LENGTH_BYTES + first.readUInt32LE(0);
    const whole = end <= first.length ? first : await this.#bytesAt(at, end);
    return whole.subarray(LENGTH_BYTES, end);
  }

  /** Closes the file and removes it. */
  async close(): Promise<void> {
    await this.#writing.catch(() => undefined);
    await this.file.close();
    await rm(this.path, { force: true });
    this.forget();
  }

  async #bytesAt(at: number, length: number): Promise<Buffer> {
    const { bytesRead, buffer } = await this.file.read(Buffer.alloc(length), 0, length, at);
    return buffer.subarray(0, bytesRead);
  }

  async #writeAll(bytes: Buffer, at: number): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await this.file.write(bytes, done, bytes.length - done, at + done);
      done += bytesWritten;
    }
    this.#safe = at + bytes.length;
  }
}
