import { ConfigurationError, type ConfigMistake } from '../../core/errors.js';
import { parsePlaced, pathText } from '../../config/document.js';
import { patchYaml } from '../../config/patch-yaml.js';
import * as adjust from './adjust.js';
import type { EditOf, MappingEdit, ValueKeys } from './edit.js';
import { mapValue } from './map-value.js';
import {
  isRecord,
  type Keys,
  type EditRefusal,
  RefusedEdit,
  dropAt,
  listAt,
  putAt,
  sectionAt,
  setKey,
  usesOfColumn,
  type ColumnTarget,
  isList,
  type ListTarget,
  pathOf,
  valueAt,
  type WrittenUse,
} from './places.js';
import { headerName } from '../../core/table.js';

/** What came of an edit. Without `yaml` nothing was changed. */
export type EditedMapping =
  | { readonly yaml: string }
  /** The text is no YAML, or no keys and values: what is wrong, with its lines. */
  | { readonly mistakes: readonly ConfigMistake[] }
  /** The edit does not suit the mapping. */
  | { readonly refused: EditRefusal };

type Edits = {
  readonly [Kind in MappingEdit['kind']]: (mapping: Keys, edit: EditOf<Kind>) => void;
};

/** A client that is created or changed has contacts of a type; where they get a status, none is named. */
const hasType = (mapping: Keys, target: ColumnTarget): boolean =>
  (target === 'phones' || target === 'addresses') && mapping['mode'] !== 'contacts';

const isAlone = ({ columns }: WrittenUse): boolean => columns.length === 1;

const EDITS: Edits = {
  become,
  columns: setColumns,
  constant: setConstant,
  step: adjust.setStep,
  withoutStep: adjust.withoutStep,
  steps: adjust.setSteps,
  mapValue,
  blank: adjust.setBlank,
  invalid: adjust.setInvalid,
  default: adjust.setDefault,
  required: adjust.setRequired,
  split: adjust.setSplit,
  where: adjust.setWhere,
  source: adjust.setSource,
};

/**
 * Makes one edit in the text of a mapping. All that the edit does not concern stays as it is written. The mapping may
 * lack what it needs, and may have mistakes: only YAML has to be right.
 * @param file what mistakes call the text
 */
export function editMapping(yaml: string, edit: MappingEdit, file = 'the mapping'): EditedMapping {
  try {
    const mapping = keysOf(yaml, file);
    refuseReserved(edit);
    apply(mapping, edit);
    const edited = patchYaml(yaml, mapping);
    return edited === null
      ? { refused: { code: 'not_writable', params: { path: '' } } }
      : { yaml: edited };
  } catch (error) {
    if (error instanceof ConfigurationError) return { mistakes: error.mistakes };
    if (!(error instanceof RefusedEdit)) throw error;
    return { refused: withLine(error, yaml, file) };
  }
}

function apply<Kind extends MappingEdit['kind']>(mapping: Keys, edit: EditOf<Kind>): void {
  const make: (mapping: Keys, edit: EditOf<Kind>) => void = EDITS[edit.kind];
  make(mapping, edit);
}

/** The mapping as plain data; one that nobody has begun has none. */
function keysOf(yaml: string, file: string): Keys {
  if (isBlankMapping(yaml)) return {};
  const { value } = parsePlaced(file, yaml);
  if (isRecord(value)) return structuredClone(value);
  throw new ConfigurationError([
    {
      ...{ file, line: 1, column: 1, message: 'it must be keys and values.' },
      suggestion: 'A mapping begins with "client:".',
    },
  ]);
}

/** Whether there is nothing but comments. */
export const isBlankMapping = (yaml: string): boolean =>
  yaml.split('\n').every((line) => /^\s*(?:#|$)/.test(line));

/** A key that JavaScript takes for something else. */
const RESERVED = '__proto__';

function refuseReserved(edit: MappingEdit): void {
  const names = [
    ...('target' in edit ? [edit.target?.replace(/^fields\./, '')] : []),
    ...(edit.kind === 'mapValue' ? [edit.from.trim(), ...(edit.keep ?? [])] : []),
  ];
  if (names.includes(RESERVED))
    throw new RefusedEdit({ code: 'reserved_name', params: { name: RESERVED } });
}

function withLine({ refusal, path }: RefusedEdit, yaml: string, file: string): EditRefusal {
  if (path.length === 0 || isBlankMapping(yaml)) return refusal;
  return { ...refusal, line: parsePlaced(file, yaml).placeOf(path).line };
}

/** Sets what a column becomes. Other columns of a value that it leaves stay. @throws RefusedEdit */
function become(mapping: Keys, edit: EditOf<'become'>): void {
  const { column, target, at } = edit;
  // A list has an entry for each column.
  const join = target !== null && isList(target) ? undefined : edit.join;
  const left = at === 'new' ? [] : usesOfColumn(mapping, column, at);
  const same = left.find((use) => use.target === target && isAlone(use));
  if (same && join === undefined) {
    setBeside(mapping, same, edit);
    for (const use of left.toReversed()) if (use !== same) leave(mapping, use, column);
    return;
  }
  // What counts as an empty cell is of the column, wherever it goes.
  const blank = left.map(({ spec }) => (isRecord(spec) ? spec['blank'] : undefined)).find(Boolean);
  const goes = left.filter((use) => join === undefined || use.target !== target);
  for (const use of goes.toReversed()) leave(mapping, use, column);
  if (target === null) return;
  const keys: Keys = { ...(blank === undefined ? {} : { blank }), ...edit.keys };
  if (join !== undefined && !isList(target)) joinTo(mapping, target, column, join);
  else if (isList(target)) listAt(mapping, target).push(entry(mapping, target, edit, keys));
  else put(mapping, target, Object.keys(keys).length === 0 ? column : { column, ...keys });
}

/** Changes what stands beside a column that stays where it is. */
function setBeside(
  mapping: Keys,
  { spec, path, target }: WrittenUse,
  edit: EditOf<'become'>,
): void {
  const beside: ValueKeys & { type?: string } = { ...edit.keys };
  const type = target === 'phones' ? edit.phoneType : edit.addressType;
  if (hasType(mapping, target) && type !== undefined) beside.type = type;
  if (Object.keys(beside).length === 0) return;
  putAt(mapping, path, { ...(isRecord(spec) ? spec : { column: spec }), ...beside });
}

function entry(mapping: Keys, target: ListTarget, edit: EditOf<'become'>, keys: Keys): unknown {
  const { column, phoneType = 'MOB', addressType = 'HOME' } = edit;
  const type = hasType(mapping, target)
    ? { type: target === 'phones' ? phoneType : addressType }
    : {};
  const status = mapping['mode'] === 'contacts' ? { active: true } : {};
  const beside = { ...type, ...keys, ...status };
  return target === 'emails' && Object.keys(beside).length === 0 ? column : { column, ...beside };
}

function put(mapping: Keys, target: ColumnTarget, value: unknown): void {
  const path = pathOf(target);
  sectionAt(mapping, path.slice(0, -1))[path.at(-1) ?? ''] = value;
}

/** Takes a column out of a value; the value goes where it has no other. */
function leave(mapping: Keys, use: WrittenUse, column: string): void {
  const { spec, path } = use;
  const name = headerName(column);
  if (!isRecord(spec) || use.columns.every((one) => one === name)) {
    dropAt(mapping, use);
    return;
  }
  const { columns } = spec;
  if (!Array.isArray(columns))
    throw new RefusedEdit(
      { code: 'in_template', params: { column: name, path: pathText(path) } },
      path,
    );
  const others: unknown[] = columns.filter((one: unknown) => headerName(String(one)) !== name);
  putAt(mapping, path, withColumns(spec, others));
}

/** The value made of these columns. The keys beside them keep their order. */
function withColumns(spec: Keys, columns: readonly unknown[], join?: string): Keys {
  const [first] = columns;
  const isOne = columns.length === 1;
  const entries = Object.entries(spec).flatMap(([key, value]): [string, unknown][] => {
    if (key === 'column' || key === 'columns')
      return [isOne ? ['column', first] : ['columns', columns]];
    return key === 'join' && (isOne || join !== undefined) ? [] : [[key, value]];
  });
  const made = Object.fromEntries(entries);
  if (!isOne && join !== undefined && join !== ' ') made['join'] = join;
  return made;
}

function joinTo(mapping: Keys, target: ColumnTarget, column: string, join: string | true): void {
  const spec = valueAt(mapping, pathOf(target));
  if (spec === undefined || spec === null) {
    put(mapping, target, column);
    return;
  }
  const keys = isRecord(spec) ? spec : { column: spec };
  const present: unknown[] = Array.isArray(keys['columns']) ? keys['columns'] : [keys['column']];
  if (present.some((one) => typeof one !== 'string'))
    throw new RefusedEdit({ code: 'not_joinable', params: { target } }, pathOf(target));
  const isThere = present.some((one) => headerName(String(one)) === headerName(column));
  const columns = isThere ? present : [...present, column];
  const between = join === true ? undefined : join;
  put(mapping, target, withColumns(keys, columns, between));
}

/** Makes a value of several columns; the keys beside them stay. @throws RefusedEdit */
function setColumns(mapping: Keys, { target, columns, join }: EditOf<'columns'>): void {
  const [first = ''] = columns;
  if (isList(target)) {
    const type = hasType(mapping, target) ? { type: target === 'phones' ? 'MOB' : 'HOME' } : {};
    const status = mapping['mode'] === 'contacts' ? { active: true } : {};
    listAt(mapping, target).push({
      ...withColumns({ column: first }, columns, join),
      ...type,
      ...status,
    });
    return;
  }
  const spec = valueAt(mapping, pathOf(target));
  const isMade = isRecord(spec) && ('column' in spec || 'columns' in spec);
  if (columns.length === 1 && !isMade) put(mapping, target, first);
  else put(mapping, target, withColumns(isMade ? spec : { column: first }, columns, join ?? ' '));
}

/** Gives every row the same value; the columns that it came from are no longer used for it. */
function setConstant(mapping: Keys, { target, value }: EditOf<'constant'>): void {
  const path = pathOf(target);
  const section = sectionAt(mapping, path.slice(0, -1));
  if (isList(target))
    throw new RefusedEdit({ code: 'not_a_section', params: { path: pathText(path) } }, path);
  setKey(section, path.at(-1) ?? '', value === null ? null : { value });
}
