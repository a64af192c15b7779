import {
  type MappingEdit,
  type EditedMapping,
  editMapping,
  isBlankMapping,
} from '../mapping/edit.js';
import { readText } from '../config/document.js';
import { UsageError, codeOf } from '../core/errors.js';
import { isRecord } from '../core/text.js';
import { type ColumnTarget, writtenUses } from '../mapping/column-uses.js';
import { documentOf } from '../suggest/view.js';
import { source as sourceSchema } from '../mapping/schema.js';
import { dirname, isAbsolute, relative, resolve, join } from 'node:path';
import { patchYaml } from '../config/patch-yaml.js';
import { readdir } from 'node:fs/promises';
import { writePieces } from '../report/files.js';

/** Makes several edits in the text of a mapping, one after the other: all of them, or none. */
export function editText(
  yaml: string,
  edits: readonly MappingEdit[],
  file?: string,
): EditedMapping {
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
export const sourceOf = (value: unknown) =>
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
  withWholePaths(await readText(file), file);

/** Names the tables that a mapping looks up by whole paths, so that it works in another folder. */
const withWholePaths = (yaml: string, mappingFile: string): string =>
  withTables(yaml, (name) => resolve(dirname(mappingFile), name));

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
