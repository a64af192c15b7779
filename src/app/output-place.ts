import { lstatSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../core/errors/errors.js';

/**
 * Makes sure that a file which a person goes on to work with is not lost: nothing is there, or it may be replaced.
 * @returns the absolute path, and whether something is there
 * @throws UsageError when something is there that may not be replaced
 */
export function outputPlace(
  path: string,
  force: boolean,
): { readonly file: string; readonly isThere: boolean } {
  const file = resolve(path);
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw new UsageError(`${path} is a folder. Give the path of a file.`);
  if (found && !force)
    throw new UsageError(
      `${path} exists already, and was left as it is. Give another path with -o, or --force to replace it.`,
    );
  return { file, isThere: found !== undefined };
}
