import { constants, type Dirent } from 'node:fs';
import {
  access,
  lstat,
  open,
  readdir,
  rename,
  rm,
  stat,
  copyFile,
  link,
  readFile,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { codeOf } from '../../core/errors.js';
import { isUtf8, shownName, makeFolder, otherKind, unlessGone } from '../../files/regular-file.js';
import {
  WORK,
  keptNames,
  MAX_TEXT_BYTES,
  PUT_AWAY,
  shelfName,
  suffixed,
  type Arrived,
  type ArrivedFile,
  type ClaimedFile,
  type Companion,
  KIND_REASONS,
  type OddEntry,
  type Place,
  PlaceError,
  type Shelf,
  StuckFileError,
  type PlaceMemory,
} from './place.js';
import type { Pickup, Secrets } from '../pickup/schema.js';
import { RemotePlace } from './remote.js';
import { s3Address, S3Store } from './s3.js';
import { sftpAddress, SftpStore } from './sftp.js';

/** The place of a pickup. `work`: folder on this machine for what is fetched. @throws UsageError for an address that is none */
export function openPlace(
  pickup: Pickup,
  { env, ...rest }: { readonly memory: PlaceMemory; readonly work: string; readonly env: Secrets },
): Place {
  const { from, name, after: shelves } = pickup;
  const common = { name, shelves, ...rest };
  if (from.startsWith('sftp://')) {
    const address = sftpAddress(from);
    const store = new SftpStore(address, pickup.sftp ?? {}, env);
    return new RemotePlace({ ...common, store, folder: address.folder });
  }
  if (from.startsWith('s3://')) {
    const address = s3Address(from);
    const store = new S3Store(address, pickup.s3 ?? {}, env);
    return new RemotePlace({ ...common, store, folder: address.prefix });
  }
  return new FolderPlace(from, name, shelves);
}

/** A folder of this machine, or one that is mounted on it. */
class FolderPlace implements Place {
  readonly #work: string;
  readonly #shelves: Readonly<Record<Shelf, string>>;

  /** `words`: its path; `name`: of the pickup, since several may share a folder. */
  constructor(
    readonly words: string,
    name: string,
    { good, bad }: Readonly<Record<Shelf, string>>,
  ) {
    this.#work = join(words, WORK, name);
    this.#shelves = { good: resolve(words, good), bad: resolve(words, bad) };
  }

  list(): Promise<Arrived> {
    return this.#using(async () => {
      const entries = await readdir(this.words, { withFileTypes: true, encoding: 'buffer' });
      const foreign = entries.filter((entry) => this.#isForeign(entry));
      const [files, odd] = await Promise.all([
        filesIn(this.words, entries),
        Promise.all(foreign.map((entry) => oddEntry(this.words, entry))),
      ]);
      return { files, odd: odd.filter((entry) => entry !== null) };
    });
  }

  /** Folders in which files are put away, or worked on, are none that have arrived. */
  #isForeign(entry: Dirent<Buffer>): boolean {
    if (entry.name[0] === DOT) return false;
    const path = join(this.words, entry.name.toString());
    const own = Object.values(this.#shelves);
    return (
      !entry.isDirectory() || !own.some((shelf) => `${shelf}${sep}`.startsWith(`${path}${sep}`))
    );
  }

  readText(name: string): Promise<string | null> {
    return this.#using(async () => {
      // Neither through a link, nor waiting for whoever writes to a pipe.
      const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
      const path = join(this.words, name);
      const file = await unlessGone(open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK));
      if (!file) return null;
      try {
        const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(MAX_TEXT_BYTES) });
        return buffer.toString('utf8', 0, bytesRead);
      } finally {
        await file.close();
      }
    });
  }

  take({ name }: ArrivedFile): Promise<boolean> {
    return this.#using(async () => {
      await this.#makeWork();
      const path = join(this.#work, name);
      // A file of the same name that is being worked on is not replaced.
      if (await unlessGone(lstat(path))) return false;
      const from = join(this.words, name);
      const moved = rename(from, path).then(() => true);
      return (await unlessGone(moved.catch((error: unknown) => stuck(from, name, error)))) ?? false;
    });
  }

  /** Whoever may write into the folder must not lead the work into another one. */
  async #makeWork(): Promise<void> {
    makeFolder(this.#work);
    for (const folder of [dirname(this.#work), this.#work])
      if (!(await lstat(folder)).isDirectory())
        throw new PlaceError(
          `${folder} is a link, and has to be a folder of its own. Remove it, after a look at where it leads.`,
        );
  }

  claimed(): Promise<ArrivedFile[]> {
    return this.#using(async () => {
      const found = await unlessGone(lstat(this.#work));
      if (!found) return [];
      await this.#makeWork();
      // Some file systems keep hidden ones of their own there.
      const entries = await readdir(this.#work, { withFileTypes: true, encoding: 'buffer' });
      return (await filesIn(this.#work, entries)).filter(({ name }) => !name.startsWith('.'));
    });
  }

  fetch(file: ArrivedFile): Promise<ClaimedFile | null> {
    return this.#using(async () => {
      const path = join(this.#work, file.name);
      const found = await look(path, file.name);
      return found && { ...found, path };
    });
  }

  putAway(file: ClaimedFile, shelf: Shelf, beside: readonly Companion[]): Promise<string> {
    return this.#using(() => putInto(this.#shelves[shelf], file, beside));
  }

  sweep(before: number): Promise<void> {
    return this.#using(async () => {
      for (const folder of Object.values(this.#shelves)) await sweepFolder(folder, before);
    });
  }

  discard(name: string): Promise<void> {
    return this.#using(() => rm(join(this.words, name), { force: true }));
  }

  check(): Promise<string | null> {
    return this.#using(async () => {
      await access(this.words, constants.R_OK | constants.W_OK | constants.X_OK);
      if (!(await stat(this.words)).isDirectory())
        throw new PlaceError(`${this.words}: this is no folder.`);
      for (const folder of Object.values(this.#shelves)) {
        const found = await unlessGone(stat(folder));
        if (found) await access(folder, constants.W_OK | constants.X_OK);
      }
      return null;
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
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
  ELOOP: 'there is a link in place of a file',
  ENAMETOOLONG: 'a name is too long',
};

function placeError(words: string, error: unknown): unknown {
  const code = codeOf(error);
  if (code === '') return error;
  return new PlaceError(`${words}: ${REASONS[code] ?? `it does not answer (${code})`}.`, {
    cause: error,
  });
}

const DOT = '.'.charCodeAt(0);

/** Errors that are about one file, where the folder of the work could be made beside it. */
const OF_ONE_FILE: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'EBUSY', 'ETXTBSY']);

/** What keeps a file where it is: its owner, a mark of its file system, a program that has it. */
async function stuck(path: string, name: string, error: unknown): Promise<never> {
  const code = codeOf(error);
  const found = OF_ONE_FILE.has(code) ? await look(path, name) : null;
  if (!found) throw error;
  const reason = `it may not be moved out of the folder (${code}). Check its owner and its permissions.`;
  throw new StuckFileError(
    { name, matched: name, version: found.version, reason },
    { cause: error },
  );
}

const NO_UTF8 = 'its name is no UTF-8. Rename it.';

async function filesIn(folder: string, entries: readonly Dirent<Buffer>[]): Promise<ArrivedFile[]> {
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name.toString());
  const found = await Promise.all(names.map((name) => look(join(folder, name), name)));
  return found.filter((file) => file !== null);
}

/** `null` for a file that can be taken, and for what is gone. */
async function oddEntry(folder: string, entry: Dirent<Buffer>): Promise<OddEntry | null> {
  const isText = isUtf8(entry.name);
  if (entry.isFile() && isText) return null;
  const path = Buffer.concat([Buffer.from(`${folder}${sep}`), entry.name]);
  const found = await unlessGone(lstat(path, { bigint: true }));
  const kind = found && otherKind(found);
  if (!found || (kind === undefined && isText)) return null;
  return {
    name: shownName(entry.name),
    matched: entry.name.toString(),
    // A folder changes with what is put into it, and stays the same folder.
    version: kind === undefined ? `${found.ino}@${found.mtimeNs}` : `${found.ino} ${kind}`,
    reason: kind === undefined ? NO_UTF8 : KIND_REASONS[kind],
  };
}

/** A file as it is now; `null` when it is gone, or no file. */
async function look(path: string, name: string): Promise<ArrivedFile | null> {
  const found = await unlessGone(lstat(path, { bigint: true }));
  if (!found?.isFile()) return null;
  return { name, size: Number(found.size), version: `${found.ino}@${found.mtimeNs}` };
}

const PART = '.cardline-part';

/** Moves a file into a folder with what belongs to it, under a name that is free; says which. Can be done again. */
async function putInto(
  folder: string,
  file: ClaimedFile,
  beside: readonly Companion[],
): Promise<string> {
  const own = await identityOf(file.path);
  makeFolder(folder);
  for (let number = 1; ; number++) {
    const name = shelfName(file.name, number);
    const to = join(folder, name);
    const isThere = (await unlessGone(lstat(to))) !== undefined;
    // Its watcher was ended before it was gone here.
    const isOwn = isThere && (await markOf(folder, name)) === own;
    if (isThere && !isOwn) continue;
    const companions = beside.map(({ suffix }) => suffixed(name, suffix));
    const mark = join(folder, `.${name}${PUT_AWAY}`);
    // It says which file it is of.
    await writeFile(mark, [own, ...companions].join('\n'), { mode: 0o600 });
    for (const [index, { from }] of beside.entries()) {
      const path = join(folder, companions[index] ?? name);
      if ('text' in from) await writeFile(path, from.text, { mode: 0o600 });
      // A report that somebody has removed meanwhile does not keep the file here.
      else await unlessGone(copyFile(from.path, path));
    }
    if (isOwn || (await moveFile(file.path, to, join(folder, `.${name}${PART}`)))) {
      await unlessGone(unlink(file.path));
      return to;
    }
  }
}

async function identityOf(path: string): Promise<string> {
  const { dev, ino, size, mtimeNs } = await lstat(path, { bigint: true });
  return [dev, ino, size, mtimeNs].join(' ');
}

async function markOf(folder: string, name: string): Promise<string | undefined> {
  const text = await unlessGone(readFile(join(folder, `.${name}${PUT_AWAY}`), 'utf8'));
  return text?.split('\n', 1)[0];
}

/** How a file system answers that has no second name for a file, or not there. */
const WITHOUT_LINKS: ReadonlySet<string> = new Set([
  'EXDEV',
  'EPERM',
  'ENOTSUP',
  'ENOSYS',
  'EMLINK',
]);

/** Gives a file its second name; across file systems, a copy once it is whole. `false`: the name is taken. */
async function moveFile(from: string, to: string, part: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EEXIST') return false;
    if (!WITHOUT_LINKS.has(code)) throw error;
  }
  if (await unlessGone(lstat(to))) return false;
  try {
    // A file of somebody else's may be moved, where it may neither be linked nor read.
    await rename(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error;
  }
  await copyFile(from, part, constants.COPYFILE_FICLONE);
  await rename(part, to);
  return true;
}

/** Deletes what was put into a folder before an instant, and nothing else. */
async function sweepFolder(folder: string, before: number): Promise<void> {
  const names = (await unlessGone(readdir(folder))) ?? [];
  for (const mark of names.filter((name) => name.endsWith(PUT_AWAY))) {
    const path = join(folder, mark);
    const found = await unlessGone(stat(path));
    if (!found || found.mtimeMs >= before) continue;
    const text = (await unlessGone(readFile(path, 'utf8'))) ?? '';
    for (const name of keptNames(mark, text)) await rm(join(folder, name), { force: true });
    await rm(path, { force: true });
  }
}
