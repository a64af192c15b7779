import { constants } from 'node:fs';
import {
  access,
  copyFile,
  link,
  lstat,
  open,
  readdir,
  rename,
  rm,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { codeOf } from '../../core/errors/error-code.js';
import { makeFolder } from '../../files/folder.js';
import {
  type ArrivedFile,
  type ClaimedFile,
  type Companion,
  type Place,
  PlaceError,
  type Shelf,
} from './place.js';

/** Folder, in that of the arrivals, of what is being worked on. Hidden, so that no pattern means it. */
const WORK = '.cardline';
const MAX_TEXT_BYTES = 64 * 1024;
/** Written beside each file that is put away, so that a sweep deletes nothing else. */
const PUT_AWAY = '.cardline-kept';

export interface FolderSettings {
  readonly from: string;
  readonly shelves: Readonly<Record<Shelf, string>>;
}

/** A folder of this machine, or one that is mounted on it. */
export class FolderPlace implements Place {
  readonly words: string;
  readonly #work: string;
  readonly #shelves: Readonly<Record<Shelf, string>>;

  constructor(private readonly settings: FolderSettings) {
    this.words = settings.from;
    this.#work = join(settings.from, WORK);
    const { good, bad } = settings.shelves;
    this.#shelves = { good: resolve(settings.from, good), bad: resolve(settings.from, bad) };
  }

  list(): Promise<ArrivedFile[]> {
    return this.#using(async () => {
      const entries = await readdir(this.settings.from, { withFileTypes: true });
      const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
      const found = await Promise.all(names.map((name) => this.#look(name)));
      return found.filter((file) => file !== null);
    });
  }

  async #look(name: string): Promise<ArrivedFile | null> {
    const found = await unlessGone(lstat(join(this.settings.from, name), { bigint: true }));
    if (!found?.isFile()) return null;
    const version = `${found.ino}@${found.mtimeNs}`;
    return { name, size: Number(found.size), version };
  }

  readText(name: string): Promise<string | null> {
    return this.#using(async () => {
      const file = await unlessGone(open(join(this.settings.from, name)));
      if (!file) return null;
      try {
        const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(MAX_TEXT_BYTES) });
        return buffer.toString('utf8', 0, bytesRead);
      } finally {
        await file.close();
      }
    });
  }

  claim({ name }: ArrivedFile): Promise<ClaimedFile | null> {
    return this.#using(async () => {
      makeFolder(this.#work);
      const path = join(this.#work, name);
      // A file of the same name that is being worked on is not replaced.
      if (await unlessGone(lstat(path))) return null;
      const moved = await unlessGone(rename(join(this.settings.from, name), path).then(() => true));
      return moved ? { name, path } : null;
    });
  }

  claimed(): Promise<ClaimedFile[]> {
    return this.#using(async () => {
      const names = (await unlessGone(readdir(this.#work))) ?? [];
      return names.sort().map((name) => ({ name, path: join(this.#work, name) }));
    });
  }

  putAway(file: ClaimedFile, shelf: Shelf, beside: readonly Companion[]): Promise<string> {
    return this.#using(async () => {
      const folder = this.#shelves[shelf];
      makeFolder(folder);
      const name = await freeName(folder, file);
      const to = join(folder, name);
      for (const companion of beside) await writeCompanion(to, companion);
      await writeFile(join(folder, `.${name}${PUT_AWAY}`), '', { mode: 0o600 });
      await moveFile(file.path, to);
      return to;
    });
  }

  sweep(before: number): Promise<void> {
    return this.#using(async () => {
      for (const folder of Object.values(this.#shelves)) await sweepFolder(folder, before);
    });
  }

  discard(name: string): Promise<void> {
    return this.#using(() => rm(join(this.settings.from, name), { force: true }));
  }

  check(): Promise<void> {
    return this.#using(async () => {
      await access(this.settings.from, constants.R_OK | constants.W_OK | constants.X_OK);
      for (const folder of Object.values(this.#shelves)) {
        const found = await unlessGone(stat(folder));
        if (found) await access(folder, constants.W_OK | constants.X_OK);
      }
    });
  }

  async #using<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw placeError(this.words, error);
    }
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder. Make it, or mount what holds it',
  ENOTDIR: 'this is no folder',
  EACCES: 'it may not be read, or not be written to. Check its permissions',
  EPERM: 'it may not be changed. Check its permissions',
  EROFS: 'it can be read only',
  ENOSPC: 'the disk is full',
};

function placeError(words: string, error: unknown): unknown {
  const code = codeOf(error);
  if (code === '') return error;
  return new PlaceError(`${words}: ${REASONS[code] ?? `it does not answer (${code})`}.`, {
    cause: error,
  });
}

/** What the file system answers; `undefined` when it is not there (any more). */
async function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** `leads.csv`, or `leads-2.csv` where there is another one. */
async function freeName(folder: string, { name, path }: ClaimedFile): Promise<string> {
  const own = await lstat(path, { bigint: true });
  const end = extname(name);
  const stem = basename(name, end);
  for (let number = 1; ; number++) {
    const tried = number === 1 ? name : `${stem}-${number}${end}`;
    const found = await unlessGone(lstat(join(folder, tried), { bigint: true }));
    // The same file: whoever put it away was ended before it was gone here.
    if (!found || (found.ino === own.ino && found.dev === own.dev)) return tried;
  }
}

async function writeCompanion(to: string, { suffix, from }: Companion): Promise<void> {
  const path = `${to}${suffix}`;
  if ('text' in from) await writeFile(path, from.text, { mode: 0o600 });
  else await copyFile(from.path, path);
}

/** How a file system answers that has no second name for a file, or not there. */
const WITHOUT_LINKS: ReadonlySet<string> = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'ENOSYS']);

/** Moves a file without replacing one; across file systems, by a copy. */
async function moveFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    const code = codeOf(error);
    if (WITHOUT_LINKS.has(code)) await copyFile(from, to, constants.COPYFILE_EXCL);
    else if (code !== 'EEXIST') throw error;
  }
  await unlink(from);
}

async function sweepFolder(folder: string, before: number): Promise<void> {
  const names = (await unlessGone(readdir(folder))) ?? [];
  for (const mark of names.filter((name) => name.endsWith(PUT_AWAY))) {
    const found = await unlessGone(stat(join(folder, mark)));
    if (!found || found.mtimeMs >= before) continue;
    const name = mark.slice(1, -PUT_AWAY.length);
    const own = names.filter((other) => other === name || other.startsWith(`${name}.`));
    for (const other of own) await rm(join(folder, other), { force: true });
    await rm(join(folder, mark), { force: true });
  }
}
