import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { ListFile } from './list-file.js';

/** What makes a list of a file that is read where it is. */
export async function listOf(file: string): Promise<Pick<ListFile, 'name' | 'path' | 'bytes'>> {
  const path = resolve(file);
  return { name: basename(path), path, bytes: (await stat(path)).size };
}
