import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { codeOf, CardlineError } from '../../core/errors.js';
import { isDiskFull } from '../../files/disk-full.js';
import { makeFolder } from '../../files/folder.js';
import type { Secrets } from '../pickup/secrets.js';
import type { ClaimedFile } from '../places/place.js';
import { decrypt } from './decrypt.js';
import type { ListFile } from './list-file.js';
import { UnpackError } from './unpack-error.js';
import { listsInZip } from './zip.js';

/** How the names of files end that are packed or encrypted. What they hold decides; this says whether to look. */
const ENDS = { zip: /\.zip$/i, encrypted: /\.(?:pgp|gpg|asc)$/i } as const;

/**
 * The lists of a file: itself, or what it holds. What is unpacked or decrypted lies in `folder`, which `discardUnpacked`
 * removes; what was left there by a watcher that was killed is removed first.
 * @throws UnpackError
 */
export async function unpack(
  file: Pick<ClaimedFile, 'name' | 'path'>,
  folder: string,
  env: Secrets,
  signal: AbortSignal,
): Promise<ListFile[]> {
  await discardUnpacked(folder);
  if (!Object.values(ENDS).some((end) => end.test(file.name)))
    return [{ path: file.path, part: null }];
  try {
    return await unpackInto(file, folder, env, signal);
  } catch (error) {
    const code = codeOf(error);
    if (error instanceof CardlineError || code === '') throw error;
    const why = isDiskFull(error)
      ? 'the disk is full. Free some space'
      : `its folder cannot be written (${code})`;
    throw new UnpackError(`${file.name} cannot be unpacked into ${folder}: ${why}.`, false, {
      cause: error,
    });
  }
}

async function unpackInto(
  file: Pick<ClaimedFile, 'name' | 'path'>,
  folder: string,
  env: Secrets,
  signal: AbortSignal,
): Promise<ListFile[]> {
  makeFolder(folder);
  if (!ENDS.encrypted.test(file.name)) return listsInZip(file.name, file.path, folder);
  const name = basename(file.name.replace(ENDS.encrypted, ''));
  const clear = join(folder, name === '' || name.startsWith('.') ? 'list' : name);
  await decrypt(file, clear, env, signal);
  if (!ENDS.zip.test(name)) return [{ path: clear, part: null }];
  return listsInZip(file.name, clear, join(folder, '.lists'));
}

export async function discardUnpacked(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
