import { readFile } from 'node:fs/promises';
import { basename, extname, parse } from 'node:path';
import { type ChosenSource, sourceIn, withSource } from '../../../app/mappings/edit-text.js';
import { mendSource, type MendSource } from '../../../app/runs/result/mend-source.js';
import { defined } from '../../../core/defined.js';
import { codeOf } from '../../../core/errors.js';
import { listOf } from '../lists/list-of.js';
import { writeMapping } from '../lists/mapping.js';
import { Refusal } from '../refusal.js';
import type { Site } from '../site.js';

/**
 * Makes a list of a run's rejects, with its mapping, to mend them right here. They are read where they are: by their
 * place a new run knows the one that they come from.
 * @returns its id
 */
export async function mendRejects(run: string, file: string, site: Site): Promise<string> {
  const { rejects, run: record } = await site.results.result(run);
  const path = rejects.find((one) => basename(one) === file);
  if (path === undefined) throw noRejects();
  const settings = await mendSource(run, site.settings.ledger);
  if (!settings) throw otherVersion();
  const mapping = await textOf(settings.mapping);
  const text = withSource(mapping, sourceFor(settings, mapping));
  const before = (await site.lists.all()).find((one) => one.run === run);
  const [input = file] = record.inputs;
  const name = `${parse(before?.name ?? basename(input)).name}.rejects${extname(path)}`;
  const list = await site.lists.create({ ...(await listOf(path)), name });
  const origin = {
    mapping: before?.mapping ?? null,
    mappingFile: text === mapping ? (before?.mappingFile ?? settings.mapping) : null,
  };
  await writeMapping(site, list, { text, revision: null, origin });
  const choice = before?.choice ?? { ...list.choice, campaign: settings.campaign };
  await site.lists.change(list.id, { choice, step: 'check' });
  return list.id;
}

async function textOf(mapping: string): Promise<string> {
  try {
    return await readFile(mapping, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw noMapping();
    throw error;
  }
}

/** How the rejects are read where the command said it; their one sheet has its own name, and no number. */
function sourceFor({ source }: MendSource, mapping: string): ChosenSource {
  const { sheet } = source;
  const numbered = typeof sourceIn(mapping)?.sheet === 'number' ? { sheet: null } : {};
  const { encoding, delimiter } = source;
  return { ...numbered, ...defined({ sheet, encoding, delimiter }) };
}

const noRejects = (): Refusal =>
  new Refusal(404, {
    code: 'no_rejects',
    sentence: 'The rejects of this run are not there any more.',
    next: 'Look at its rows, and correct them in the spreadsheet itself.',
  });

const noMapping = (): Refusal =>
  new Refusal(409, {
    code: 'no_mapping',
    sentence: 'The mapping of this run is not there any more.',
    next: 'Download the rejects, and choose them as a new spreadsheet.',
  });

const otherVersion = (): Refusal =>
  new Refusal(409, {
    code: 'other_version',
    sentence: 'This run was begun by another version of cardline.',
    next: 'Download the rejects, and choose them as a new spreadsheet.',
  });
