import { readMappingText } from '../../../app/mappings/read-text.js';
import { mappingFile, savedMappings, saveMapping } from '../../../app/mappings/saved-mappings.js';
import { withShortPaths } from '../../../app/mappings/table-paths.js';
import { noInstallation, Refusal } from '../refusal.js';
import type { Site } from '../site.js';
import { keepLastMapping } from './last-mappings.js';
import type { StoredList } from './lists.js';
import { readMapping, refuseStale, writeMapping } from './mapping.js';
import { savedFolder } from './saved-folder.js';

interface SaveRequest {
  readonly name: string;
  /** The revision that is to be saved; `null`: the one of now. */
  readonly revision: string | null;
  /** Whether it may take the place of another mapping of the name. */
  readonly overwrite: boolean;
}

/**
 * Saves the mapping of a list under a name, beside the installation, where the command line finds it.
 * @throws Refusal when another one has the name, or the mapping has been changed since; UsageError for a wrong name
 */
export async function saveListMapping(
  list: StoredList,
  site: Site,
  { name, revision, overwrite }: SaveRequest,
): Promise<void> {
  const { center } = site.settings;
  if (!center) throw noInstallation();
  const mapping = await readMapping(site, list);
  if (revision !== null) refuseStale(mapping, revision);
  const folder = savedFolder(center, site.settings);
  const file = mappingFile(folder, name);
  const isThere = (await savedMappings(folder)).includes(name);
  if (isThere && !overwrite && (await readMappingText(file)) !== mapping.text) throw taken(name);
  await saveMapping(folder, name, withShortPaths(mapping.text, file));
  const origin = { mapping: name, mappingFile: file };
  await writeMapping(site, list, { ...mapping, origin });
  await keepLastMapping(site, { ...list, ...origin }, mapping.text);
}

const taken = (name: string): Refusal =>
  new Refusal(409, {
    code: 'name_taken',
    sentence: `There is a mapping named ${name} already.`,
    next: 'Replace it, or choose another name.',
    field: 'name',
    values: { name },
  });
