import { dirname, join, resolve } from 'node:path';
import { stringify } from 'yaml';
import type { FieldValue } from '../../core/client.js';
import { InputError } from '../../core/errors.js';
import type { RowReport } from '../../core/report.js';
import type { Cell } from '../../core/table.js';
import type { CampaignSettings } from '../../pipeline/batch.js';
import { writeAtomically } from '../../report/files/atomic-file.js';
import { openCsv } from '../../report/csv/csv-file.js';
import { openRejectsWriter } from '../../report/rejects/rejects.js';
import { InputRows } from '../inputs/input-rows.js';
import type { MappingFacts } from '../../prepare/plan.js';
import type { ReadInput } from '../inputs/read-inputs.js';
import type { Rejects } from '../run/run-plan.js';

export interface FixesRequest {
  readonly folder: string;
  /** All rows of the comparison in order. To be iterated more than once. */
  readonly rows: Iterable<RowReport>;
  readonly mapping: MappingFacts;
  readonly campaign: CampaignSettings | null;
  readonly identifierNames: readonly string[];
  readonly input: ReadInput | undefined;
}

/**
 * Writes what is to be imported so that every row matches: `create.csv` for the missing, `update.csv` for the
 * different, with the differing fields alone, `enqueue.csv` for those outside the campaign, each with its mapping
 * beside it. What nothing is to be done about has none. They are written when the report is.
 */
export function openFixes(request: FixesRequest): Rejects {
  let isNeeded = false;
  return {
    write: (rows) => {
      isNeeded ||= rows.length > 0;
      return Promise.resolve();
    },
    close: () => (isNeeded ? writeFixes(request) : Promise.resolve([])),
    discard: () => Promise.resolve(),
  };
}

async function writeFixes(request: FixesRequest): Promise<string[]> {
  const files = [
    await writeMissing(request),
    await writeDifferent(request),
    await writeOutside(request),
  ];
  return files.filter((file) => file !== null);
}

/** What our own files are read with. */
const SOURCE = { encoding: 'utf-8', delimiter: ',' };

/** The rows as they stand in the input, for the mapping of the comparison in mode `create`. */
async function writeMissing(request: FixesRequest): Promise<string | null> {
  const { folder, rows, mapping, campaign, input } = request;
  const { mode } = mapping;
  if (!input || (mode !== 'create' && mode !== 'upsert')) return null;
  const file = join(folder, 'create.csv');
  const writer = await openRejectsWriter({
    file,
    format: 'csv',
    headers: input.input.headers,
  });
  const inputRows = new InputRows(input);
  try {
    for (const report of rows) {
      if (report.outcome !== 'missing') continue;
      const row = await inputRows.find(report);
      if (!row) throw changedInput(input, report);
      await writer.write(row.cells, 'missing', '');
    }
    if ((await writer.close()) === 0) return null;
  } catch (error) {
    await writer.discard();
    throw error;
  } finally {
    await inputRows.close();
  }
  const document = withTables(mapping.document.value, dirname(mapping.document.file)) as object;
  await writeMapping(folder, 'create', {
    ...document,
    mode: 'create',
    // What is missing may have been deleted.
    recovery: true,
    source: SOURCE,
    ...(campaign ? { campaign: sectionOf(campaign) } : {}),
  });
  return file;
}

function changedInput({ file }: ReadInput, { row, sheet }: RowReport): InputError {
  const reason =
    'this is not any more the row that was compared: the file has changed. Compare it once more.';
  return new InputError('file_changed', reason, {
    file: file.name,
    sheet: sheet ?? undefined,
    row,
  });
}

/** The differing fields of each row; an empty cell changes nothing. */
async function writeDifferent(request: FixesRequest): Promise<string | null> {
  const { folder, rows, identifierNames } = request;
  const fields = new Set<string>();
  for (const row of rows) for (const [name] of differingFields(row)) fields.add(name);
  if (fields.size === 0) return null;
  const columns = [...identifierNames, ...fields];
  const file = join(folder, 'update.csv');
  const target = await openCsv(file, columns);
  try {
    for (const row of rows) {
      const values = new Map(differingFields(row));
      if (values.size === 0) continue;
      const cells = [...fields].map((name) => textOf(values.get(name) ?? null));
      await target.write([...row.identifiers.map(textOf), ...cells]);
    }
    await target.close();
  } catch (error) {
    await target.discard();
    throw error;
  }
  await writeMapping(folder, 'update', {
    mode: 'update',
    source: SOURCE,
    client: { fields: byName(columns) },
  });
  return file;
}

async function writeOutside(request: FixesRequest): Promise<string | null> {
  const { folder, rows, identifierNames, campaign } = request;
  if (!campaign || !some(rows, isOutside)) return null;
  const file = join(folder, 'enqueue.csv');
  const target = await openCsv(file, identifierNames);
  try {
    for (const row of rows) if (isOutside(row)) await target.write(row.identifiers.map(textOf));
    await target.close();
  } catch (error) {
    await target.discard();
    throw error;
  }
  await writeMapping(folder, 'enqueue', {
    mode: 'enqueue',
    source: SOURCE,
    client: { fields: byName(identifierNames) },
    campaign: sectionOf(campaign),
  });
  return file;
}

function some<T>(all: Iterable<T>, is: (one: T) => boolean): boolean {
  for (const one of all) if (is(one)) return true;
  return false;
}

/** A card that is there without a call application. */
function isOutside({ outcome, inspection }: RowReport): boolean {
  const isThere = outcome === 'not_in_campaign' || outcome === 'different';
  return isThere && inspection?.application === null;
}

/** Fields that an update can change: the card's own id cannot be. */
function differingFields({ inspection }: RowReport): (readonly [string, FieldValue])[] {
  return (inspection?.differences ?? [])
    .filter(({ field }) => field !== 'id')
    .map(({ field, sheet }) => [field, sheet] as const);
}

const textOf = (value: FieldValue): Cell => (value === null ? null : String(value));

function byName(columns: readonly string[]): object {
  return Object.fromEntries(columns.map((column) => [column, { column }]));
}

/** The mapping lies elsewhere now: tables are named by their whole path. */
function withTables(value: unknown, folder: string): unknown {
  if (Array.isArray(value)) return value.map((one) => withTables(one, folder));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]: [string, unknown]) => {
      const file = (inner as { file?: unknown } | null)?.file;
      return key === 'lookup' && typeof file === 'string'
        ? [key, { ...(inner as object), file: resolve(folder, file) }]
        : [key, withTables(inner, folder)];
    }),
  );
}

async function writeMapping(folder: string, name: string, mapping: object): Promise<void> {
  await writeAtomically(join(folder, `${name}.yaml`), stringify(mapping));
}

/** The campaign as a section of a mapping, which names it by its id only. */
function sectionOf({ name: _, ...section }: CampaignSettings): Omit<CampaignSettings, 'name'> {
  return section;
}
