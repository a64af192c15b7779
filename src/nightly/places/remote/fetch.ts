import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { codeOf } from '../../../core/errors/error-code.js';
import { makeFolder } from '../../../files/folder.js';
import { type ClaimedFile, PlaceError } from '../place.js';
import { unlessGone } from '../unless-gone.js';
import type { RemoteFile, RemoteStore } from './store.js';

const END = '.fetched';
const LIST = 'list';
const VERSION = 'version';

/** Where a file lies that was fetched, or that is being fetched. */
export const fetchedFolder = (work: string, name: string): string =>
  join(work, `${createHash('sha256').update(name).digest('hex').slice(0, 32)}${END}`);

/** Deletes what was fetched of files that are no longer there. */
export async function discardFetched(work: string, names: readonly string[]): Promise<void> {
  const kept = new Set(names.map((name) => fetchedFolder(work, name)));
  for (const name of (await unlessGone(readdir(work))) ?? []) {
    const path = join(work, name);
    if (name.endsWith(END) && !kept.has(path)) await rm(path, { recursive: true, force: true });
  }
}

export interface FetchPorts {
  readonly store: RemoteStore;
  readonly work: string;
  readonly signal: AbortSignal;
}

/**
 * Fetches a file, going on behind what was fetched before of the same version; `null` when it has changed meanwhile.
 * @throws PlaceError
 */
export async function fetchFile(
  { store, work, signal }: FetchPorts,
  path: string,
  file: RemoteFile,
): Promise<ClaimedFile | null> {
  const folder = fetchedFolder(work, file.name);
  makeFolder(folder);
  const [local, version] = [join(folder, LIST), join(folder, VERSION)];
  const known = await unlessGone(readFile(version, 'utf8'));
  if (known !== file.version) {
    await rm(local, { force: true });
    await writeFile(version, file.version, { mode: 0o600 });
  }
  const start = (await unlessGone(stat(local)))?.size ?? 0;
  if (start < file.size || file.size === 0) await append(store, path, local, start, signal);
  const now = await store.look(path);
  const { size } = await stat(local);
  if (now?.version === file.version && size === file.size) return { ...file, path: local };
  await rm(folder, { recursive: true, force: true });
  if (now?.version !== file.version) return null;
  throw new PlaceError(
    `${store.words}: ${file.name} has ${size} bytes here and ${file.size} there. It is fetched again.`,
  );
}

async function append(
  store: RemoteStore,
  path: string,
  local: string,
  start: number,
  signal: AbortSignal,
): Promise<void> {
  try {
    const from = await store.read(path, start);
    await pipeline(from, createWriteStream(local, { flags: 'a', mode: 0o600 }), { signal });
  } catch (error) {
    if (error instanceof PlaceError) throw error;
    const code = codeOf(error);
    const why =
      code === 'ENOSPC'
        ? `the disk is full here, at ${local}`
        : `the connection was lost${code === '' ? '' : ` (${code})`}; it is gone on with`;
    throw new PlaceError(`${store.words}: ${why}.`, { cause: error });
  }
}
