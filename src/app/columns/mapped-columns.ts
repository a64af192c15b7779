import { ConfigurationError, type ConfigMistake } from '../../core/errors.js';
import { type Mode, MODES } from '../../core/mode.js';
import { type PlacedDocument, parsePlaced } from '../../config/document.js';
import type { Installation } from '../../installation/installation.js';
import { loadInstallation } from '../../installation/load.js';
import { isBlankMapping } from '../../mapping/edit/edit-mapping.js';
import { isRecord } from '../../mapping/edit/record.js';
import { writtenUses } from '../../mapping/edit/uses.js';
import { loadTables } from '../../mapping/load.js';
import { lookupTable } from '../../prepare/lookup-table.js';
import type { ReadTable } from '../../suggest/suggest.js';
import type { ColumnsView } from '../../suggest/view/columns-view.js';
import { columnsView } from '../../suggest/view/view.js';
import { sourceOf } from '../mappings/edit-text.js';
import type { Tables } from './tables.js';

/** A mapping over the columns of a spreadsheet. */
export interface MappedColumnsRequest {
  /** Text of the mapping, with mistakes or without. */
  readonly yaml: string;
  /** Where it lies: the tables that it looks up are found from there. */
  readonly mapping: string;
  readonly file: string;
  /** Name of the file, as the person knows it. */
  readonly name: string;
  /** Path of the installation file. */
  readonly installation: string;
  readonly ledger: string;
  /** What was read before is taken from here, and kept here. */
  readonly tables: Tables;
}

export interface MappedColumns {
  readonly view: ColumnsView;
  readonly mode: Mode;
  /** Name of the sheet that was looked at; `null` where the format has none. */
  readonly sheet: string | null;
}

/**
 * What a mapping makes of each column of a spreadsheet, tried on rows spread over it, and what it lacks.
 * @throws InputError when the file cannot be read, ConfigurationError when the installation cannot be used
 */
export async function mappedColumns(request: MappedColumnsRequest): Promise<MappedColumns> {
  const { yaml, mapping } = request;
  const { document, read, installation, mode, sheet } = await readColumns(request);
  const lookups = document ? await lookupsOf(document) : NO_LOOKUPS;
  const view = columnsView({ yaml, read, installation, tables: lookups.tables, file: mapping });
  if (view.kind === 'broken') return { view, mode, sheet };
  return { view: { ...view, mistakes: [...lookups.mistakes, ...view.mistakes] }, mode, sheet };
}

/** The columns of a spreadsheet as they are read with a mapping. */
export interface ReadColumns {
  /** `undefined` where the mapping is no YAML. */
  readonly document: PlacedDocument | undefined;
  readonly read: ReadTable;
  readonly installation: Installation;
  readonly mode: Mode;
  readonly sheet: string | null;
}

/** @throws as `mappedColumns` does */
export async function readColumns(request: MappedColumnsRequest): Promise<ReadColumns> {
  const { yaml, tables, file, name, ledger, mapping } = request;
  const installation = await loadInstallation(request.installation);
  const document = documentOf(yaml, mapping);
  const value = document?.value;
  const mode = modeOf(value);
  const { until: _until, headerRow, ...options } = sourceOf(value);
  const asked = { file, name, options, header: { headerRow }, installation, mode, ledger };
  const { table, source } = await tables.readFile(asked);
  const header = { headerRow, ...namedColumns(value, table.headers) };
  const read = await tables.readTable({ ...asked, header });
  return { document, read, installation, mode, sheet: source.sheet ?? null };
}

/** `undefined` where the text is no YAML: the view says what is wrong. */
function documentOf(yaml: string, file: string): PlacedDocument | undefined {
  try {
    return isBlankMapping(yaml) ? undefined : parsePlaced(file, yaml);
  } catch (error) {
    if (error instanceof ConfigurationError) return undefined;
    throw error;
  }
}

function modeOf(value: unknown): Mode {
  const written = isRecord(value) ? value['mode'] : undefined;
  return MODES.find((mode) => mode === written) ?? 'create';
}

/** Where the header that is found lacks columns of the mapping, it is looked for by them, as an import does. */
function namedColumns(
  value: unknown,
  headers: readonly string[],
): { readonly columns?: readonly string[] } {
  const columns = [...new Set(writtenUses(value).flatMap((use) => use.columns))];
  return columns.every((column) => headers.includes(column)) ? {} : { columns };
}

interface Lookups {
  readonly tables: Awaited<ReturnType<typeof loadTables>>;
  readonly mistakes: readonly ConfigMistake[];
}

const NO_LOOKUPS: Lookups = { tables: new Map(), mistakes: [] };

async function lookupsOf(document: PlacedDocument): Promise<Lookups> {
  try {
    return { tables: await loadTables(document, { readTable: lookupTable }), mistakes: [] };
  } catch (error) {
    if (error instanceof ConfigurationError) return { ...NO_LOOKUPS, mistakes: error.mistakes };
    throw error;
  }
}
