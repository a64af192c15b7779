import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { UsageError } from '../../core/errors.js';
import { makeFolder } from '../../files/folder.js';
import { refuseOtherPlace } from '../../files/own-file.js';
import type { ScheduleFile } from './schedule.js';

/**
 * Writes the files to a folder, from which they are installed; returns their paths.
 * @param force whether a file with another text is replaced
 * @throws UsageError where one may not be; nothing is written then
 */
export async function writeSchedule(
  files: readonly ScheduleFile[],
  folder: string,
  force: boolean,
): Promise<string[]> {
  makeFolder(folder);
  const targets = files.map(({ path, text }) => ({ path: join(folder, basename(path)), text }));
  for (const { path, text } of targets) {
    refuseOtherPlace(path);
    if (force || !existsSync(path) || (await readFile(path, 'utf8')) === text) continue;
    throw new UsageError(
      `${path} exists already, with another text, and was left as it is. Give another folder with -o, or --force to replace it.`,
    );
  }
  for (const { path, text } of targets) await writeFile(path, text);
  return targets.map(({ path }) => path);
}
