import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { codeOf } from '../../../core/errors.js';
import type { KeptRow, PreparedChunk } from '../../../core/prepared.js';
import { makeFolder } from '../../../files/folder.js';
import { Postings } from './postings.js';
import { ProblemFile } from './problem-file.js';

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
