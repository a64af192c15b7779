import { randomBytes } from 'node:crypto';
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join, parse } from 'node:path';
import { fileOfLedger } from '../../../app/run/ledger-path.js';
import { codeOf } from '../../../core/errors/error-code.js';
import { noSuchList } from '../refusal.js';
import { fileNameOf } from './file-name.js';
import { inTurn } from './in-turn.js';
import { listFileSchema, NO_CHOICE, type ListFile } from './list-file.js';

/** Lists that nobody has looked at for so long are deleted, in milliseconds. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** A list, and where it lies. */
export interface StoredList extends ListFile {
  readonly id: string;
  /** Path of the spreadsheet. */
  readonly file: string;
  /** Path of a mapping that has the text of the list's, for the command line. */
  readonly mappingPath: string;
  /** Path of the cells that were corrected, where there are any. */
  readonly corrections: string;
}

type ListChanges = Partial<Omit<ListFile, 'version'>>;

/** What a list's folder holds. `file`: a folder with what was uploaded, under its own name: runs and reports show it. */
export type ListPart =
  'file' | 'list.json' | 'mapping.yaml' | 'readable.yaml' | 'corrections.jsonl';

/** Nothing else in the folder is a list. */
const ID = /^[0-9a-f]{18}$/;

/** Folder of the lists that belong to a ledger: `cardline.db` -> `cardline.lists`. */
export function listsFolder(ledger: string): string {
  const { dir, name } = parse(fileOfLedger(ledger));
  return join(dir, `${name}.lists`);
}

/**
 * The lists that are worked on, in a private folder beside the ledger: one folder for each. All of a list is in its
 * files, so that a closed tab or a killed server loses nothing, and several servers can use the same folder.
 */
export class Lists {
  constructor(readonly folder: string) {}

  async create(known: Pick<ListFile, 'name' | 'path' | 'bytes'>): Promise<StoredList> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    // It may have been there before, for all to read.
    await chmod(this.folder, 0o700);
    const id = randomBytes(9).toString('hex');
    const list: ListFile = {
      version: 1,
      ...known,
      complete: known.path !== null,
      createdAt: new Date().toISOString(),
      source: { sheet: null, headerRow: null, encoding: null, delimiter: null },
      mapping: null,
      mappingFile: null,
      choice: NO_CHOICE,
      draft: null,
      run: null,
      step: 'file',
    };
    try {
      await mkdir(join(this.folder, id), { mode: 0o700 });
      await mkdir(this.partOf(id, 'file'), { mode: 0o700 });
      await this.#write(id, list);
    } catch (error) {
      await this.remove(id);
      throw error;
    }
    return this.#stored(id, list);
  }

  /** @throws Refusal when there is none of this id */
  async get(id: string): Promise<StoredList> {
    if (!ID.test(id)) throw noSuchList();
    const path = this.partOf(id, 'list.json');
    try {
      return this.#stored(id, listFileSchema.parse(JSON.parse(await readFile(path, 'utf8'))));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') throw noSuchList();
      throw error;
    }
  }

  /**
   * Changes what is known of a list, one change after the other: none takes back what another has just written. What
   * depends on what is known is given as a function. @throws as `get` does
   */
  change(
    id: string,
    changes: ListChanges | ((list: StoredList) => ListChanges),
  ): Promise<StoredList> {
    return inTurn(`list.json ${id}`, async () => {
      const before = await this.get(id);
      const { id: _id, file: _file, mappingPath: _path, corrections: _cells, ...list } = before;
      const changed = { ...list, ...(typeof changes === 'function' ? changes(before) : changes) };
      await this.#write(id, changed);
      return this.#stored(id, changed);
    });
  }

  /** All lists, the latest first. */
  async all(): Promise<StoredList[]> {
    const found = await Promise.allSettled((await this.#ids()).map((id) => this.get(id)));
    return found
      .flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      .sort((a, b) => b.createdAt.localeCompare(a.createdAt));
  }

  async remove(id: string): Promise<void> {
    await rm(join(this.folder, id), { recursive: true, force: true });
  }

  /** Notes that somebody looks at the list. */
  async touch(id: string): Promise<void> {
    const now = new Date();
    await utimes(this.partOf(id, 'list.json'), now, now);
  }

  /** Deletes the lists that nobody has looked at for a day. */
  async sweep(now = Date.now()): Promise<void> {
    for (const id of await this.#ids()) {
      const found = await stat(this.partOf(id, 'list.json')).catch(() => undefined);
      const touched = found ?? (await stat(join(this.folder, id)).catch(() => undefined));
      if (touched && now - touched.mtimeMs > KEPT_MS) await this.remove(id);
    }
  }

  /** Path of a file that belongs to a list. */
  partOf(id: string, part: ListPart): string {
    return join(this.folder, id, part);
  }

  async #ids(): Promise<string[]> {
    try {
      return await readdir(this.folder);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    }
  }

  /** Whoever reads it meanwhile sees it as it was, or as it is. */
  async #write(id: string, list: ListFile): Promise<void> {
    const path = this.partOf(id, 'list.json');
    const next = `${path}.${randomBytes(4).toString('hex')}`;
    try {
      await writeFile(next, JSON.stringify(list), { mode: 0o600 });
      await rename(next, path);
    } catch (error) {
      // Half of it stays where the disk gets full.
      await rm(next, { force: true });
      throw error;
    }
  }

  #stored(id: string, list: ListFile): StoredList {
    return {
      ...{ id, ...list },
      file: list.path ?? join(this.partOf(id, 'file'), fileNameOf(list.name)),
      mappingPath: list.mappingFile ?? this.partOf(id, 'mapping.yaml'),
      corrections: this.partOf(id, 'corrections.jsonl'),
    };
  }
}
