import { readFile, rm } from 'node:fs/promises';
import { posix } from 'node:path';
import {
  KIND_REASONS,
  PlaceError,
  type ArrivedFile,
  type ClaimedFile,
  type Companion,
  type OddEntry,
  type Place,
  type PlaceMemory,
  type Shelf,
} from '../place.js';
import { isPlainName, shelfName, suffixed, WORK } from '../names.js';
import { unlessGone } from '../unless-gone.js';
import { fetchedFolder, fetchFile } from './fetch.js';
import type { RemoteFile, RemoteStore } from './store.js';

/** Written beside each file that is put away, so that a sweep deletes nothing else. Holds what belongs to it. */
const PUT_AWAY = '.cardline-kept';
const MAX_TEXT_BYTES = 64 * 1024;

/** What cannot be asked for by the name that the server gave: it is no UTF-8, or leads elsewhere. */
const isTakeable = (name: string): boolean => isPlainName(name) && !name.includes('\ufffd');
const NO_NAME = 'its name is no UTF-8, or none of a file in this folder. Rename it.';

export interface RemoteSettings {
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
  /** What the latest `list` found, for `odd` of the same look. */
  #listed: readonly RemoteFile[] | null = null;

  constructor(private readonly settings: RemoteSettings) {
    const { store, folder, name, shelves } = settings;
    this.words = store.words;
    this.#work = posix.join(folder, WORK, name);
    const shelf = (own: string): string => (own.startsWith('/') ? own : posix.join(folder, own));
    this.#shelves = { good: shelf(shelves.good), bad: shelf(shelves.bad) };
  }

  async list(): Promise<ArrivedFile[]> {
    const { store, folder, memory } = this.settings;
    const files = await store.list(folder);
    if (!files) throw new PlaceError(`${this.words}: there is no such folder. Check the address.`);
    this.#listed = files;
    const kept = await memory.kept();
    const versions = new Map(files.map(({ name, version }) => [name, version]));
    // What is gone, or has come anew, is no longer the file that was put away.
    for (const [name, version] of kept)
      if (versions.get(name) !== version) await memory.forget(name);
    return files.filter(({ name, version }) => isTakeable(name) && kept.get(name) !== version);
  }

  async odd(): Promise<OddEntry[]> {
    const { store, folder } = this.settings;
    const files = this.#listed ?? (await store.list(folder)) ?? [];
    this.#listed = null;
    const misnamed = files
      .filter(({ name }) => !isTakeable(name) && !name.startsWith('.'))
      .map(({ name, version }) => ({ name, matched: name, version, reason: NO_NAME }));
    const own = Object.values(this.#shelves);
    const isOwn = (name: string): boolean =>
      own.some((shelf) => `${shelf}/`.startsWith(`${posix.join(folder, name)}/`));
    const others = (await store.others(folder))
      .filter(({ name }) => !name.startsWith('.') && !isOwn(name))
      .map(({ name, kind }) => ({
        name,
        matched: name,
        version: kind,
        reason: KIND_REASONS[kind],
      }));
    return [...misnamed, ...others];
  }

  async claimed(): Promise<ArrivedFile[]> {
    if (!this.settings.store.movesAtOnce) return [];
    const files = (await this.settings.store.list(this.#work)) ?? [];
    return files.filter(({ name }) => isPlainName(name) && !name.startsWith('.'));
  }

  async readText(name: string): Promise<string | null> {
    const { store, folder } = this.settings;
    const path = posix.join(folder, name);
    if (!(await store.look(path))) return null;
    const parts: Buffer[] = [];
    let length = 0;
    for await (const part of await store.read(path, 0)) {
      parts.push(Buffer.from(part as Uint8Array));
      length += parts.at(-1)?.length ?? 0;
      if (length >= MAX_TEXT_BYTES) break;
    }
    return Buffer.concat(parts).subarray(0, MAX_TEXT_BYTES).toString('utf8');
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
    return fetchFile({ store, work, signal }, found.path, found.file);
  }

  /** Where a file is that was claimed: taken out, or where it arrived. */
  async #find(name: string): Promise<{ path: string; file: RemoteFile; isOut: boolean } | null> {
    const { store, folder } = this.settings;
    for (const [parent, isOut] of [
      [this.#work, true],
      [folder, false],
    ] as const) {
      const path = posix.join(parent, name);
      const file = isOut && !store.movesAtOnce ? null : await store.look(path);
      if (file) return { path, file, isOut };
    }
    return null;
  }

  async putAway(file: ClaimedFile, shelf: Shelf, beside: readonly Companion[]): Promise<string> {
    const { work } = this.settings;
    const where = await this.#moveAway(file, this.#shelves[shelf], beside);
    await rm(fetchedFolder(work, file.name), { recursive: true, force: true });
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
        const content = 'text' in from ? Buffer.from(from.text) : await contentOf(from.path);
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
      for (const { name: mark, changedAt } of (await store.list(folder)) ?? []) {
        if (!mark.endsWith(PUT_AWAY) || changedAt >= before) continue;
        const path = posix.join(folder, mark);
        const [, ...companions] = (await textOf(store, path)).split('\n');
        const own = [mark.slice(1, -PUT_AWAY.length), ...companions].filter(isPlainName);
        for (const name of [...own, mark]) await store.remove(posix.join(folder, name));
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

/** A report that somebody has removed meanwhile does not keep the file here. */
const contentOf = (path: string): Promise<Buffer | undefined> => unlessGone(readFile(path));

async function textOf(store: RemoteStore, path: string): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of await store.read(path, 0)) parts.push(Buffer.from(part as Uint8Array));
  return Buffer.concat(parts).toString('utf8');
}
