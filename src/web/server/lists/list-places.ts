import { chmod, copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../../core/errors.js';

/** What a list's folder holds. `file`: a folder with what was uploaded, under its own name: runs and reports show it. */
export type ListPart =
  'file' | 'list.json' | 'mapping.yaml' | 'readable.yaml' | 'corrections.jsonl';

/** What is made of a list, and not brought by the person. */
const MADE = new Set<ListPart>(['list.json', 'mapping.yaml', 'readable.yaml']);

/** Where lists lie: one folder for each. */
export class ListPlaces {
  /** Lists that are kept, or worked on, in the scratch folder. */
  readonly #apart = new Set<string>();

  /** `scratch`: a folder that takes what would be written to the other one, which is only read then. */
  constructor(
    readonly folder: string,
    readonly scratch: string | undefined,
  ) {}

  /** Path of a file that belongs to a list. */
  partOf(id: string, part: ListPart): string {
    const isApart = MADE.has(part) && this.#apart.has(id);
    return join(isApart ? this.workFolder(id) : join(this.folder, id), part);
  }

  /** Where something can be written that has to do with the list. */
  workFolder(id: string): string {
    return join(this.scratch ?? this.folder, id);
  }

  /** Makes the folder of a new list, for its owner alone. */
  async make(id: string): Promise<void> {
    const folder = this.scratch ?? this.folder;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // It may have been there before, for all to read.
    await chmod(folder, 0o700);
    if (this.scratch !== undefined) this.#apart.add(id);
    await mkdir(this.workFolder(id), { mode: 0o700 });
  }

  /** Where nothing may be written, a list is worked on in a copy. */
  async prepare(id: string): Promise<void> {
    if (this.scratch === undefined || this.#apart.has(id)) return;
    await mkdir(this.workFolder(id), { recursive: true, mode: 0o700 });
    await copyFile(this.partOf(id, 'list.json'), join(this.workFolder(id), 'list.json'));
    this.#apart.add(id);
  }

  /** Names of all that lies there. */
  async names(): Promise<string[]> {
    try {
      return [...new Set([...(await readdir(this.folder)), ...this.#apart])];
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [...this.#apart];
      throw error;
    }
  }
}
