import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { correctionsPath } from '../lists/corrections.js';
import type { StoredList } from '../lists/lists.js';
import type { SiteBase } from '../site-base.js';
import { readMapping } from '../lists/mapping.js';

/** What a check was made of. */
export interface Revisions {
  /** Of all that a check depends on. */
  readonly revision: string;
  /** Of the mapping alone. */
  readonly mapping: string;
}

/** @throws as `readMapping` does, and what the file system says of a file that is gone */
export async function revisionsOf(
  list: StoredList,
  site: Pick<SiteBase, 'lists' | 'settings' | 'tables'>,
): Promise<Revisions> {
  const { revision: mapping } = await readMapping(site, list);
  const corrections = await correctionsPath(list);
  const files = [list.file, corrections, site.settings.center?.installation];
  const states = await Promise.all(files.map(stateOf));
  const all = JSON.stringify([mapping, list.source, ...states]);
  return { mapping, revision: createHash('sha256').update(all).digest('hex').slice(0, 16) };
}

/** Changes when the file does. Reading a large one for its digest would take as long as checking it. */
export async function stateOf(file: string | undefined): Promise<string> {
  if (file === undefined) return '';
  const { size, mtimeMs } = await stat(file);
  return `${size} ${mtimeMs}`;
}
