import {
  type MappingEdit,
  type EditedMapping,
  editMapping,
  isBlankMapping,
  mappingEdit,
  type EditRefusal,
} from '../mapping/edit.js';
import { readText, type PlacedDocument } from '../config/document.js';
import {
  UsageError,
  codeOf,
  type ConfigMistake,
  InputError,
  ConfigurationError,
} from '../core/errors.js';
import { isRecord, defined } from '../core/text.js';
import { type ColumnTarget, writtenUses, columnTarget } from '../mapping/column-uses.js';
import { documentOf, columnsView, modeOf, type ColumnsView } from '../suggest/view.js';
import { source as sourceSchema } from '../mapping/schema.js';
import { dirname, isAbsolute, relative, resolve, join } from 'node:path';
import { patchYaml } from '../config/patch-yaml.js';
import { readdir, stat } from 'node:fs/promises';
import { writePieces } from '../report/files.js';
import { z } from 'zod';
import { headerName, type SourceOptions } from '../core/table.js';
import type { Scalar } from '../config/document.js';
import { loadInstallation } from '../installation/installation.js';
import type { Installation } from '../installation/installation.js';
import { type Draft, draftOf } from '../suggest/draft.js';
import { type Permission, permissionsIn, keysFor, type ReadTable } from '../suggest/values.js';
import type { PreviewOptions } from '../run/preview.js';
import { phoneMetadata } from '../mapping/transforms/phone/plans.js';
import type { Mode } from '../core/outcome.js';
import { readTable, suggestTable, withoutStaleNotes } from '../suggest/suggest.js';
import { loadTables } from '../mapping/mapping.js';
import { lookupTable } from '../prepare/lookup-table.js';
import { namesOnCard, readForSuggestion, type ReadFile } from '../suggest/read-file.js';
import { isDeepStrictEqual } from 'node:util';
import { openWithinLimits } from '../prepare/inputs/open.js';
import type { HeaderQuestion } from '../source/header.js';
import { rememberedColumns } from './suggest.js';

/** Makes several edits in the text of a mapping, one after the other: all of them, or none. */
function editText(yaml: string, edits: readonly MappingEdit[], file?: string): EditedMapping {
  let text = yaml;
  for (const edit of edits) {
    const edited = editMapping(text, edit, file);
    if (!('yaml' in edited)) return edited;
    text = edited.yaml;
  }
  return { yaml: text };
}

/** How a spreadsheet is read, as it was chosen; `null` has it found out. */
export type ChosenSource = Extract<MappingEdit, { kind: 'source' }>['options'];

/** All of it. */
export type WholeSource = {
  readonly [K in keyof ChosenSource]-?: Exclude<ChosenSource[K], undefined>;
};

/** The mapping with how the spreadsheet is read. One that is no YAML stays as it is. */
export function withSource(yaml: string, options: ChosenSource): string {
  const edited = editText(yaml, [{ kind: 'source', options }]);
  return 'yaml' in edited ? edited.yaml : yaml;
}

/** How a mapping has the spreadsheet read; `undefined` where it is no YAML. */
export function sourceIn(yaml: string): WholeSource | undefined {
  const value = valueOf(yaml);
  if (value === undefined) return undefined;
  const { sheet, headerRow, encoding, delimiter } = sourceOf(value);
  return {
    sheet: sheet ?? null,
    headerRow: headerRow ?? null,
    encoding: encoding ?? null,
    delimiter: delimiter ?? null,
  };
}

/** Whether a text is YAML, whatever it holds: then it can be edited by clicks. */
export const isReadable = (yaml: string): boolean => valueOf(yaml) !== undefined;

/** How a mapping has the spreadsheet read; where that section has mistakes, it is found out. */
const sourceOf = (value: unknown) =>
  sourceSchema.safeParse(isRecord(value) ? value['source'] : undefined).data ?? {};

function valueOf(yaml: string): unknown {
  const found = documentOf('', yaml);
  return 'document' in found ? found.document.value : undefined;
}

/**
 * The text of a mapping file for use in another folder: the tables that it looks up are named by whole paths.
 * @throws ConfigurationError when there is no such file, or it is no text
 */
export const readMappingText = async (file: string): Promise<string> =>
  withTables(await readText(file), (name) => resolve(dirname(file), name));

/** Names the tables in the folder of a mapping, or below it, as people write them there. */
export const withShortPaths = (yaml: string, mappingFile: string): string =>
  withTables(yaml, (name) => {
    const short = relative(dirname(mappingFile), name);
    return isAbsolute(name) && !isAbsolute(short) && !short.startsWith('..') ? short : name;
  });

/** What is no YAML stays as it is: its mistakes are shown before its tables are needed. */
function withTables(yaml: string, nameFor: (name: string) => string): string {
  const value = isBlankMapping(yaml) ? undefined : valueOf(yaml);
  return value === undefined ? yaml : (patchYaml(yaml, renamed(value, nameFor)) ?? yaml);
}

function renamed(value: unknown, nameFor: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((inner: unknown) => renamed(inner, nameFor));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isTable = key === 'lookup' && isRecord(inner) && typeof inner['file'] === 'string';
      return [
        key,
        isTable ? { ...inner, file: nameFor(String(inner['file'])) } : renamed(inner, nameFor),
      ];
    }),
  );
}

/** The mappings that belong to an installation: `mappings/<name>.yaml` beside its file, where the command line finds them. */
export const mappingsFolder = (installationFile: string): string =>
  join(dirname(installationFile), 'mappings');

const ENDING = '.yaml';
/** Letters, digits, spaces and a few signs; neither a path nor a hidden file, nor a name that Windows trims. */
const NAME = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} _.()-]{0,98}[\p{L}\p{M}\p{N}_()-])?$/u;
/** Names that Windows takes for devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Names of the mappings in a folder, in the order of their letters; none where there is no folder. */
export async function savedMappings(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(ENDING))
    .map(({ name }) => name.slice(0, -ENDING.length))
    .filter(isSafeName)
    .sort((a, b) => a.localeCompare(b));
}

/**
 * Saves a mapping under a name, complete or not at all, in the place of the one that has the name. Its owner alone may
 * read it: a value map holds words of clients.
 * @returns the path of the file
 * @throws UsageError for a name that no file can have, OutputError when it cannot be written
 */
export async function saveMapping(folder: string, name: string, yaml: string): Promise<string> {
  const file = mappingFile(folder, name);
  await writePieces(file, [yaml]);
  return file;
}

/** The file of a mapping. @throws UsageError for a name that leads elsewhere */
export function mappingFile(folder: string, name: string): string {
  if (!isSafeName(name))
    throw new UsageError(
      'A mapping is named with letters, digits, spaces and _ . - ( ), at most 100, and begins with a letter or digit.',
    );
  return join(folder, name + ENDING);
}

const isSafeName = (name: string): boolean => NAME.test(name) && !DEVICE.test(name);

/** The columns that a mapping makes each of these parts of a client of, each once; none where it is no YAML. */
export function writtenColumns(yaml: string): (...targets: ColumnTarget[]) => readonly string[] {
  const uses = writtenUses(valueOf(yaml));
  return (...targets) => [
    ...new Set(
      uses.filter(({ target }) => targets.includes(target)).flatMap(({ columns }) => columns),
    ),
  ];
}

const condition = z
  .strictObject({
    column: z.string().min(1),
    is: z.enum(['in', 'notIn', 'empty', 'filled']),
    values: z.array(z.string()),
  })
  .refine(
    ({ is, values }) => values.length > 0 === (is === 'in' || is === 'notIn'),
    'a condition names what the cell is, or is not.',
  );

/** An edit, taking what is proposed for something that is missing, or saying which rows are taken. */
const columnsEdit = z.union([
  mappingEdit,
  z.strictObject({ kind: z.literal('propose'), target: columnTarget }),
  z.strictObject({ kind: z.literal('conditions'), conditions: z.array(condition) }),
]);

/** What came of edits. Without `yaml` nothing was changed. */
export type EditedColumns =
  | { readonly yaml: string }
  | { readonly mistakes: readonly ConfigMistake[] }
  | { readonly refused: EditRefusal }
  /** An edit is written in a way that no mapping has it: why. */
  | { readonly unusable: string };

/**
 * Makes edits in the mapping of a spreadsheet. A column that becomes something gets what belongs beside it there, by
 * what its cells hold: a country, patterns of dates, a map.
 * @throws as `mappedColumns` does
 */
export async function editColumns(
  request: MappedColumnsRequest,
  edits: readonly unknown[],
): Promise<EditedColumns> {
  const columns = await readColumns(request);
  const draft = draftOf(columns);
  let { yaml } = request;
  for (const given of edits) {
    const { data, error } = columnsEdit.safeParse(given);
    if (error) return { unusable: error.issues.map(({ message }) => message).join(' ') };
    const edited = editText(yaml, editsFor(data, yaml, columns), request.mapping);
    if (!('yaml' in edited)) return edited;
    yaml = withoutStaleNotes(yaml, edited.yaml, draft);
  }
  return { yaml };
}

function editsFor(
  edit: z.output<typeof columnsEdit>,
  yaml: string,
  { read, installation }: ReadColumns,
): readonly MappingEdit[] {
  if (edit.kind === 'propose') {
    const view = columnsView({ yaml, read, installation });
    if (view.kind === 'broken') return [];
    return view.missing.find(({ target }) => target === edit.target)?.edits ?? [];
  }
  if (edit.kind === 'conditions') {
    const parts = edit.conditions.map(({ column, is, values }) =>
      is === 'in' || is === 'notIn'
        ? { column, [is]: [...values] }
        : { column, empty: is === 'empty' },
    );
    const [only] = parts;
    return [{ kind: 'where', where: parts.length > 1 ? { all: parts } : (only ?? null) }];
  }
  if (edit.kind === 'constant')
    return [{ ...edit, value: writtenConstant(edit.target, edit.value, installation) }];
  if (edit.kind !== 'become' || edit.target === null || edit.keys || edit.join !== undefined)
    return [edit];
  const own = read.columns.find(({ header }) => headerName(header) === headerName(edit.column));
  return [own ? { ...edit, keys: keysFor(own, edit.target, read, installation) } : edit];
}

/** A number that was typed is written as one, where it is to be one. */
function writtenConstant(
  target: ColumnTarget,
  value: Scalar | null,
  { card }: Pick<Installation, 'card'>,
): Scalar | null {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (text === '') return null;
  const isNumber =
    target === 'clientRoleId' ||
    target === 'callback.operatorId' ||
    Object.entries(card).some(
      ([name, { type }]) => target === `fields.${name}` && type === 'Number',
    );
  return isNumber && String(Number(text)) === text ? Number(text) : text;
}

/** The header of a spreadsheet that is read like this; `undefined` where it cannot be. */
export async function headersOf({
  file,
  name,
  source,
  tables,
}: Pick<MappedColumnsRequest, 'file' | 'name' | 'tables'> & {
  readonly source: PreviewOptions;
}): Promise<readonly string[] | undefined> {
  const { headerRow, ...options } = source;
  try {
    return (await tables.readFile({ file, name, options, header: { headerRow } })).table.headers;
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/** Every country and territory that has phone numbers of its own, by its two letters. */
export const phoneCountries = (): readonly string[] =>
  Object.keys(phoneMetadata().countries).sort();

/** The text of the mapping that is suggested for a spreadsheet. @throws as `mappedColumns` does */
export async function suggestedMapping(
  request: Omit<MappedColumnsRequest, 'yaml' | 'mapping'> & {
    /** How the spreadsheet is read, where that is not to be found out; it becomes a part of the mapping. */
    readonly source: ChosenSource;
    /** @default 'create' */
    readonly mode?: Mode;
  },
): Promise<string> {
  const { file, name, ledger, tables, mode = 'create' } = request;
  const installation = await loadInstallation(request.installation);
  const { sheet, headerRow, encoding, delimiter } = request.source;
  const options = defined({
    sheet: sheet ?? undefined,
    encoding: encoding ?? undefined,
    delimiter: delimiter ?? undefined,
  });
  const header = defined({ headerRow: headerRow ?? undefined });
  const asked = { file, name, options, header, installation, mode, ledger };
  const read = await tables.readTable(asked);
  const { source } = await tables.readFile(asked);
  const given = { ...options, ...header };
  return suggestTable({ table: read.table, source: { ...source, given }, installation, mode }, read)
    .mapping;
}

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
  /** Which rows are taken, as conditions that all hold; `null` where that is written in another way. */
  readonly conditions: readonly Condition[] | null;
  /** What only a person can decide, with what there is to choose from. */
  readonly decisions: readonly Decision[];
}

/** A condition on the cells of a column; `values`: what the cell is, or is not. */
type Condition = z.output<typeof condition>;

/** A question, by `id` the same as long as the file is. */
export type Decision = { readonly id: string } & (
  | ({
      readonly kind: 'filter';
      /** What leaves out those who may not be called; `null`: that is not known. */
      readonly condition: Condition | null;
      readonly answers: Permission['answers'][number][];
    } & Pick<Permission, 'column' | 'about'>)
  | {
      readonly kind: 'value';
      readonly column: string;
      readonly target: string;
      /** Columns that may go there, with what stands beside each. */
      readonly choices: { readonly column: string; readonly keys: Record<string, unknown> }[];
      /** Which of them stands there now; `null`: none. */
      readonly chosen: number | null;
    }
  /** `country`: what numbers without a code are taken for; `null`: they are not read. */
  | { readonly kind: 'country'; readonly columns: string[]; readonly country: string | null }
);

/**
 * What a mapping makes of each column of a spreadsheet, tried on rows spread over it, and what it lacks.
 * @throws InputError when the file cannot be read, ConfigurationError when the installation cannot be used
 */
export async function mappedColumns(request: MappedColumnsRequest): Promise<MappedColumns> {
  const { yaml, mapping } = request;
  const columns = await readColumns(request);
  const { document, read, installation, mode, sheet } = columns;
  const { tables, mistakes: broken = [] } = document ? await lookupsOf(document) : {};
  const view = columnsView({ yaml, read, installation, tables, file: mapping });
  const value = document?.value;
  const conditions = conditionsIn(isRecord(value) ? value['where'] : undefined);
  const decisions = [
    // An answer would take the place of what is written in a way that cannot be shown.
    ...(conditions === null ? [] : filterDecisions(read)),
    ...countryDecisions(read, value),
    ...valueDecisions(draftOf(columns), value),
  ];
  const asked = { conditions, decisions };
  if (view.kind === 'broken') return { view, mode, sheet, ...asked };
  const mistakes = [...broken, ...view.mistakes];
  return { view: { ...view, mistakes }, mode, sheet, ...asked };
}

function conditionsIn(where: unknown): Condition[] | null {
  if (where === undefined) return [];
  if (!isRecord(where)) return null;
  const parts: unknown[] = Array.isArray(where['all']) ? where['all'] : [where];
  if (Array.isArray(where['all']) && Object.keys(where).length > 1) return null;
  const found = parts.map(conditionIn);
  return found.includes(null) ? null : found.flatMap((one) => one ?? []);
}

function conditionIn(part: unknown): Condition | null {
  if (!isRecord(part)) return null;
  const { column, ...others } = part;
  const [[is, value] = ['', undefined], ...more] = Object.entries(others);
  if (typeof column !== 'string' || more.length > 0) return null;
  if (is === 'empty' && typeof value === 'boolean')
    return { column, is: value ? 'empty' : 'filled', values: [] };
  const list: unknown[] = [value].flat();
  const values = list.flatMap((one) =>
    typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean'
      ? [String(one)]
      : [],
  );
  if (is === 'in' || is === 'notIn') return { column, is, values };
  if (is === 'equals' || is === 'notEquals')
    return { column, is: is === 'equals' ? 'in' : 'notIn', values };
  return null;
}

const filterDecisions = ({ columns }: ReadTable): Decision[] =>
  permissionsIn(columns)
    .filter(({ about }) => about !== 'messages')
    .map(({ column, about, answers, filter }) => ({
      ...{ kind: 'filter', id: `where ${column}`, column, about, answers: [...answers] },
      condition: conditionIn(filter),
    }));

/** Of which country numbers without a code are, where that is only guessed. */
function countryDecisions({ country }: ReadTable, mapping: unknown): Decision[] {
  const phones = writtenUses(mapping).filter(({ target }) => target === 'phones');
  const columns = [...new Set(phones.flatMap((use) => use.columns))];
  if (columns.length === 0 || (country.code !== undefined && country.doubt === undefined))
    return [];
  return [{ kind: 'country', id: 'country', columns, country: country.code ?? null }];
}

/** Ways to read a column between which its cells do not decide, such as the order of day and month. */
function valueDecisions({ items }: Draft, mapping: unknown): Decision[] {
  return items.flatMap(
    ({ place, state, value, columns: [column] = [], above = [], below = [] }) => {
      const offered = [...above, ...below].flatMap(({ kind, choices = [] }) =>
        kind === 'decide' ? choices : [],
      );
      if (column === undefined || offered.length === 0) return [];
      const values = [...(state === 'taken' ? [value] : []), ...offered.map((one) => one.value)];
      const choices = values.map((one) => writtenValue(one, column));
      // A field has one value, whatever column it is of; a list has one of each column.
      const use = writtenUses(mapping).find(
        ({ target, columns }) =>
          target === place &&
          (target.startsWith('fields.') || columns.includes(headerName(column))),
      );
      const now = use && writtenValue(use.spec, column);
      const chosen = choices.findIndex((one) => isDeepStrictEqual(one, now));
      return [
        {
          ...{ kind: 'value', id: `${place} ${column}`, column, target: place, choices },
          chosen: chosen < 0 ? null : chosen,
        },
      ];
    },
  );
}

function writtenValue(
  spec: unknown,
  column: string,
): { readonly column: string; readonly keys: Record<string, unknown> } {
  if (typeof spec === 'string') return { column: spec, keys: {} };
  const { column: own, ...keys } = isRecord(spec) ? spec : {};
  return { column: typeof own === 'string' ? own : column, keys };
}

type ReadColumns = Awaited<ReturnType<typeof readColumns>>;

/** @throws as `mappedColumns` does */
async function readColumns(request: MappedColumnsRequest) {
  const { yaml, tables, file, name, ledger, mapping } = request;
  const installation = await loadInstallation(request.installation);
  const found = isBlankMapping(yaml) ? undefined : documentOf(mapping, yaml);
  const document = found && 'document' in found ? found.document : undefined;
  const value = document?.value;
  const mode = modeOf(value);
  const { until: _until, headerRow, ...options } = sourceOf(value);
  const asked = { file, name, options, header: { headerRow }, installation, mode, ledger };
  const { table, source } = await tables.readFile(asked);
  const columns = [...new Set(writtenUses(value).flatMap((use) => use.columns))];
  // Where the header that is found lacks columns of the mapping, it is looked for by them, as an import does.
  const isWhole = columns.every((column) => table.headers.includes(column));
  const header = { headerRow, ...(isWhole ? {} : { columns }) };
  const read = await tables.readTable({ ...asked, header });
  return { document, read, installation, mode, sheet: source.sheet ?? null, source };
}

async function lookupsOf(document: PlacedDocument) {
  try {
    return { tables: await loadTables(document, { readTable: lookupTable }), mistakes: [] };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { tables: undefined, mistakes: error.mistakes };
  }
}

/** A spreadsheet, and what its columns are understood by. */
interface TableRequest {
  readonly file: string;
  /** Name of the file, as the person knows it. */
  readonly name: string;
  readonly options: SourceOptions;
  readonly header: HeaderQuestion;
  readonly installation: Pick<Installation, 'card' | 'clientRoles'>;
  readonly mode: Mode;
  readonly ledger: string;
}

/** Tables that are kept: a few lists in a few ways of reading them. */
const KEPT = 8;

/** Spreadsheets as far as their columns are looked at. Each is read once, for as long as its file stays the same. */
export class Tables {
  readonly #files = new Map<string, Promise<ReadFile>>();
  readonly #tables = new Map<string, Promise<ReadTable>>();

  /** @throws InputError when the file cannot be read */
  async readFile({
    file,
    name,
    options,
    header,
    installation,
  }: Pick<TableRequest, 'file' | 'name' | 'options' | 'header'> &
    Partial<Pick<TableRequest, 'installation'>>): Promise<ReadFile> {
    const { size, mtimeMs, ino } = await stat(file);
    const names = namesOnCard(installation?.card ?? {});
    const key = JSON.stringify([file, name, size, mtimeMs, ino, options, header, names]);
    return kept(this.#files, key, () =>
      readForSuggestion(file, options, { name, open: openWithinLimits, header, names }),
    );
  }

  /** What the columns hold and what each could be. @throws InputError when the file cannot be read */
  async readTable(request: TableRequest): Promise<ReadTable> {
    const { installation, mode, ledger } = request;
    const { table, source } = await this.readFile(request);
    const { card, clientRoles } = installation;
    const key = JSON.stringify([source, table.headers, request.file, card, clientRoles, mode]);
    return kept(this.#tables, key, async () => {
      const remembered = await rememberedColumns(ledger, table.headers, mode);
      return readTable({ table, installation, mode, remembered });
    });
  }
}

/** What was made for a key before, or is made now; the oldest goes. What fails is made again. */
function kept<T>(all: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const known = all.get(key);
  const found = known ?? make();
  all.delete(key);
  all.set(key, found);
  if (!known) found.catch(() => all.delete(key));
  const [oldest] = all.keys();
  if (all.size > KEPT && oldest !== undefined) all.delete(oldest);
  return found;
}
