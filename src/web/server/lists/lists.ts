import {
  stat,
  access,
  mkdir,
  readFile,
  rename,
  rm,
  utimes,
  writeFile,
  open,
  chmod,
  copyFile,
  readdir,
} from 'node:fs/promises';
import { makeFolder, unlessGone } from '../../../files/regular-file.js';
import { basename, resolve, join, parse } from 'node:path';
import type { SourceOptions, Correction } from '../../../core/table.js';
import { defined, firstBytes } from '../../../core/text.js';
import { appendCorrection, loadCorrections } from '../../../run/start-check.js';
import { codeOf } from '../../../core/errors.js';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { fileOfLedger } from '../../../options/places.js';
import { Refusal, refusal } from '../problem.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import {
  type ImportChoice,
  importChoiceSchema,
  type SourceChoice,
  sourceChoiceSchema,
} from '../../shared/routes.js';
import { STEPS } from '../../shared/page.js';

/** What makes a list of a file that is read where it is. */
export async function listOf(file: string): Promise<Pick<ListFile, 'name' | 'path' | 'bytes'>> {
  const path = resolve(file);
  return { name: basename(path), path, bytes: (await stat(path)).size };
}

/** How a list's file is read, as previews, checks and imports take it. What is not chosen is found out. */
export const sourceOptions = ({
  sheet,
  headerRow,
  encoding,
  delimiter,
}: SourceChoice): SourceOptions =>
  defined({
    sheet: sheet ?? undefined,
    headerRow: headerRow ?? undefined,
    encoding: encoding ?? undefined,
    delimiter: delimiter ?? undefined,
  });

/** A cell of a list, by the header of its column. */
export type CellPlace = Pick<Correction, 'sheet' | 'row' | 'column'>;

/**
 * Path of the cells that were corrected, as checks and imports take it in `corrections`; `undefined` while there are
 * none. The file itself is never touched.
 */
export const correctionsPath = ({
  corrections: path,
}: Pick<StoredList, 'corrections'>): Promise<string | undefined> =>
  unlessGone(access(path).then(() => path));

/** The cells that are corrected, in the order of the rows. Personal data. @throws ConfigurationError */
export async function readCorrections(list: StoredList): Promise<Correction[]> {
  const path = await correctionsPath(list);
  const found = await loadCorrections(path, [{ path: list.file, name: list.file }]);
  return [...(found?.cells ?? [])].sort((a, b) => a.row - b.row);
}

/** Puts a correction on record. One that gives the cell what the file holds takes an earlier one back. */
export function correct(
  list: StoredList,
  cell: CellPlace & Pick<Correction, 'was' | 'becomes'>,
): void {
  const { sheet, row, column, was, becomes } = cell;
  appendCorrection({
    corrections: list.corrections,
    correction: { file: basename(list.file), sheet, row, column, was, becomes },
  });
}

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

/** Lies among the lists, and is none: the mappings that files had last, by their columns. */
export const LAST_FOLDER = 'last';

/** Nothing else in the folder is a list. */
const ID = /^[0-9a-f]{18}$/;

/** Folder of the lists that belong to a ledger: `cardline.db` -> `cardline.lists`. */
export function listsFolder(ledger: string): string {
  const { dir, name } = parse(fileOfLedger(ledger));
  return join(dir, `${name}.lists`);
}

/**
 * The lists that are worked on, in a private folder beside the ledger: one folder for each. All of a list is in its
 * files, so that a closed tab or a killed server loses nothing, and several servers can use the same folder: what one of
 * them changes it changes alone.
 */
export class Lists {
  /** Lists that are kept, or worked on, in the scratch folder. */
  readonly #apart = new Set<string>();

  /** `scratch`: a folder that takes what would be written to the other one, which is only read then. */
  constructor(
    readonly folder: string,
    private readonly scratch?: string,
  ) {}

  async create(known: Pick<ListFile, 'name' | 'path' | 'bytes'>): Promise<StoredList> {
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
      answered: [],
      likeLast: false,
      run: null,
      step: 'file',
    };
    try {
      await this.#make(id);
      if (list.path === null) await mkdir(this.partOf(id, 'file'), { mode: 0o700 });
      await this.#write(id, list);
    } catch (error) {
      await this.remove(id);
      throw error;
    }
    return this.#stored(id, list);
  }

  /** @throws Refusal when there is none of this id */
  async get(id: string): Promise<StoredList> {
    if (!ID.test(id)) throw refusal('no_such_list');
    const path = this.partOf(id, 'list.json');
    try {
      return this.#stored(id, listFileSchema.parse(JSON.parse(await readFile(path, 'utf8'))));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') throw refusal('no_such_list');
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
    return this.alone(id, 'list', async () => {
      const before = await this.get(id);
      const own = typeof changes === 'function' ? changes(before) : changes;
      // Without what is known of where it lies.
      const changed = listFileSchema.parse({ ...before, ...own });
      await this.#write(id, changed);
      return this.#stored(id, changed);
    });
  }

  /** All lists, the latest first. */
  async all(): Promise<StoredList[]> {
    const found = await Promise.allSettled((await this.#names()).map((id) => this.get(id)));
    return found
      .flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      .sort((a, b) => b.createdAt.localeCompare(a.createdAt));
  }

  /** Whoever reads it meanwhile sees all of it, or nothing. */
  async remove(id: string): Promise<void> {
    const gone = join(this.folder, `gone-${id}`);
    await unlessGone(rename(this.workFolder(id), gone));
    await rm(gone, { recursive: true, force: true });
  }

  /**
   * Does what changes something of a list, while neither this server nor another one changes the same.
   * @throws Refusal when the list is not there any more, and what `work` throws
   */
  alone<T>(id: string, what: 'list' | 'mapping', work: () => Promise<T>): Promise<T> {
    return inTurn(`${what} ${id}`, async () => {
      await this.#prepare(id);
      try {
        return await withLockFile(join(this.workFolder(id), `${what}.lock`), work);
      } catch (error) {
        if (codeOf(error) === 'ENOENT' && !existsSync(this.workFolder(id)))
          throw refusal('no_such_list');
        throw error;
      }
    });
  }

  /** Notes that somebody looks at the list. */
  async touch(id: string): Promise<void> {
    if (this.scratch !== undefined) return;
    const now = new Date();
    await utimes(this.partOf(id, 'list.json'), now, now);
  }

  /** Deletes the lists that nobody has looked at for a day. */
  async sweep(now = Date.now()): Promise<void> {
    for (const id of await this.#names()) {
      if (id === LAST_FOLDER || !(await this.#isOld(id, now))) continue;
      if (ID.test(id)) await this.#removeOld(id, now);
      else await rm(join(this.folder, id), { recursive: true, force: true });
    }
  }

  async #isOld(id: string, now: number): Promise<boolean> {
    const found = await stat(this.partOf(id, 'list.json')).catch(() => undefined);
    const touched = found ?? (await stat(join(this.folder, id)).catch(() => undefined));
    return touched !== undefined && now - touched.mtimeMs > KEPT_MS;
  }

  /** Another server may have begun to show it since, or removes it too. */
  async #removeOld(id: string, now: number): Promise<void> {
    try {
      await this.alone(id, 'list', async () => {
        if (await this.#isOld(id, now)) await this.remove(id);
      });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }

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
  async #make(id: string): Promise<void> {
    const folder = this.scratch ?? this.folder;
    makeFolder(folder);
    // It may have been there before, for all to read.
    await chmod(folder, 0o700);
    if (this.scratch !== undefined) this.#apart.add(id);
    await mkdir(this.workFolder(id), { mode: 0o700 });
  }

  /** Where nothing may be written, a list is worked on in a copy. */
  async #prepare(id: string): Promise<void> {
    if (this.scratch === undefined || this.#apart.has(id)) return;
    makeFolder(this.workFolder(id));
    await copyFile(this.partOf(id, 'list.json'), join(this.workFolder(id), 'list.json'));
    this.#apart.add(id);
  }

  /** Names of all that lies there. */
  async #names(): Promise<string[]> {
    const names = (await unlessGone(readdir(this.folder))) ?? [];
    return [...new Set([...names, ...this.#apart])];
  }

  #write(id: string, list: ListFile): Promise<void> {
    return replaceFile(this.partOf(id, 'list.json'), JSON.stringify(list));
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

/** Whoever reads it meanwhile sees it as it was, or as it is. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const next = `${path}.${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(next, text, { mode: 0o600 });
    await rename(next, path);
  } catch (error) {
    // Half of it stays where the disk gets full.
    await rm(next, { force: true });
    throw error;
  }
}

/** What some system does not take within the name of a file. */
// eslint-disable-next-line no-control-regex -- names may hold any character
const REFUSED = /[\\/:*?"<>|\u0000-\u001f\u007f]/g;
/** File systems count bytes, and take 255. */
const MAX_BYTES = 200;

/** The name of an upload as a file has it here: what the browser names may be no name of a file, or lead elsewhere. */
function fileNameOf(name: string): string {
  const { name: stem, ext } = parse(name.replaceAll(REFUSED, '_').replace(/^\.+/, ''));
  const room = Math.max(1, MAX_BYTES - Buffer.byteLength(ext));
  return (firstBytes(stem, room) || 'list') + firstBytes(ext, MAX_BYTES);
}

/** How often its holder shows that it is at work, and after how long without that it is taken to be gone. */
const [TOUCH_MS, GONE_MS] = [1_000, 30_000];
const ASK_MS = 20;

/**
 * Does what no other process may do at the same moment, while a file shows that it is being done. That of a process
 * which was killed is removed after half a minute.
 * @throws what the file system says, and what the work throws
 */
export async function withLockFile<T>(file: string, work: () => Promise<T>): Promise<T> {
  while (!(await take(file))) {
    await sleep(ASK_MS);
    const found = await stat(file).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > GONE_MS) await rm(file, { force: true });
  }
  const touching = setInterval(() => {
    const now = new Date();
    // Where its folder is gone, so is what it was for.
    void utimes(file, now, now).catch(() => undefined);
  }, TOUCH_MS);
  try {
    return await work();
  } finally {
    clearInterval(touching);
    await rm(file, { force: true });
  }
}

async function take(file: string): Promise<boolean> {
  try {
    await (await open(file, 'wx', 0o600)).close();
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** What a list's folder holds. `file`: a folder with what was uploaded, under its own name: runs and reports show it. */
type ListPart = 'file' | 'list.json' | 'mapping.yaml' | 'readable.yaml' | 'corrections.jsonl';

/** What is made of a list, and not brought by the person. */
const MADE = new Set<ListPart>(['list.json', 'mapping.yaml', 'readable.yaml']);

/** What is chosen for a list that nothing was chosen for. */
const NO_CHOICE: ImportChoice = {
  campaign: null,
  canary: null,
  requestsPerSecond: null,
  clientsPerSecond: null,
  recovery: null,
};

/** `list.json`: what is known of a list, and what was chosen for it. */
const listFileSchema = z.object({
  version: z.literal(1),
  /** Name of the file, as the person knows it. */
  name: z.string(),
  /** Where the file lies, if that is not in the folder of the list. Such a file is read and never touched. */
  path: z.string().nullable(),
  bytes: z.number(),
  complete: z.boolean(),
  createdAt: z.string(),
  source: sourceChoiceSchema,
  mapping: z.string().nullable(),
  /** File whose text is that of the mapping; `null`: it was suggested, or has been changed since. */
  mappingFile: z.string().nullable().default(null),
  /** What was chosen for its import. */
  choice: importChoiceSchema
    .extend({ recovery: importChoiceSchema.shape.recovery.default(null) })
    .default(NO_CHOICE),
  /** Revision of the mapping that was suggested: while it is that, nobody has worked on it. */
  draft: z.string().nullable().default(null),
  /** Ids of the decisions about its columns that a person has made. */
  answered: z.array(z.string()).default([]),
  /** Whether it began with the mapping that the last file with its columns had. */
  likeLast: z.boolean().default(false),
  run: z.string().nullable(),
  step: z.enum(STEPS),
});

export type ListFile = z.output<typeof listFileSchema>;

const last = new Map<string, Promise<unknown>>();

/**
 * Does what concerns one thing one after the other, so that whoever waited looks again at what is there by now.
 * @param work is given what one of those before it has come to; `undefined`: nothing, or nobody was before it
 */
export async function inTurn<T>(name: string, work: (made: unknown) => Promise<T>): Promise<T> {
  const before = last.get(name) ?? Promise.resolve(undefined);
  const done = before.then(work);
  const turn = before.then((made) => done.catch(() => made));
  last.set(name, turn);
  try {
    return await done;
  } finally {
    if (last.get(name) === turn) last.delete(name);
  }
}
