import { constants } from 'node:fs';
import {
  copyFile,
  link,
  lstat,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../core/errors.js';
import { makeFolder } from '../../files/folder.js';
import { isPlainName, shelfName, suffixed } from './names.js';
import type { ClaimedFile, Companion } from './place.js';
import { unlessGone } from './unless-gone.js';

/** Written beside each file that is put away, so that a sweep deletes nothing else. Holds which file it is. */
const PUT_AWAY = '.cardline-kept';
const PART = '.cardline-part';

/** Moves a file into a folder with what belongs to it, under a name that is free; says which. Can be done again. */
export async function putInto(
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
    await writeFile(mark, [own, ...companions].join('\n'), { mode: 0o600 });
    for (const [index, { from }] of beside.entries())
      await writeCompanion(join(folder, companions[index] ?? name), from);
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

async function writeCompanion(path: string, from: Companion['from']): Promise<void> {
  if ('text' in from) await writeFile(path, from.text, { mode: 0o600 });
  // A report that somebody has removed meanwhile does not keep the file here.
  else await unlessGone(copyFile(from.path, path));
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
export async function sweepFolder(folder: string, before: number): Promise<void> {
  const names = (await unlessGone(readdir(folder))) ?? [];
  for (const mark of names.filter((name) => name.endsWith(PUT_AWAY))) {
    const path = join(folder, mark);
    const found = await unlessGone(stat(path));
    if (!found || found.mtimeMs >= before) continue;
    const [, ...companions] = ((await unlessGone(readFile(path, 'utf8'))) ?? '').split('\n');
    const own = [mark.slice(1, -PUT_AWAY.length), ...companions].filter(isPlainName);
    for (const name of own) await rm(join(folder, name), { force: true });
    await rm(path, { force: true });
  }
}
