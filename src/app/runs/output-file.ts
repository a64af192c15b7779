import { lstatSync, type Stats } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../../core/errors.js';
import { OutputError } from '../../report/files/output-error.js';

/**
 * The absolute path of a file that may be written anew.
 * @throws UsageError when it is the ledger, or there and no ordinary file: replacing it would break something.
 * @throws OutputError when nobody can tell what is there
 */
export function outputFile(path: string, ledger: string): string {
  const file = resolve(path);
  const found = statusOf(file);
  if (found?.isDirectory()) throw new UsageError(`${file} is a folder. Give the path of a file.`);
  if (found && !found.isFile())
    throw new UsageError(`${file} is no ordinary file, and is not replaced. Give another path.`);
  if (file === resolve(ledger))
    throw new UsageError(`${file} is the ledger itself, and is not replaced. Give another path.`);
  return file;
}

function statusOf(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw new OutputError(file, error);
  }
}
