import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { headerName } from '../../../core/cell-text.js';
import { headersOf } from '../../../setup/columns.js';
import { readMappingText, mappingFile } from '../../../setup/mappings.js';
import { codeOf } from '../../../core/errors.js';
import { type SourceChoice, sourceChoiceSchema } from '../../shared/list.js';
import { noInstallation } from '../refusal.js';
import type { SiteBase } from '../site-base.js';
import type { ListFile } from './list-file.js';
import { LAST_FOLDER, type StoredList } from './lists.js';
import { savedFolder } from './saved-folder.js';
import { sourceOptions } from './source-options.js';

type LastSite = Pick<SiteBase, 'settings' | 'lists' | 'tables'>;

/** The mapping that a file with certain columns was last imported or saved with. */
const keptSchema = z.object({
  version: z.literal(1),
  installation: z.string(),
  /** Without white space at their ends, in the order of the alphabet. */
  headers: z.array(z.string()),
  source: sourceChoiceSchema,
  /** Name under which it was saved. */
  mapping: z.string().nullable(),
  text: z.string(),
});
type Kept = z.output<typeof keptSchema> & { readonly keptAt: number };

/** Of so many kinds of files; the oldest go. */
const MAX_KEPT = 50;

/** Keeps the mapping of a list for the next file with its columns, from other people. */
export async function keepLastMapping(
  site: LastSite,
  list: StoredList,
  text: string,
): Promise<void> {
  const { center } = site.settings;
  const { file, name, source, mapping } = list;
  const known = { file, name, source: sourceOptions(source), tables: site.tables };
  const headers = sortedNames((await headersOf(known)) ?? []);
  if (!center || headers.length === 0) return;
  const { installation } = center;
  const kept = { version: 1, installation, headers, source, mapping, text };
  const folder = folderOf(site);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const key = createHash('sha256')
    .update(JSON.stringify([installation, headers]))
    .digest('hex');
  const next = join(folder, `${randomBytes(9).toString('hex')}.new`);
  await writeFile(next, JSON.stringify(kept), { mode: 0o600 });
  await rename(next, join(folder, `${key.slice(0, 32)}.json`));
  const old = (await filesIn(folder)).slice(MAX_KEPT);
  await Promise.all(old.map(({ path }) => rm(path, { force: true })));
}

/** What a list begins with like the last one. */
export interface LastMapping extends Pick<ListFile, 'mapping' | 'mappingFile'> {
  readonly text: string;
}

/** The mapping that the last file with the columns of a list had; `undefined` where there was none. */
export async function lastMapping(
  site: LastSite,
  list: StoredList,
): Promise<LastMapping | undefined> {
  const { file, name } = list;
  for (const { path, keptAt } of await filesIn(folderOf(site))) {
    const kept = await keptIn(path);
    if (kept?.installation !== site.settings.center?.installation || !kept) continue;
    const source = sourceOptions(chosenOver(list.source, kept.source));
    const headers = await headersOf({ file, name, source, tables: site.tables });
    if (headers && JSON.stringify(sortedNames(headers)) === JSON.stringify(kept.headers))
      return asSaved(site, { ...kept, keptAt });
  }
  return undefined;
}

const folderOf = ({ lists }: LastSite): string => join(lists.folder, LAST_FOLDER);

const sortedNames = (headers: readonly string[]): string[] => headers.map(headerName).sort();

/** What was chosen for a list wins over what was chosen for the last one. */
const chosenOver = (chosen: SourceChoice, last: SourceChoice): SourceChoice => ({
  sheet: chosen.sheet ?? last.sheet,
  headerRow: chosen.headerRow ?? last.headerRow,
  encoding: chosen.encoding ?? last.encoding,
  delimiter: chosen.delimiter ?? last.delimiter,
});

/** Where it was saved under a name, and that has been changed since, what was saved is newer. */
async function asSaved(site: LastSite, kept: Kept): Promise<LastMapping> {
  const { center } = site.settings;
  const { mapping, text, keptAt } = kept;
  const none = { text, mapping: null, mappingFile: null };
  if (mapping === null) return none;
  if (!center) throw noInstallation();
  const file = mappingFile(savedFolder(center, site.settings), mapping);
  const saved = await stat(file).catch(unlessGone);
  if (!saved) return none;
  const own = await readMappingText(file);
  if (saved.mtimeMs > keptAt) return { text: own, mapping, mappingFile: file };
  return { text, mapping, mappingFile: own === text ? file : null };
}

/** `undefined` where it is gone, or was kept by another version. */
async function keptIn(path: string): Promise<z.output<typeof keptSchema> | undefined> {
  const text = await readFile(path, 'utf8').catch(unlessGone);
  return text === undefined ? undefined : keptSchema.safeParse(JSON.parse(text)).data;
}

/** The latest first. */
async function filesIn(folder: string): Promise<{ path: string; keptAt: number }[]> {
  const names = (await readdir(folder).catch(unlessGone)) ?? [];
  const files = names.filter((name) => name.endsWith('.json')).map((name) => join(folder, name));
  const found = await Promise.all(
    files.map(async (path) => ({ path, keptAt: (await stat(path).catch(unlessGone))?.mtimeMs })),
  );
  return found
    .flatMap(({ path, keptAt }) => (keptAt === undefined ? [] : [{ path, keptAt }]))
    .sort((a, b) => b.keptAt - a.keptAt);
}

function unlessGone(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}
