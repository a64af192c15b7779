import { InputError } from '../../core/errors.js';
import { makeFolder } from '../../files/folder.js';
import { unpackZip } from '../../source/archive/zip-lists.js';
import type { ListFile } from './list-file.js';
import { UnpackError } from './unpack-error.js';

/** The lists of a zip file, unpacked into a folder, in the order of their names. @throws UnpackError */
export async function listsInZip(name: string, path: string, folder: string): Promise<ListFile[]> {
  makeFolder(folder);
  const lists = await unpackZip(path, folder).catch((error: unknown) => {
    if (!(error instanceof InputError)) throw error;
    throw new UnpackError(`${name} cannot be unpacked: ${error.reason}`, true, { cause: error });
  });
  if (lists.length === 0) throw new UnpackError(`${name} holds no list.`, true);
  return lists.map((list) => ({ path: list.path, part: list.name }));
}
