import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { codeOf, CardlineError } from '../../../core/errors.js';
import { isDiskFull } from '../../../files/disk-full.js';
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
 * Fetches a file, going on behind what was fetched before of the same version; `null` when it has changed meanwhile. What
 * was fetched onto a disk that is full then is deleted: the ledger and the state need room there, too.
 * @throws PlaceError
 */
export async function fetchFile(
  ports: FetchPorts,
  path: string,
  file: RemoteFile,
): Promise<ClaimedFile | null> {
  const folder = fetchedFolder(ports.work, file.name);
  try {
    return await fetchInto(folder, ports, path, file);
  } catch (error) {
    if (error instanceof CardlineError || codeOf(error) === '') throw error;
    const isFull = isDiskFull(error);
    if (isFull) await rm(folder, { recursive: true, force: true });
    const why = isFull
      ? 'the disk is full here. Free some space; it is fetched anew'
      : `it cannot be written here (${codeOf(error)}). Check the rights of the folder`;
    throw new PlaceError(
      `${ports.store.words}: ${file.name} cannot be fetched into ${folder}: ${why}.`,
      { cause: error },
    );
  }
}

async function fetchInto(
  folder: string,
  { store, signal }: FetchPorts,
  path: string,
  file: RemoteFile,
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
    await append(store, { path, size: file.size }, local, start, signal);
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
  { path, size }: { readonly path: string; readonly size: number },
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
