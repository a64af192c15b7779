import { readFile, writeFile } from 'node:fs/promises';
import { basename, extname, parse } from 'node:path';
import { mendSource, type MendSource } from '../../../app/runs/result/mend-source.js';
import { codeOf } from '../../../core/errors/error-code.js';
import type { SourceChoice } from '../../shared/list.js';
import { listOf } from '../lists/list-of.js';
import { Refusal } from '../refusal.js';
import type { Site } from '../site.js';

/**
 * Makes a list of a run's rejects, to mend them right here. They are read where they are: by their place a new run knows
 * the one that they come from.
 * @returns its id
 */
export async function mendRejects(run: string, file: string, site: Site): Promise<string> {
  const { rejects, run: record } = await site.results.result(run);
  const path = rejects.find((one) => basename(one) === file);
  if (path === undefined) throw noRejects();
  const settings = await mendSource(run, site.settings.ledger);
  if (!settings) throw otherVersion();
  const mapping = await mappingOf(settings);
  const before = (await site.lists.all()).find((one) => one.run === run);
  const [input = file] = record.inputs;
  const known = await listOf(path);
  const name = `${parse(before?.name ?? basename(input)).name}.rejects${extname(path)}`;
  const { id } = await site.lists.create({ ...known, name });
  await writeFile(site.lists.partOf(id, 'mapping.yaml'), mapping, { mode: 0o600 });
  await site.lists.change(id, {
    source: sourceOf(settings),
    mapping: before?.mapping ?? null,
    step: 'check',
  });
  return id;
}

async function mappingOf({ mapping }: MendSource): Promise<string> {
  try {
    return await readFile(mapping, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw noMapping();
    throw error;
  }
}

const sourceOf = ({ source }: MendSource): SourceChoice => ({
  sheet: source.sheet === undefined ? null : String(source.sheet),
  headerRow: null,
  encoding: source.encoding ?? null,
  delimiter: source.delimiter ?? null,
});

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
