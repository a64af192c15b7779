import { z } from 'zod';
import { MODE_TRAITS, type Mode, MODES } from '../core/outcome.js';
import { type PlacedDocument, type Path, pathText, readDocument } from '../config/document.js';
import {
  checkDocument,
  type Wording,
  refuseOtherFile,
  keysAt,
  describedSchema,
  mistakeAt,
} from '../config/document.js';
import {
  type CallableSpec,
  type Campaign,
  duplicateRule,
  type FreshSpec,
  type Mapping,
  mappingSchema,
  mappingSchemas,
  type Until,
} from './schema.js';
import { headerName } from '../core/table.js';
import { isRecord, suggestion } from '../core/text.js';
import { ConfigurationError, InputError } from '../core/errors.js';
import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import type { DuplicateRule } from '../core/duplicates.js';
import { readHolidays } from '../calling/hours.js';
import { type LookupColumns, type Table, isLarge, type ReadTable } from './transforms/step.js';

interface CheckedMapping {
  readonly mapping: Mapping;
  /** The file, without what is ignored. */
  readonly document: PlacedDocument;
  /** Whether the mapping was written for another mode. */
  readonly borrowed: boolean;
}

const ownMode = z.looseObject({ mode: z.enum(MODES).default('create') });

/**
 * Checks a mapping file against its mode, or against another one that is wanted. In its own mode a mapping has no part
 * that is not used, lest somebody believe that it is sent. What it has for its own mode alone is ignored when another
 * one is wanted, so that clients can be enqueued or deleted by the mapping that created them.
 * @throws ConfigurationError with every mistake; of a mode that does not exist no other, since nobody can tell them
 */
export function checkMapping(document: PlacedDocument, wanted?: Mode): CheckedMapping {
  refuseOtherFile(document, 'mapping');
  const own = checkDocument(document, ownMode).mode;
  const mode = wanted ?? own;
  const borrowed = mode !== own;
  let suited = document;
  if (borrowed) {
    const left = withoutUnused(mode, document.value, []) as Record<string, unknown>;
    const { duplicates, ...value } = left;
    const rule = suitedRule(mode, duplicates);
    const kept = rule === undefined ? {} : { duplicates: rule };
    suited = { ...document, value: { ...value, ...kept, mode } };
  }
  const schema: (typeof mappingSchemas)[Mode] = mappingSchemas[mode];
  return { mapping: checkDocument(suited, schema, modeWording(mode)), document: suited, borrowed };
}

/** A rule of duplicates as a mode has it, maybe without phones and earlier runs; `undefined` where nothing is left of it. */
function suitedRule(mode: Mode, rule: unknown): unknown {
  if (!isRecord(rule)) return rule;
  const { hasPhones, enqueues } = MODE_TRAITS[mode];
  const { within, by, ...others } = rule;
  const kinds: unknown = !hasPhones && Array.isArray(by) ? by.filter((one) => one !== 'phone') : by;
  if (!hasPhones && (by === 'phone' || (Array.isArray(kinds) && kinds.length === 0)))
    return undefined;
  return {
    ...others,
    ...(kinds === undefined ? {} : { by: kinds }),
    ...(enqueues && within !== undefined ? { within } : {}),
  };
}

/** Leaves out what other modes know and this one does not; what no mode knows is a mistake, and stays. */
function withoutUnused(mode: Mode, value: unknown, path: Path): unknown {
  if (Array.isArray(value))
    return value.map((inner, index) => withoutUnused(mode, inner, [...path, index]));
  if (!isRecord(value)) return value;
  const used = keysAt(mappingSchemas[mode], path);
  const known = keysAt(mappingSchema, path);
  const kept = Object.entries(value).filter(([key]) => used.includes(key) || !known.includes(key));
  return Object.fromEntries(
    kept.map(([key, inner]) => [key, withoutUnused(mode, inner, [...path, key])]),
  );
}

/** A part of the mapping as such: at the top, in `client` or `callback`, or the status of a contact. */
const PART = /^(?:(?:client|callback)\.)?\w+(?:\[\d+\]\.active)?$/;

const BY = /^duplicates\.by(?:\[\d+\])?$/;

/** Says of a mistake that the mode is the reason for it, where it is. */
function modeWording(mode: Mode): Wording {
  return (issue, path, hint) => {
    const part = pathText(path);
    if (issue.code === 'unrecognized_keys') return notUsed(mode, path);
    if (issue.code === 'invalid_value' && BY.test(part) && issue.input === 'phone')
      return [`mode ${mode} sends no phones to compare.`, 'Use sync or none.'];
    if (mode === 'enqueue' && issue.code === 'custom' && part === 'duplicates.by')
      return [
        `mode ${mode} sends no phones to compare.`,
        'Name them, such as phones: [Mobile], or use sync or none.',
      ];
    const { input } = issue;
    if (input === undefined && PART.test(part)) {
      // Of a whole section that is missing, what it holds.
      const isSection = issue.code === 'invalid_type' && issue.expected === 'object';
      const keys = isSection ? keysAt(mappingSchemas[mode], path) : [];
      return [`mode ${mode} needs ${part}.`, isSection ? `It holds: ${keys.join(', ')}.` : hint];
    }
    // The name of a column alone, as in other modes.
    const isBare = issue.code === 'invalid_type' && typeof input === 'string';
    return mode === 'contacts' && isBare && /\[\d+\]$/.test(part)
      ? [`mode contacts needs ${part}.active.`, `Write { column: ${input}, active: … }.`]
      : undefined;
  };
}

/** A part that other modes have. Says what the mode uses in its place, and, where they are few, who uses the part. */
function notUsed(mode: Mode, path: Path): ReturnType<Wording> {
  const above = path.slice(0, -1);
  const keysOf = (of: Mode): string[] => keysAt(mappingSchemas[of], above);
  const users = MODES.filter((other) => keysOf(other).includes(String(path.at(-1))));
  if (users.length === 0) return undefined;
  const used = keysOf(mode).filter((key) => key !== '$schema');
  const place = above.length === 0 ? 'It' : `Of ${pathText(above)} it`;
  const others = users.length > FEW ? '' : ` It belongs to: ${users.join(', ')}.`;
  return [
    `mode ${mode} does not use ${pathText(path)}.${others}`,
    `${place} uses: ${used.join(', ')}.`,
  ];
}

/** So many modes can be named without wearying anybody. */
const FEW = 3;

/** JSON Schema of a mapping file. */
export const mappingJsonSchema = (): Record<string, unknown> =>
  describedSchema(
    mappingSchema,
    'cardline mapping',
    new URL('./data/mapping-keys.tsv', import.meta.url),
  );

/**
 * Position of the column that `source.until` is about.
 * @param file name of the spreadsheet, for messages
 * @throws ConfigurationError when the table has no such column
 */
export function endColumn(
  { column }: Until,
  header: readonly string[],
  { document }: Pick<LoadedMapping, 'document'>,
  file: string,
): number {
  const at = header.indexOf(headerName(column));
  if (at >= 0) return at;
  const path = ['source', 'until', 'column'];
  const message = `${file} has no column "${column}".`;
  throw new ConfigurationError([mistakeAt(document, path, message, suggestion(column, header))]);
}

type Calendar = Awaited<ReturnType<typeof readHolidays>>;

/** A mapping file that is right in itself; `compileMapping` fits it to a spreadsheet and an installation. */
export interface LoadedMapping extends Pick<
  Mapping,
  'mode' | 'source' | 'blank' | 'where' | 'uuid'
> {
  /** Whether a deleted client is restored when it is created again (interface.md 4.1). */
  readonly recovery: boolean;
  /** What makes a row a duplicate. Default: the identifiers; nothing in the modes `contacts` and `callbacks`. */
  readonly duplicates: DuplicateRule;
  readonly campaign?: Campaign | undefined;
  /** When clients may be called. */
  readonly callable?: CallableSpec | undefined;
  /** Days without calls, where that names a calendar. */
  readonly holidays?: Calendar['holidays'] | undefined;
  /** How old a row may be. */
  readonly fresh?: FreshSpec | undefined;
  /** The sections that become what is sent, by the mode. */
  readonly sections: Mapping;
  /** Whether the mapping was written for another mode: what this one does not use is ignored, not refused. */
  readonly borrowed: boolean;
  readonly document: PlacedDocument;
  /** Lookup tables by the file name in the mapping. */
  readonly tables: ReadonlyMap<string, Table>;
  /** SHA-256 of what was read, as hexadecimal text: shows whether the file, or a table, was changed since. */
  readonly digests: {
    readonly document: string;
    /** Of all lookup tables and calendars, by the names of their files; empty text where there are none. */
    readonly tables: string;
  };
}

export interface LoadOptions {
  /** Reads a table for `lookup`. Without it, a mapping with a lookup is refused. */
  readonly readTable?: ReadTable | undefined;
  /** Wins over the mode of the mapping. */
  readonly mode?: Mode | undefined;
}

/**
 * Reads a mapping file (YAML or JSON) and the tables that it looks up.
 * @throws ConfigurationError with every mistake: file, line, column, and what would be right.
 */
export async function loadMapping(file: string, options: LoadOptions = {}): Promise<LoadedMapping> {
  const document = await readDocument(file);
  const composed = { ...document, value: inNfc(document.value) };
  const checked = checkMapping(composed, options.mode);
  const holidays = await loadHolidays(checked);
  return loadedMapping(checked, await loadTables(checked.document, options), holidays);
}

/** A mapping that has been checked, with its tables, as it is compiled. */
export function loadedMapping(
  { mapping: sections, document, borrowed }: CheckedMapping,
  tables: ReadonlyMap<string, Table>,
  calendar?: Calendar,
): LoadedMapping {
  const { mode, source, blank, where, uuid, duplicates } = sections;
  const digest = createHash('sha256').update(document.text).digest('hex');
  return {
    ...{ mode, source, blank, where, uuid, sections, document, borrowed },
    duplicates: duplicateRule(duplicates),
    recovery: 'recovery' in sections && sections.recovery === true,
    campaign: 'campaign' in sections ? sections.campaign : undefined,
    callable: 'callable' in sections ? sections.callable : undefined,
    fresh: 'fresh' in sections ? sections.fresh : undefined,
    holidays: calendar?.holidays,
    tables,
    digests: { document: digest, tables: tablesDigest(tables, calendar) },
  };
}

/** By the cells, one table after the other; of a large one, by its file. */
function tablesDigest(tables: ReadonlyMap<string, Table>, calendar?: Calendar): string {
  if (tables.size === 0 && !calendar) return '';
  const hash = createHash('sha256');
  for (const [name, table] of [...tables].sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(JSON.stringify(name));
    if (isLarge(table)) hash.update(table.digest);
    else for (const row of table) hash.update(JSON.stringify(row));
  }
  if (calendar) hash.update(calendar.text);
  return hash.digest('hex');
}

/** The tables that a mapping looks up, by their names in it. @throws ConfigurationError with all that cannot be read */
export async function loadTables(
  document: PlacedDocument,
  { readTable }: LoadOptions,
): Promise<Map<string, Table>> {
  const tables = new Map<string, Table>();
  const mistakes = [];
  const lookups = [...lookupsIn(document.value, [])];
  for (const { name, path } of lookups) {
    if (tables.has(name)) continue;
    const columns = lookups.flatMap((one) => (one.name === name && one.columns) || []);
    try {
      if (!readTable)
        throw new InputError('no_reader', 'tables cannot be read here.', { file: name });
      tables.set(name, await readTable(resolve(dirname(document.file), name), columns));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      mistakes.push(mistakeAt(document, path, `the table ${name} cannot be read: ${error.reason}`));
    }
  }
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return tables;
}

/** The calendar that a mapping names. @throws ConfigurationError where it cannot be read */
async function loadHolidays({ mapping, document }: CheckedMapping): Promise<Calendar | undefined> {
  const name = 'callable' in mapping ? mapping.callable?.holidays : undefined;
  if (name === undefined) return undefined;
  try {
    return await readHolidays(resolve(dirname(document.file), name));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const line = error.place.row === undefined ? '' : `line ${error.place.row}: `;
    const message = `the holidays ${name} cannot be read: ${line}${error.reason}`;
    throw new ConfigurationError([mistakeAt(document, ['callable', 'holidays'], message)]);
  }
}

/** Names of other files, which stand on the disk as they are written. */
const FILES = new Set(['file', 'holidays']);

/** Texts of a mapping in the Unicode form of cells: some editors write letters with their marks apart. */
function inNfc(value: unknown): unknown {
  if (typeof value === 'string') return value.normalize('NFC');
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inNfc);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.normalize('NFC'),
      FILES.has(key) && typeof inner === 'string' ? inner : inNfc(inner),
    ]),
  );
}

/** Every `lookup: { file: … }` of a mapping that has been checked; a column may be named `lookup` too. */
function* lookupsIn(
  value: unknown,
  path: Path,
): Generator<{ name: string; path: Path; columns: LookupColumns | null }> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const here = [...path, Array.isArray(value) ? Number(key) : key];
    const { file: name, key: from, value: to } = (inner ?? {}) as Record<string, unknown>;
    if (key === 'lookup' && typeof name === 'string') {
      const isWhole = typeof from === 'string' && typeof to === 'string';
      yield { name, path: [...here, 'file'], columns: isWhole ? { key: from, value: to } : null };
    } else yield* lookupsIn(inner, here);
  }
}
