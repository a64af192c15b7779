import { lstat, readdir } from 'node:fs/promises';
import { isAbsolute, sep } from 'node:path';
import { codeOf } from '../core/errors.js';

/** What stands in a text for bytes that are no UTF-8. */
const REPLACED = '\ufffd';

/** Whether a name of a file system is UTF-8, so that it can be given as text. */
export const isUtf8 = (name: Buffer): boolean => Buffer.from(name.toString()).equals(name);

/** A name as text from which it can be told: bytes that are no UTF-8 stand as `\xE4`. */
export function shownName(name: Buffer): string {
  if (isUtf8(name)) return name.toString();
  let text = '';
  for (let at = 0; at < name.length;) {
    const length = [1, 2, 3, 4].find((bytes) => isUtf8(name.subarray(at, at + bytes)));
    const sign = name.subarray(at, at + (length ?? 1));
    text += length === undefined ? `\\x${sign.toString('hex').toUpperCase()}` : sign.toString();
    at += sign.length;
  }
  return text;
}

/**
 * The paths that a text may stand for. Arguments of a program reach it as text, in which bytes that are no UTF-8 are
 * replaced: where there is nothing of exactly that name, the folders are searched for those that become it.
 * @returns none where there is no such file
 */
export async function pathsOf(path: string): Promise<Buffer[]> {
  if (!path.includes(REPLACED) || (await isThere(Buffer.from(path)))) return [Buffer.from(path)];
  let found: Buffer[] = [Buffer.from(isAbsolute(path) ? sep : `.${sep}`)];
  for (const part of path.split(sep).filter((name) => name !== '')) {
    const next: Buffer[] = [];
    for (const folder of found) next.push(...(await entriesOf(folder, part)));
    found = next;
  }
  return found;
}

async function entriesOf(folder: Buffer, part: string): Promise<Buffer[]> {
  const below = (name: Buffer): Buffer =>
    Buffer.concat([
      folder,
      folder.at(-1) === sep.charCodeAt(0) ? Buffer.of() : Buffer.from(sep),
      name,
    ]);
  if (!part.includes(REPLACED)) {
    const path = below(Buffer.from(part));
    return (await isThere(path)) ? [path] : [];
  }
  try {
    const names = await readdir(folder, { encoding: 'buffer' });
    return names.filter((name) => name.toString() === part).map(below);
  } catch (error) {
    // A file, or a folder that may not be read: nothing is found in it.
    if (codeOf(error) === '') throw error;
    return [];
  }
}

async function isThere(path: Buffer): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === '') throw error;
    return false;
  }
}
