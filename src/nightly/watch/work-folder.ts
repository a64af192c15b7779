import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { unlessGone } from '../places/unless-gone.js';
import { discardUnpacked } from '../unpack/unpack.js';

const END = '.lists';

/** Where the lists of a file are unpacked: the same after a restart, whatever the file is called. */
export const workFolder = (work: string, file: string): string =>
  join(work, `${createHash('sha256').update(file).digest('hex').slice(0, 32)}${END}`);

/** Deletes what watchers that were killed have unpacked. `held`: files that others work on now. */
export async function discardLeftovers(work: string, held: readonly string[]): Promise<void> {
  const kept = new Set(held.map((file) => workFolder(work, file)));
  for (const name of (await unlessGone(readdir(work))) ?? []) {
    const path = join(work, name);
    if (name.endsWith(END) && !kept.has(path)) await discardUnpacked(path);
  }
}
