import { createHash, randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { withSource } from '../../../app/mappings/edit-text.js';
import { readMappingText } from '../../../app/mappings/read-text.js';
import { suggestMapping } from '../../../app/suggest/suggest-mapping.js';
import { defined } from '../../../core/defined.js';
import { codeOf } from '../../../core/errors/error-code.js';
import { noInstallation, Refusal } from '../refusal.js';
import type { Site } from '../site.js';
import type { ListFile } from './list-file.js';
import type { Lists, StoredList } from './lists.js';
import { inTurn } from './in-turn.js';

/** The mapping of a list: what is shown, checked and imported. */
export interface ListMapping {
  /** As it was typed or clicked, with mistakes or without. */
  readonly text: string;
  /** Changes with every change of the text: whoever changes it names the one that was seen. */
  readonly revision: string;
}

/** Where the mapping of a list lies. It holds sheet, header row, encoding and delimiter too. */
export const mappingPathOf = ({ lists }: { readonly lists: Lists }, { id }: StoredList): string =>
  lists.partOf(id, 'mapping.yaml');

/**
 * The mapping of a list. One that has none yet begins with its sample's or the command line's mapping, else with a
 * suggestion.
 * @throws Refusal without an installation, InputError when the file cannot be read
 */
export const readMapping = (site: Site, list: StoredList): Promise<ListMapping> =>
  inTurn(list.id, async () => {
    const text = await textAt(mappingPathOf(site, list));
    return text === undefined ? begin(site, list) : withRevision(text);
  });

/** A mapping that is to be written. */
export interface NewMapping {
  readonly text: string;
  /** The revision that it was made on; `null` replaces whatever is there. */
  readonly revision: string | null;
  /** What is known of it: the name and the file that it was taken from or saved to. Default: its file is no longer its own. */
  readonly origin?: Partial<Pick<ListFile, 'mapping' | 'mappingFile'>>;
}

/** Changes the mapping of a list. @throws Refusal when it has been changed since the revision */
export const writeMapping = (
  site: Site,
  list: StoredList,
  { text, revision, origin = {} }: NewMapping,
): Promise<ListMapping> =>
  inTurn(list.id, async () => {
    const path = mappingPathOf(site, list);
    const before = await textAt(path);
    if (revision !== null && before !== undefined && revisionOf(before) !== revision) throw stale();
    if (text !== before) await replace(path, text);
    if (text !== before || 'mappingFile' in origin)
      await site.lists.change(list.id, { mappingFile: null, ...origin });
    return withRevision(text);
  });

async function begin(site: Site, list: StoredList): Promise<ListMapping> {
  const { center, samples, mapping, ledger } = site.settings;
  if (!center) throw noInstallation();
  const chosen = defined({
    sheet: list.source.sheet ?? undefined,
    headerRow: list.source.headerRow ?? undefined,
    encoding: list.source.encoding ?? undefined,
    delimiter: list.source.delimiter ?? undefined,
  });
  const file = samples.find(({ path }) => path === list.path)?.mapping ?? mapping;
  const written = file === undefined ? undefined : await readMappingText(file);
  const text =
    written === undefined
      ? (
          await suggestMapping({
            ...{ file: list.file, name: list.name, source: chosen, ledger },
            installation: center.installation,
          })
        ).mapping
      : withSource(written, chosen);
  await replace(mappingPathOf(site, list), text);
  if (text === written) await site.lists.change(list.id, { mappingFile: file ?? null });
  return withRevision(text);
}

const withRevision = (text: string): ListMapping => ({ text, revision: revisionOf(text) });

/** Short: it only has to differ from the texts before it. */
export const revisionOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16);

async function textAt(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whoever reads it meanwhile sees it as it was, or as it is. */
async function replace(path: string, text: string): Promise<void> {
  const next = `${path}.${randomBytes(4).toString('hex')}`;
  await writeFile(next, text, { mode: 0o600 });
  await rename(next, path);
}

const stale = (): Refusal =>
  new Refusal(409, {
    code: 'stale_mapping',
    sentence: 'The mapping has been changed elsewhere since, perhaps in another tab.',
    next: 'It is shown as it is now. Make your change again if it is still wanted.',
  });
