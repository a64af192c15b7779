import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const INDEX = /^check-\w+\.index$/;
/** An index that nobody has written to for so long was left by a server that was killed, in milliseconds. */
const LEFT_MS = 60 * 60 * 1000;

/** Removes the indexes of checks that a killed server has left. One that is in use where it is not removed stays. */
export async function removeOldIndexes(folder: string, now = Date.now()): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!INDEX.test(name)) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    // Where an open file cannot be removed, it goes with its own server or with the list.
    if (found && now - found.mtimeMs > LEFT_MS) await rm(path, { force: true }).catch(() => null);
  }
}
