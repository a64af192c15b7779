import { createWriteStream } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CardlineError, codeOf } from '../../core/errors.js';
import { isDiskFull, makeFolder, type OtherKind, unlessGone } from '../../files/regular-file.js';
import {
  type Arrived,
  type ArrivedFile,
  type ClaimedFile,
  type Companion,
  isPlainName,
  keptNames,
  KIND_REASONS,
  MAX_TEXT_BYTES,
  PUT_AWAY,
  type Place,
  PlaceError,
  type PlaceMemory,
  type Shelf,
  shelfName,
  suffixed,
  WORK,
  workFolder,
} from './place.js';

/** What cannot be asked for by the name that the server gave: it is no UTF-8, or leads elsewhere. */
const isTakeable = (name: string): boolean => isPlainName(name) && !name.includes('\ufffd');
const NO_NAME = 'its name is no UTF-8, or none of a file in this folder. Rename it.';

interface RemoteSettings {
  /** Folder in which files arrive. */
  readonly folder: string;
  /** Name of the pickup: several may share a folder. */
  readonly name: string;
  readonly shelves: Readonly<Record<Shelf, string>>;
  readonly store: RemoteStore;
  readonly memory: PlaceMemory;
  /** Folder on this machine for what is fetched. */
  readonly work: string;
}

/**
 * A folder on a server. A file is claimed by moving it, where moves are at once and permitted; else it stays where it is,
 * and what was put away is remembered by its version.
 */
export class RemotePlace implements Place {
  readonly words: string;
  readonly #work: string;
  readonly #shelves: Readonly<Record<Shelf, string>>;

  constructor(private readonly settings: RemoteSettings) {
    const { store, folder, name, shelves } = settings;
    this.words = store.words;
    this.#work = posix.join(folder, WORK, name);
    const shelf = (own: string): string => (own.startsWith('/') ? own : posix.join(folder, own));
    this.#shelves = { good: shelf(shelves.good), bad: shelf(shelves.bad) };
  }

  async list(): Promise<Arrived> {
    const { store, folder, memory } = this.settings;
    const found = await store.list(folder);
    if (!found) throw new PlaceError(`${this.words}: there is no such folder. Check the address.`);
    const kept = await memory.kept();
    const versions = new Map(found.files.map(({ name, version }) => [name, version]));
    // What is gone, or has come anew, is no longer the file that was put away.
    for (const [name, version] of kept)
      if (versions.get(name) !== version) await memory.forget(name);
    const misnamed = found.files
      .filter(({ name }) => !isTakeable(name))
      .map(({ name, version }) => ({ name, version, reason: NO_NAME }));
    const own = Object.values(this.#shelves);
    const isOwn = (name: string): boolean =>
      own.some((shelf) => `${shelf}/`.startsWith(`${posix.join(folder, name)}/`));
    const others = found.others
      .filter(({ name }) => !isOwn(name))
      .map(({ name, kind }) => ({ name, version: kind, reason: KIND_REASONS[kind] }));
    return {
      files: found.files.filter(
        ({ name, version }) => isTakeable(name) && kept.get(name) !== version,
      ),
      odd: [...misnamed, ...others]
        .filter(({ name }) => !name.startsWith('.'))
        .map((entry) => ({ ...entry, matched: entry.name })),
    };
  }

  async claimed(): Promise<ArrivedFile[]> {
    if (!this.settings.store.movesAtOnce) return [];
    const found = await this.settings.store.list(this.#work);
    return (found?.files ?? []).filter(({ name }) => isPlainName(name) && !name.startsWith('.'));
  }

  async readText(name: string): Promise<string | null> {
    const { store, folder } = this.settings;
    const path = posix.join(folder, name);
    if (!(await store.look(path))) return null;
    return textOf(store, path, MAX_TEXT_BYTES);
  }

  async take({ name, version }: ArrivedFile): Promise<boolean> {
    const { store, folder } = this.settings;
    const from = posix.join(folder, name);
    if (store.movesAtOnce && (await store.makeFolder(this.#work))) {
      const moved = await store.move(from, posix.join(this.#work, name));
      if (moved !== 'forbidden') return moved === 'moved';
    }
    return (await store.look(from))?.version === version;
  }

  async fetch(file: ArrivedFile, signal: AbortSignal): Promise<ClaimedFile | null> {
    const { store, work } = this.settings;
    const found = await this.#find(file.name);
    if (!found) return null;
    const folder = workFolder(work, 'fetched', file.name);
    try {
      return await fetchInto(folder, store, found.path, found.file, signal);
    } catch (error) {
      if (error instanceof CardlineError || codeOf(error) === '') throw error;
      const isFull = isDiskFull(error);
      // The ledger and the state need room there, too.
      if (isFull) await rm(folder, { recursive: true, force: true });
      const why = isFull
        ? 'the disk is full here. Free some space; it is fetched anew'
        : `it cannot be written here (${codeOf(error)}). Check the rights of the folder`;
      throw new PlaceError(
        `${this.words}: ${file.name} cannot be fetched into ${folder}: ${why}.`,
        { cause: error },
      );
    }
  }

  /** Where a file is that was claimed: taken out, or where it arrived. */
  async #find(name: string): Promise<{ path: string; file: RemoteFile; isOut: boolean } | null> {
    const { store, folder } = this.settings;
    for (const parent of store.movesAtOnce ? [this.#work, folder] : [folder]) {
      const path = posix.join(parent, name);
      const file = await store.look(path);
      if (file) return { path, file, isOut: parent === this.#work };
    }
    return null;
  }

  async putAway(file: ClaimedFile, shelf: Shelf, beside: readonly Companion[]): Promise<string> {
    const { work } = this.settings;
    const where = await this.#moveAway(file, this.#shelves[shelf], beside);
    await rm(workFolder(work, 'fetched', file.name), { recursive: true, force: true });
    return where;
  }

  async #moveAway(
    file: ClaimedFile,
    folder: string,
    beside: readonly Companion[],
  ): Promise<string> {
    const { store } = this.settings;
    const found = await this.#find(file.name);
    if (!found) return folder;
    // Its sender has put another one there meanwhile, which is taken next.
    if (!found.isOut && found.file.version !== file.version) return 'where a newer one has come';
    if (!(await store.makeFolder(folder))) return this.#keep(file);
    for (let number = 1; ; number++) {
      const name = shelfName(file.name, number);
      const to = posix.join(folder, name);
      const mark = posix.join(folder, `.${name}${PUT_AWAY}`);
      const there = await store.look(to);
      if (there && !(await this.#isCopy(there, found.file, mark))) continue;
      const companions = beside.map(({ suffix }) => suffixed(name, suffix));
      await store.write(mark, Buffer.from(['', ...companions].join('\n')));
      for (const [index, { from }] of beside.entries()) {
        // A report that somebody has removed meanwhile does not keep the file here.
        const content =
          'text' in from ? Buffer.from(from.text) : await unlessGone(readFile(from.path));
        if (content) await store.write(posix.join(folder, companions[index] ?? name), content);
      }
      const moved = await store.move(found.path, to);
      if (moved === 'forbidden') return this.#keep(file);
      if (moved !== 'taken') return `${this.words}: ${to}`;
    }
  }

  /** Its watcher was ended when it was copied, and not yet deleted. */
  async #isCopy(there: RemoteFile, own: RemoteFile, mark: string): Promise<boolean> {
    const { store } = this.settings;
    return !store.movesAtOnce && there.version === own.version && !!(await store.look(mark));
  }

  /** Files may not be moved: this one is not taken again. */
  async #keep({ name, version }: ClaimedFile): Promise<string> {
    await this.settings.memory.keep(name, version);
    return `where it was, in ${this.words}: it may not be moved, and is remembered`;
  }

  discard(name: string): Promise<void> {
    return this.settings.store.remove(posix.join(this.settings.folder, name));
  }

  async sweep(before: number): Promise<void> {
    const { store } = this.settings;
    for (const folder of Object.values(this.#shelves))
      for (const { name: mark, changedAt } of (await store.list(folder))?.files ?? []) {
        if (!mark.endsWith(PUT_AWAY) || changedAt >= before) continue;
        const path = posix.join(folder, mark);
        const names = keptNames(mark, await textOf(store, path));
        for (const name of [...names, mark]) await store.remove(posix.join(folder, name));
      }
  }

  async check(): Promise<string | null> {
    const { store, folder } = this.settings;
    await this.list();
    return (await store.mayWrite(folder))
      ? null
      : 'it can be read only: what was taken is remembered, and stays where it is';
  }

  close(): Promise<void> {
    return this.settings.store.close();
  }
}

/** A file that holds text, or its beginning. */
async function textOf(store: RemoteStore, path: string, maxBytes = Infinity): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of await store.read(path, 0)) {
    const bytes = Buffer.from(part as Uint8Array);
    parts.push(bytes);
    length += bytes.length;
    if (length >= maxBytes) break;
  }
  return Buffer.concat(parts).subarray(0, maxBytes).toString('utf8');
}

const LIST = 'list';
const VERSION = 'version';

/**
 * Fetches a file, going on behind what was fetched before of the same version; `null` when it has changed meanwhile.
 * @throws PlaceError
 */
async function fetchInto(
  folder: string,
  store: RemoteStore,
  path: string,
  file: RemoteFile,
  signal: AbortSignal,
): Promise<ClaimedFile | null> {
  makeFolder(folder);
  const [local, version] = [join(folder, LIST), join(folder, VERSION)];
  const known = await unlessGone(readFile(version, 'utf8'));
  if (known !== file.version) {
    await rm(local, { force: true });
    await writeFile(version, file.version, { mode: 0o600 });
  }
  const start = (await unlessGone(stat(local)))?.size ?? 0;
  if (start < file.size || file.size === 0)
    await append(store, path, file.size, local, start, signal);
  const now = await store.look(path);
  const { size } = await stat(local);
  if (now?.version === file.version && size === file.size) return { ...file, path: local };
  await rm(folder, { recursive: true, force: true });
  if (now?.version !== file.version) return null;
  throw new PlaceError(
    `${store.words}: ${file.name} has ${size} bytes here and ${file.size} there. It is fetched again.`,
  );
}

/** No more than a file is said to hold, and one byte that shows that it holds more. */
async function* limited(
  pieces: AsyncIterable<Uint8Array>,
  bytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let left = bytes + 1;
  for await (const piece of pieces) {
    yield piece.subarray(0, left);
    left -= piece.length;
    if (left <= 0) return;
  }
}

async function append(
  store: RemoteStore,
  path: string,
  size: number,
  local: string,
  start: number,
  signal: AbortSignal,
): Promise<void> {
  try {
    const from = await store.read(path, start);
    const to = createWriteStream(local, { flags: 'a', mode: 0o600 });
    await pipeline(from, (pieces) => limited(pieces, size - start), to, { signal });
  } catch (error) {
    if (error instanceof PlaceError || isDiskFull(error)) throw error;
    const code = codeOf(error);
    throw new PlaceError(
      `${store.words}: the connection was lost${code === '' ? '' : ` (${code})`}; it is gone on with.`,
      { cause: error },
    );
  }
}

/** A file on a server. */
export interface RemoteFile extends ArrivedFile {
  /** When it was changed, in milliseconds since the epoch, by the server's clock. */
  readonly changedAt: number;
}

/** What a folder on a server holds. */
export interface RemoteListing {
  readonly files: readonly RemoteFile[];
  /** What is no file, with what it is. */
  readonly others: readonly { readonly name: string; readonly kind: OtherKind }[];
}

/** How a move went. `taken`: there is a file of that name; `forbidden`: files may not be moved there. */
export type Moved = 'moved' | 'gone' | 'taken' | 'forbidden';

/** Files on a server, by their paths. Every method throws a PlaceError when it does not answer. */
export interface RemoteStore {
  /** For people. */
  readonly words: string;
  /** Whether moving a file is at once, so that of two who do it one succeeds. */
  readonly movesAtOnce: boolean;
  /** `null` when there is no such folder. */
  list(folder: string): Promise<RemoteListing | null>;
  look(path: string): Promise<RemoteFile | null>;
  /** What a file holds from an offset on. */
  read(path: string, start: number): Promise<Readable>;
  /** Writes a file as a whole, in place of one that is there. */
  write(path: string, content: Buffer): Promise<void>;
  /** Where it is at once, it never replaces a file; else the caller has looked whether there is one. */
  move(from: string, to: string): Promise<Moved>;
  remove(path: string): Promise<void>;
  /** Makes a folder and its parents; `false`: it may not be made. */
  makeFolder(path: string): Promise<boolean>;
  /** Makes something and removes it again; `false`: it may not be made. */
  mayWrite(folder: string): Promise<boolean>;
  close(): Promise<void>;
}
