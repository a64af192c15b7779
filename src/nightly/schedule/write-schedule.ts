import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { makeFolder } from '../../files/folder.js';
import { refuseOtherPlace } from '../../files/own-file.js';
import type { ScheduleFile } from './schedule.js';

/** Writes the files to a folder, from which they are installed; returns their paths. */
export async function writeSchedule(
  files: readonly ScheduleFile[],
  folder: string,
): Promise<string[]> {
  makeFolder(folder);
  const paths: string[] = [];
  for (const { path, text } of files) {
    const target = join(folder, basename(path));
    refuseOtherPlace(target);
    await writeFile(target, text);
    paths.push(target);
  }
  return paths;
}
