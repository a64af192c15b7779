import { createHash } from 'node:crypto';
import { readFile, rm, readdir, stat } from 'node:fs/promises';
import {
  suggestedMapping,
  headersOf,
  type ChosenSource,
  isReadable,
  sourceIn,
  type WholeSource,
  withSource,
  readMappingText,
  mappingFile,
  mappingsFolder,
} from '../../../setup/columns.js';
import { makeFolder, unlessGone } from '../../../files/regular-file.js';
import { type SourceChoice, sourceChoiceSchema } from '../../shared/routes.js';
import { refusal } from '../problem.js';
import { centerOf, type SiteBase, type SiteSettings } from '../settings.js';
import {
  type ListFile,
  type Lists,
  type StoredList,
  LAST_FOLDER,
  replaceFile,
  sourceOptions,
} from './lists.js';
import { join } from 'node:path';
import { z } from 'zod';
import { headerName } from '../../../core/table.js';

interface ListMapping {
  /** As it was typed or clicked, with mistakes or without. */
  readonly text: string;
  /** Changes with every change of the text: whoever changes it names the one that was seen. */
  readonly revision: string;
}

type MappingSite = Pick<SiteBase, 'settings' | 'lists' | 'tables'>;

/** Where the mapping of a list lies. It holds sheet, header row, encoding and delimiter too. */
export const mappingPathOf = ({ lists }: { readonly lists: Lists }, { id }: StoredList): string =>
  lists.partOf(id, 'mapping.yaml');

/**
 * The mapping of a list. One that has none yet begins with its sample's or the command line's mapping, else with the one
 * that the last file with its columns had, else with a suggestion.
 * @throws Refusal without an installation, InputError when the file cannot be read
 */
export async function readMapping(site: MappingSite, list: StoredList): Promise<ListMapping> {
  const found = await textAt(mappingPathOf(site, list));
  if (found !== undefined) return withRevision(found);
  return site.lists.alone(list.id, 'mapping', async () => {
    // Another tab may have begun it since.
    const text = await textAt(mappingPathOf(site, list));
    return text === undefined ? begin(site, list) : withRevision(text);
  });
}

/** A mapping that is to be written. */
export interface NewMapping {
  readonly text: string;
  /** The revision that it was made on; `null` replaces whatever is there. */
  readonly revision: string | null;
  /** What is known of it, such as the file that it was taken from. Default: nothing; its name stays. */
  readonly origin?: Partial<Pick<ListFile, 'mapping' | 'mappingFile' | 'draft'>>;
}

/** Changes the mapping of a list. @throws Refusal when it has been changed since the revision */
export const writeMapping = (
  site: Pick<SiteBase, 'lists'>,
  list: StoredList,
  { text, revision, origin = {} }: NewMapping,
): Promise<ListMapping> =>
  site.lists.alone(list.id, 'mapping', async () => {
    const path = mappingPathOf(site, list);
    const before = await textAt(path);
    const begun = isBegun(origin) ? { likeLast: false, ...origin } : origin;
    if (revision !== null && before !== undefined && revisionOf(before) !== revision)
      throw refusal('stale_mapping');
    if (text !== before) {
      if (before !== undefined && isReadable(before) && !isReadable(text))
        await replaceFile(readablePathOf(site, list), before);
      await replaceFile(path, text);
      const source =
        before === undefined || isBegun(origin) ? {} : sourceChange(list, before, text);
      await site.lists.change(list.id, { mappingFile: null, ...begun, ...source });
    } else if (isBegun(origin)) await site.lists.change(list.id, begun);
    return withRevision(text);
  });

/** Whether the text is that of another mapping, and not one that was worked on. */
const isBegun = (origin: NonNullable<NewMapping['origin']>): boolean =>
  Object.keys(origin).length > 0;

/** The last text of the mapping that was YAML, where the one of now is not. */
export const readableMapping = async (site: MappingSite, list: StoredList): Promise<string> =>
  (await textAt(readablePathOf(site, list))) ?? '';

const readablePathOf = ({ lists }: Pick<SiteBase, 'lists'>, { id }: StoredList): string =>
  lists.partOf(id, 'readable.yaml');

/**
 * Lets the mapping follow how the file is read, once that was changed: one that was suggested and that nobody has
 * worked on is suggested anew.
 */
export const followSource = (
  site: MappingSite,
  { id }: StoredList,
  changed: Partial<SourceChoice>,
): Promise<void> =>
  site.lists.alone(id, 'mapping', async () => {
    const list = await site.lists.get(id);
    const path = mappingPathOf(site, list);
    const text = await textAt(path);
    if (text === undefined) return;
    if (revisionOf(text) === list.draft) await rm(path);
    else {
      await replaceFile(path, withSource(text, pick(written(list.source), changed)));
      await site.lists.change(id, { mappingFile: null });
    }
  });

async function begin(site: MappingSite, list: StoredList): Promise<ListMapping> {
  centerOf(site.settings);
  const file = givenMapping(site, list);
  if (file === undefined) {
    const last = await beginLast(site, list);
    if (last) return last;
    const text = await suggestionFor(site, list);
    await replaceFile(mappingPathOf(site, list), text);
    await site.lists.change(list.id, { draft: revisionOf(text), mappingFile: null });
    return withRevision(text);
  }
  const { text, origin } = await mappingFrom(file, list);
  await replaceFile(mappingPathOf(site, list), text);
  await site.lists.change(list.id, { ...origin, ...sourceChange(list, '', text) });
  return withRevision(text);
}

/** The file of the mapping that goes with a sample, or that the command line names. */
const givenMapping = ({ settings }: MappingSite, list: StoredList): string | undefined =>
  settings.samples.find(({ path }) => path === list.path)?.mapping ?? settings.mapping;

/**
 * Begins a list that has no mapping yet like the last one with its columns, so that the step File reads it like that one
 * too. Where there was none, nothing is done.
 */
export async function beginLikeLast(site: MappingSite, list: StoredList): Promise<void> {
  if (!site.settings.center || givenMapping(site, list) !== undefined) return;
  await site.lists.alone(list.id, 'mapping', async () => {
    if ((await textAt(mappingPathOf(site, list))) === undefined) await beginLast(site, list);
  });
}

async function beginLast(site: MappingSite, list: StoredList): Promise<ListMapping | undefined> {
  const last = await lastMapping(site, list);
  if (!last) return undefined;
  const text = withChosen(last.text, list);
  const { mapping } = last;
  const mappingFile = text === last.text ? last.mappingFile : null;
  await replaceFile(mappingPathOf(site, list), text);
  const origin = { mapping, mappingFile, likeLast: true };
  await site.lists.change(list.id, { ...origin, ...sourceChange(list, '', text) });
  return withRevision(text);
}

/**
 * The mapping of a file, for a list: what was chosen for the list's spreadsheet wins over what the mapping says of its
 * own. @throws ConfigurationError where it cannot be read
 */
export async function mappingFrom(
  file: string,
  list: StoredList,
): Promise<Required<Pick<NewMapping, 'text' | 'origin'>>> {
  const own = await readMappingText(file);
  const text = withChosen(own, list);
  return { text, origin: { mappingFile: text === own ? file : null } };
}

/** A mapping with what was chosen of how the list's spreadsheet is read. */
function withChosen(mapping: string, { source }: StoredList): string {
  const chosen = Object.entries(written(source)).filter(([, value]) => value !== null);
  return withSource(mapping, Object.fromEntries(chosen));
}

/** The mapping that is suggested for a list as its file is read now. @throws as `readMapping` does */
export async function suggestionFor(site: MappingSite, list: StoredList): Promise<string> {
  const { ledger } = site.settings;
  const { installation } = centerOf(site.settings);
  const { file, name } = list;
  const source = written(list.source);
  return suggestedMapping({ file, name, installation, ledger, source, tables: site.tables });
}

/** How the file is read, as a mapping has it. */
const written = ({ delimiter, ...source }: SourceChoice): WholeSource => ({
  ...source,
  delimiter: delimiter === '\t' ? 'tab' : delimiter,
});

const pick = (source: WholeSource, names: object): ChosenSource =>
  Object.fromEntries(Object.entries(source).filter(([name]) => name in names));

/** The step File follows what the mapping newly says of how the file is read. */
function sourceChange(
  { source }: StoredList,
  before: string,
  text: string,
): Partial<Pick<ListFile, 'source'>> {
  const [was, is] = [sourceIn(before), sourceIn(text)];
  if (!was || !is) return {};
  const changed = Object.entries(chosenIn(is)).filter(
    ([name, value]) => new Map(Object.entries(chosenIn(was))).get(name) !== value,
  );
  return { source: { ...source, ...Object.fromEntries(changed) } };
}

const chosenIn = ({ sheet, headerRow, encoding, delimiter }: WholeSource): SourceChoice => ({
  sheet: sheet === null ? null : String(sheet),
  headerRow,
  encoding: encoding === 'auto' ? null : encoding,
  delimiter: delimiter === 'auto' ? null : delimiter === 'tab' ? '\t' : delimiter,
});

const withRevision = (text: string): ListMapping => ({ text, revision: revisionOf(text) });

/** Short: it only has to differ from the texts before it. */
export const revisionOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16);

const textAt = (path: string): Promise<string | undefined> => unlessGone(readFile(path, 'utf8'));

/** @throws Refusal when the mapping is no longer the one that was seen */
export function refuseStale(mapping: ListMapping, seen: string): void {
  if (mapping.revision !== seen) throw refusal('stale_mapping');
}

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
  site: MappingSite,
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
  makeFolder(folder);
  const key = createHash('sha256')
    .update(JSON.stringify([installation, headers]))
    .digest('hex');
  await replaceFile(join(folder, `${key.slice(0, 32)}.json`), JSON.stringify(kept));
  const old = (await filesIn(folder)).slice(MAX_KEPT);
  await Promise.all(old.map(({ path }) => rm(path, { force: true })));
}

interface LastMapping extends Pick<ListFile, 'mapping' | 'mappingFile'> {
  readonly text: string;
}

/** The mapping that the last file with the columns of a list had; `undefined` where there was none. */
async function lastMapping(site: MappingSite, list: StoredList): Promise<LastMapping | undefined> {
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

const folderOf = ({ lists }: MappingSite): string => join(lists.folder, LAST_FOLDER);

const sortedNames = (headers: readonly string[]): string[] => headers.map(headerName).sort();

/** What was chosen for a list wins over what was chosen for the last one. */
const chosenOver = (chosen: SourceChoice, last: SourceChoice): SourceChoice => ({
  sheet: chosen.sheet ?? last.sheet,
  headerRow: chosen.headerRow ?? last.headerRow,
  encoding: chosen.encoding ?? last.encoding,
  delimiter: chosen.delimiter ?? last.delimiter,
});

/** Where it was saved under a name, and that has been changed since, what was saved is newer. */
async function asSaved(site: MappingSite, kept: Kept): Promise<LastMapping> {
  const { mapping, text, keptAt } = kept;
  const none = { text, mapping: null, mappingFile: null };
  if (mapping === null) return none;
  const file = mappingFile(savedFolder(site.settings), mapping);
  const saved = await unlessGone(stat(file));
  if (!saved) return none;
  const own = await readMappingText(file);
  if (saved.mtimeMs > keptAt) return { text: own, mapping, mappingFile: file };
  return { text, mapping, mappingFile: own === text ? file : null };
}

/** `undefined` where it is gone, or was kept by another version. */
async function keptIn(path: string): Promise<z.output<typeof keptSchema> | undefined> {
  const text = await textAt(path);
  return text === undefined ? undefined : keptSchema.safeParse(JSON.parse(text)).data;
}

/** The latest first. */
async function filesIn(folder: string): Promise<{ path: string; keptAt: number }[]> {
  const names = (await unlessGone(readdir(folder))) ?? [];
  const files = names.filter((name) => name.endsWith('.json')).map((name) => join(folder, name));
  const found = await Promise.all(
    files.map(async (path) => ({ path, keptAt: (await unlessGone(stat(path)))?.mtimeMs })),
  );
  return found
    .flatMap(({ path, keptAt }) => (keptAt === undefined ? [] : [{ path, keptAt }]))
    .sort((a, b) => b.keptAt - a.keptAt);
}

/**
 * Where mappings are saved under names: beside the installation, where the command line finds them. That of the sandbox
 * belongs to the program, which other people use too: then beside the ledger.
 */
export function savedFolder(settings: SiteSettings): string {
  const { kind, installation } = centerOf(settings);
  return mappingsFolder(kind === 'sandbox' ? settings.ledger : installation);
}
