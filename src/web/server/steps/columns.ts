import { editColumns } from '../../../app/columns/edit-columns.js';
import { mappingFile } from '../../../app/mappings/saved-mappings.js';
import type { BeginWith, columnsRoutes } from '../../shared/columns.js';
import { editProblem } from '../columns/edit-problem.js';
import { requestFor, shownColumns } from '../columns/shown-columns.js';
import type { Handlers } from '../handler.js';
import type { StoredList } from '../lists/lists.js';
import {
  mappingFrom,
  type NewMapping,
  readableMapping,
  readMapping,
  refuseStale,
  revisionOf,
  suggestionFor,
  writeMapping,
} from '../lists/mapping.js';
import { saveListMapping } from '../lists/save-mapping.js';
import { noInstallation, Refusal } from '../refusal.js';
import { savedFolder } from '../lists/saved-folder.js';
import type { Site } from '../site.js';

export const columnsHandlers: Handlers<keyof typeof columnsRoutes> = {
  'GET /api/lists/:list/columns': async ({ params }, { site }) => {
    const { id, step } = await site.lists.get(params.list);
    await site.lists.touch(id);
    const shown = await shownColumns(id, site);
    if (step !== 'file' || site.settings.readOnly) return shown;
    await site.lists.change(id, { step: 'columns' });
    return shownColumns(id, site);
  },
  'POST /api/lists/:list/columns/edits': async ({ params, body }, { site }) => {
    const list = await site.lists.get(params.list);
    const mapping = await readMapping(site, list);
    refuseStale(mapping, body.revision);
    const edited = await editColumns(requestFor(mapping.text, list, site), body.edits);
    if (!('yaml' in edited)) throw editProblem(edited);
    await writeMapping(site, list, { text: edited.yaml, revision: body.revision });
    return shownColumns(list.id, site);
  },
  'PUT /api/lists/:list/mapping': async ({ params, body }, { site }) => {
    const list = await site.lists.get(params.list);
    if (site.settings.mask) throw hidden();
    if (body.yaml.length > MAX_TYPED) throw tooLong();
    await writeMapping(site, list, { text: body.yaml, revision: body.revision });
    return shownColumns(list.id, site);
  },
  'POST /api/lists/:list/mapping/use': async ({ params, body: { from, revision } }, { site }) => {
    const list = await site.lists.get(params.list);
    await writeMapping(site, list, { ...(await beginningOf(from, list, site)), revision });
    return shownColumns(list.id, site);
  },
  'POST /api/lists/:list/mapping/save': async ({ params, body }, { site }) => {
    const list = await site.lists.get(params.list);
    await saveListMapping(list, site, body);
    return shownColumns(list.id, site);
  },
};

async function beginningOf(
  from: BeginWith,
  list: StoredList,
  site: Site,
): Promise<Pick<NewMapping, 'text' | 'origin'>> {
  if (from.kind === 'readable') return { text: await readableMapping(site, list) };
  if (from.kind === 'suggested') {
    const text = await suggestionFor(site, list);
    return { text, origin: { mapping: null, mappingFile: null, draft: revisionOf(text) } };
  }
  const { center } = site.settings;
  if (!center) throw noInstallation();
  const file = mappingFile(savedFolder(center, site.settings), from.name);
  const { text, origin } = await mappingFrom(file, list);
  return { text, origin: { ...origin, mapping: from.name } };
}

/** Characters of a mapping that is typed: each letter has it parsed again. */
const MAX_TYPED = 256 * 1024;

const tooLong = (): Refusal =>
  new Refusal(413, {
    code: 'mapping_too_long',
    sentence: 'This text is too long for a mapping.',
    next: 'Put long lists of values into a table, and name it with "lookup".',
  });

const hidden = (): Refusal =>
  new Refusal(409, {
    code: 'text_hidden',
    sentence: 'The text of the mapping is hidden with --mask, and so it cannot be typed in.',
    next: 'Start cardline without --mask to edit it.',
  });
