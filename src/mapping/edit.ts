import { columnName, filled, scalar, someText } from '../config/document.js';
import { z } from 'zod';
import { ADDRESS_TYPES, PHONE_TYPES } from '../core/client.js';
import { transform, transforms, valueShape, where, source } from './schema.js';
import { TRANSFORM_NAMES, compileTransforms, type TransformName } from './transforms/registry.js';
import {
  columnTarget,
  type ColumnTarget,
  isList,
  type ListTarget,
  pathOf,
  valueAt,
  type WrittenUse,
  writtenUses,
} from './column-uses.js';
import { parsePlaced, pathText, type Path } from '../config/document.js';
import { patchYaml } from '../config/patch-yaml.js';
import { ConfigurationError, type ConfigMistake } from '../core/errors.js';
import { headerName } from '../core/table.js';
import { isRecord } from '../core/text.js';
import { type TransformContext, Watch } from './transforms/step.js';

/** What a schema takes, as it was given: a mapping does not write out what holds without being said. */
const asGiven = <S extends z.ZodType>(schema: S) =>
  z.custom<z.input<S>>(
    (value) => schema.safeParse(value).success,
    'it is not written as a mapping has it.',
  );

const step = asGiven(transform);
const path = z.array(z.union([z.string(), z.int().min(0)])).min(1);

/** Which value is meant, where a column is used in several. */
const use = {
  column: columnName,
  /** Place of the value in the mapping. @default the first one made of the column */
  at: path.optional(),
} as const;

const { map, default: fallback, required, blank, invalid, split, part } = valueShape;

/** What stands beside the column of a value. */
export const valueKeys = z.strictObject({
  ...{ split, part, blank, transform: asGiven(transforms).optional() },
  ...{ map, default: fallback, required, invalid },
});
export type ValueKeys = z.output<typeof valueKeys>;

const { sheet, headerRow, encoding, delimiter } = source.shape;
/** `null`: the option is taken out. */
const orNone = <S extends z.ZodType>(schema: S) => schema.nullable();

/** One edit of a mapping, as the page makes it. */
export const mappingEdit = z.discriminatedUnion('kind', [
  // Sets what a column becomes.
  z.strictObject({
    kind: z.literal('become'),
    column: columnName,
    /** `null`: the column is not imported. */
    target: columnTarget.nullable(),
    /** Place of the value that the column leaves; `new`: it leaves none. @default all values that it is part of */
    at: z.union([path, z.literal('new')]).optional(),
    /** Adds the column to those that the target has, with this text between them; `true`: a space. @default it takes their place */
    join: z.union([z.literal(true), z.string()]).optional(),
    /** @default MOB */
    phoneType: z.enum(PHONE_TYPES).optional(),
    /** @default HOME */
    addressType: z.enum(ADDRESS_TYPES).optional(),
    keys: valueKeys.optional(),
  }),
  // Makes a value of several columns, which keep what else they become. `join`: text between them, by default a space.
  z.strictObject({
    kind: z.literal('columns'),
    target: columnTarget,
    columns: z.array(columnName).min(1),
    join: z.string().optional(),
  }),
  // Gives every row the same value.
  z.strictObject({ kind: z.literal('constant'), target: columnTarget, value: orNone(scalar) }),
  // Sets a transform of a value; one of the same name is replaced.
  z.strictObject({ kind: z.literal('step'), ...use, step }),
  // Takes the transforms of a name out.
  z.strictObject({ kind: z.literal('withoutStep'), ...use, name: z.enum(TRANSFORM_NAMES) }),
  // Sets all transforms of a value.
  z.strictObject({ kind: z.literal('steps'), ...use, steps: z.array(step) }),
  // Replaces one value of a column by another.
  z.strictObject({
    kind: z.literal('mapValue'),
    ...use,
    /** The cell, as it stands in the file. */
    from: filled,
    to: orNone(scalar),
    /** Values that stay as they are, since a map rejects what it does not know. @default all others stay */
    keep: z.array(z.string()).optional(),
  }),
  // Sets the words that count as an empty cell: none where there are no words. By default in all columns.
  z.strictObject({
    kind: z.literal('blank'),
    column: columnName.optional(),
    at: use.at,
    words: z.array(scalar),
  }),
  // Sets what becomes of a wrong value.
  z.strictObject({ kind: z.literal('invalid'), ...use, invalid: z.enum(['reject', 'drop']) }),
  // Sets the value of rows that have none.
  z.strictObject({ kind: z.literal('default'), ...use, value: orNone(scalar) }),
  // Sets whether a row without the value is rejected.
  z.strictObject({ kind: z.literal('required'), ...use, required: z.boolean() }),
  // Sets what stands between several values in one cell.
  z.strictObject({ kind: z.literal('split'), ...use, split: orNone(someText), part }),
  // Sets which rows are taken; `null`: all of them.
  z.strictObject({ kind: z.literal('where'), where: orNone(asGiven(where)) }),
  // Sets how the spreadsheet is read.
  z.strictObject({
    kind: z.literal('source'),
    options: z.strictObject({
      sheet: orNone(sheet),
      headerRow: orNone(headerRow),
      encoding: orNone(encoding),
      delimiter: orNone(delimiter),
    }),
  }),
]);

export type MappingEdit = z.output<typeof mappingEdit>;
type EditOf<Kind extends MappingEdit['kind']> = Extract<MappingEdit, { kind: Kind }>;

/** Why an edit cannot be made, with what the words for it need. */
interface RefusalParams {
  /** The mapping has no value that is made of the column, at the place or at all. */
  readonly not_used: { readonly column: string };
  /** The column is one of several in a template: only a person knows what is left without it. */
  readonly in_template: { readonly column: string; readonly path: string };
  /** The target has a constant or a template, which no column can be added to. */
  readonly not_joinable: { readonly target: string };
  /** Something else than keys and values, or a list, stands where the edit belongs. */
  readonly not_a_section: { readonly path: string };
  /** The place is written in a way that cannot be changed without losing something. */
  readonly not_writable: { readonly path: string };
  /** A name that YAML files cannot hold here. */
  readonly reserved_name: { readonly name: string };
  /** The new value holds signs that a pattern takes for something else: give the values to keep. */
  readonly needs_keep: { readonly value: string };
}

/** Why an edit cannot be made, as a code with what its words need, and the line where it shows. */
export type EditRefusal = {
  [Code in keyof RefusalParams]: {
    readonly code: Code;
    readonly params: RefusalParams[Code];
    /** From 1; absent where no place of the text shows it. */
    readonly line?: number | undefined;
  };
}[keyof RefusalParams];

class RefusedEdit extends Error {
  constructor(
    readonly refusal: EditRefusal,
    /** The place of the mapping that shows why. */
    readonly path: Path = [],
  ) {
    super(refusal.code);
  }
}

/** What came of an edit. Without `yaml` nothing was changed. */
export type EditedMapping =
  | { readonly yaml: string }
  /** The text is no YAML, or no keys and values: what is wrong, with its lines. */
  | { readonly mistakes: readonly ConfigMistake[] }
  /** The edit does not suit the mapping. */
  | { readonly refused: EditRefusal };

type Keys = Record<string, unknown>;

const EDITS: {
  readonly [Kind in MappingEdit['kind']]: (mapping: Keys, edit: EditOf<Kind>) => void;
} = {
  become,
  columns: setColumns,
  // The columns that the value came from are no longer used for it.
  constant: (mapping, { target, value }) => {
    const path = pathOf(target);
    const section = sectionAt(mapping, path.slice(0, -1));
    if (isList(target)) throw notASection(path);
    setKey(section, path.at(-1) ?? '', value === null ? null : { value });
  },
  mapValue: ofColumn(mapValue),
  step: ofColumn((keys, { step }) => {
    const name = nameOfStep(step);
    const isFirst = name !== undefined && FIRST.has(name);
    placeStep(keys, step, (one) => nameOfStep(one) === name, isFirst);
  }),
  withoutStep: ofColumn((keys, { name }) => {
    writeSteps(
      keys,
      stepsOf(keys).filter((step) => nameOfStep(step) !== name),
    );
  }),
  steps: ofColumn((keys, { steps }) => {
    writeSteps(keys, steps);
  }),
  blank: (mapping, { column, at, words }) => {
    const keys = column === undefined ? mapping : keysOfColumn(mapping, column, at);
    setKey(keys, 'blank', words.length === 0 ? null : words);
  },
  // To reject is what happens without the key.
  invalid: ofColumn((keys, { invalid }) => {
    setKey(keys, 'invalid', invalid === 'drop' || 'invalid' in keys ? invalid : null);
  }),
  default: ofColumn((keys, { value }) => {
    setKey(keys, 'default', value);
  }),
  required: ofColumn((keys, { required }) => {
    setKey(keys, 'required', required || 'required' in keys ? required : null);
  }),
  split: ofColumn((keys, { split, part }) => {
    setKey(keys, 'split', split);
    setKey(keys, 'part', split === null ? null : part);
  }),
  where: (mapping, { where }) => {
    setKey(mapping, 'where', where);
  },
  source: (mapping, { options }) => {
    const section = sectionAt(mapping, ['source']);
    for (const [key, value] of Object.entries(options))
      if (value !== undefined) setKey(section, key, value);
    if (Object.keys(section).length === 0) Reflect.deleteProperty(mapping, 'source');
  },
};

/** An edit of the keys of a column's value. */
function ofColumn<Edit extends { readonly column: string; readonly at?: Path | undefined }>(
  make: (keys: Keys, edit: Edit) => void,
) {
  return (mapping: Keys, edit: Edit): void => {
    make(keysOfColumn(mapping, edit.column, edit.at), edit);
  };
}

/**
 * Makes one edit in the text of a mapping. All that the edit does not concern stays as it is written. The mapping may
 * lack what it needs, and may have mistakes: only YAML has to be right.
 * @param file what mistakes call the text
 */
export function editMapping(yaml: string, edit: MappingEdit, file = 'the mapping'): EditedMapping {
  try {
    // One that nobody has begun has no keys.
    const { value } = isBlankMapping(yaml) ? { value: {} } : parsePlaced(file, yaml);
    if (!isRecord(value)) {
      const message = 'it must be keys and values.';
      const suggestion = 'A mapping begins with "client:".';
      throw new ConfigurationError([{ file, line: 1, column: 1, message, suggestion }]);
    }
    const mapping = structuredClone(value);
    const names = [
      ...('target' in edit ? [edit.target?.replace(/^fields\./, '')] : []),
      ...(edit.kind === 'mapValue' ? [edit.from.trim(), ...(edit.keep ?? [])] : []),
    ];
    if (names.includes(RESERVED))
      throw new RefusedEdit({ code: 'reserved_name', params: { name: RESERVED } });
    apply(mapping, edit);
    const edited = patchYaml(yaml, mapping);
    return edited === null
      ? { refused: { code: 'not_writable', params: { path: '' } } }
      : { yaml: edited };
  } catch (error) {
    if (error instanceof ConfigurationError) return { mistakes: error.mistakes };
    if (!(error instanceof RefusedEdit)) throw error;
    const { refusal, path } = error;
    if (path.length === 0 || isBlankMapping(yaml)) return { refused: refusal };
    return { refused: { ...refusal, line: parsePlaced(file, yaml).placeOf(path).line } };
  }
}

function apply<Kind extends MappingEdit['kind']>(mapping: Keys, edit: EditOf<Kind>): void {
  const make: (mapping: Keys, edit: EditOf<Kind>) => void = EDITS[edit.kind];
  make(mapping, edit);
}

/** Whether there is nothing but comments. */
export const isBlankMapping = (yaml: string): boolean =>
  yaml.split('\n').every((line) => /^\s*(?:#|$)/.test(line));

/** A key that JavaScript takes for something else. */
const RESERVED = '__proto__';

/** Sets what a column becomes. Other columns of a value that it leaves stay. @throws RefusedEdit */
function become(mapping: Keys, edit: EditOf<'become'>): void {
  const { column, target, at } = edit;
  // A list has an entry for each column.
  const join = target !== null && isList(target) ? undefined : edit.join;
  const left = at === 'new' ? [] : usesOfColumn(mapping, column, at);
  const same = left.find((use) => use.target === target && use.columns.length === 1);
  if (same && join === undefined) {
    const { spec, path } = same;
    const beside: ValueKeys & { type?: string } = { ...edit.keys };
    const type = target === 'phones' ? edit.phoneType : edit.addressType;
    if (hasType(mapping, target) && type !== undefined) beside.type = type;
    if (Object.keys(beside).length > 0)
      putAt(mapping, path, { ...(isRecord(spec) ? spec : { column: spec }), ...beside });
    for (const use of left.toReversed()) if (use !== same) leave(mapping, use, column);
    return;
  }
  // What counts as an empty cell is of the column, wherever it goes.
  const blank = left.map(({ spec }) => (isRecord(spec) ? spec['blank'] : undefined)).find(Boolean);
  const goes = left.filter((use) => join === undefined || use.target !== target);
  for (const use of goes.toReversed()) leave(mapping, use, column);
  if (target === null) return;
  const keys: Keys = { ...(blank === undefined ? {} : { blank }), ...edit.keys };
  if (isList(target)) {
    const made = entry(mapping, target, { column }, { ...edit, keys });
    const isBare = target === 'emails' && Object.keys(made).length === 1;
    listAt(mapping, target).push(isBare ? column : made);
  } else if (join !== undefined) joinTo(mapping, target, column, join);
  else put(mapping, target, Object.keys(keys).length === 0 ? column : { column, ...keys });
}

function entry(
  mapping: Keys,
  target: ListTarget,
  value: Keys,
  {
    phoneType = 'MOB',
    addressType = 'HOME',
    keys = {},
  }: Pick<EditOf<'become'>, 'phoneType' | 'addressType'> & { readonly keys?: Keys } = {},
): Keys {
  const type = target === 'phones' ? phoneType : addressType;
  return {
    ...value,
    ...(hasType(mapping, target) ? { type } : {}),
    ...keys,
    ...(mapping['mode'] === 'contacts' ? { active: true } : {}),
  };
}

/** A client that is created or changed has contacts of a type; where they get a status, none is named. */
const hasType = (mapping: Keys, target: ColumnTarget | null): boolean =>
  (target === 'phones' || target === 'addresses') && mapping['mode'] !== 'contacts';

const put = (mapping: Keys, target: ColumnTarget, value: unknown): void => {
  putAt(mapping, pathOf(target), value);
};

/** Takes a column out of a value; the value goes where it has no other, and a list that has nothing left goes with it. */
function leave(mapping: Keys, use: WrittenUse, column: string): void {
  const { spec, path, target } = use;
  const name = headerName(column);
  if (!isRecord(spec) || use.columns.every((one) => one === name)) {
    const holder = valueAt(mapping, path.slice(0, -1));
    if (Array.isArray(holder)) {
      holder.splice(Number(path.at(-1)), 1);
      if (holder.length > 0) return;
    }
    const own = isList(target) ? path.slice(0, -1) : path;
    Reflect.deleteProperty(sectionAt(mapping, own.slice(0, -1)), own.at(-1) ?? '');
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
    const value = withColumns({ column: first }, columns, join);
    listAt(mapping, target).push(entry(mapping, target, value));
    return;
  }
  const spec = valueAt(mapping, pathOf(target));
  const isMade = isRecord(spec) && ('column' in spec || 'columns' in spec);
  if (columns.length === 1 && !isMade) put(mapping, target, first);
  else put(mapping, target, withColumns(isMade ? spec : { column: first }, columns, join ?? ' '));
}

/** Transforms that come before all others, since they clean what the others read. */
const FIRST: ReadonlySet<TransformName> = new Set<TransformName>(['trim', 'collapse', 'replace']);

/** The name of a transform as it is written. */
export function nameOfStep(step: unknown): TransformName | undefined {
  return TRANSFORM_NAMES.find((name) => step === name || (isRecord(step) && name in step));
}

/** The transforms of a value, in order. */
export const stepsOf = ({ transform }: Keys): unknown[] =>
  transform === undefined || transform === null ? [] : [transform].flat();

/** Puts a step in the place of the one that is the same, else before or behind the others. */
function placeStep(
  keys: Keys,
  step: unknown,
  isSame: (one: unknown) => boolean,
  isFirst: boolean,
): void {
  const steps = stepsOf(keys);
  const same = steps.findIndex(isSame);
  if (same >= 0) steps[same] = step;
  else if (isFirst) steps.unshift(step);
  else steps.push(step);
  writeSteps(keys, steps);
}

/** A single transform that is written without a list stays so. */
function writeSteps(keys: Keys, steps: readonly unknown[]): void {
  const [only] = steps;
  const isBare = steps.length === 1 && !Array.isArray(keys['transform']);
  setKey(keys, 'transform', steps.length === 0 ? null : isBare ? only : steps);
}

/**
 * Replaces one value of a column by another. Where the other values are known, by a map; else by a pattern that only
 * this value has, since a map rejects what it does not know.
 * @throws RefusedEdit
 */
function mapValue(keys: Keys, { from, to, keep }: EditOf<'mapValue'>): void {
  const value = stepsOnCells(stepsOf(keys))(from);
  const map = isRecord(keys['map']) ? keys['map'] : undefined;
  if (to === null) {
    const gone = [from, value ?? from];
    const patterns = new Set<unknown>(gone.map(patternOf));
    const steps = stepsOf(keys);
    const left = steps.filter((step) => !patterns.has(patternIn(step)));
    if (left.length < steps.length) writeSteps(keys, left);
    if (!map) return;
    const words = gone.map((word) => word.trim());
    const pairs = Object.entries(map).filter(([key]) => !words.includes(key.trim()));
    setKey(keys, 'map', pairs.length === 0 ? null : Object.fromEntries(pairs));
  } else if (value !== null && (map ?? keep)) {
    const known = map ?? Object.fromEntries((keep ?? []).map((one) => [one, one]));
    keys['map'] = { ...known, [value.trim()]: to };
  } else {
    const put = String(to);
    if (/[$\\]/.test(put)) throw new RefusedEdit({ code: 'needs_keep', params: { value: put } });
    const pattern = patternOf(value ?? from);
    const step = { replace: { pattern, with: put } };
    // Behind the transforms that let the value pass, or before those that reject it.
    placeStep(keys, step, (one) => patternIn(one) === pattern, value === null);
  }
}

/** What transforms make of a cell; `null` where they reject it, or need more than the cell. */
export function stepsOnCells(steps: readonly unknown[]): (cell: string) => string | null {
  const written = transforms.safeParse(steps);
  if (!written.success) return (cell) => cell;
  const open = new Set<string>();
  const context: TransformContext = {
    label: null,
    watch: (column, kind) => new Watch(column, kind),
    mistake: (_path, message) => void open.add(message),
    column(name) {
      open.add(name);
      return 0;
    },
    table: (file) => void open.add(file),
  };
  const step = compileTransforms(written.data, [], context);
  return (cell) => {
    const value = step ? step(cell, [], { remark: () => undefined }) : cell;
    return typeof value === 'string' && open.size === 0 ? value : null;
  };
}

const SIGNS = /[\\^$.*+?()[\]{}|]/g;

/** The value alone, with any white space at its ends. */
const patternOf = (value: string): string =>
  `^[\\s\\pZ]*${value.trim().replace(SIGNS, '\\$&')}[\\s\\pZ]*$`;

function patternIn(step: unknown): unknown {
  const replace = isRecord(step) ? step['replace'] : undefined;
  return isRecord(replace) ? replace['pattern'] : undefined;
}

/** The section at a place, made where there is none. @throws RefusedEdit where something else stands there */
function sectionAt(mapping: Keys, path: Path): Keys {
  let section = mapping;
  for (const [depth, step] of path.entries()) {
    const inner = ownOr(section, step, {});
    if (!isRecord(inner)) throw notASection(path.slice(0, depth + 1));
    section = inner;
  }
  return section;
}

function ownOr(section: Keys, key: string | number, otherwise: unknown): unknown {
  const own = Object.hasOwn(section, key) ? section[key] : undefined;
  return own ?? (section[key] = otherwise);
}

/** The list of a target, made where there is none. @throws RefusedEdit where something else stands there */
function listAt(mapping: Keys, target: ColumnTarget): unknown[] {
  const path = pathOf(target);
  const list = ownOr(sectionAt(mapping, path.slice(0, -1)), path.at(-1) ?? '', []);
  if (!Array.isArray(list)) throw notASection(path);
  return list;
}

const notASection = (path: Path): RefusedEdit =>
  new RefusedEdit({ code: 'not_a_section', params: { path: pathText(path) } }, path);

function putAt(mapping: Keys, path: Path, value: unknown): void {
  const holder = valueAt(mapping, path.slice(0, -1));
  const last = path.at(-1) ?? '';
  if (Array.isArray(holder) && typeof last === 'number') holder[last] = value;
  else sectionAt(mapping, path.slice(0, -1))[last] = value;
}

/** All values that are made of a column, or the one at a place. @throws RefusedEdit where there is none */
function usesOfColumn(mapping: Keys, column: string, at?: Path): WrittenUse[] {
  const uses = writtenUses(mapping).filter(({ columns }) => columns.includes(headerName(column)));
  if (at === undefined) return uses;
  const found = uses.filter(
    ({ path }) => path.length === at.length && path.every((step, index) => step === at[index]),
  );
  if (found.length === 0) throw new RefusedEdit({ code: 'not_used', params: { column } }, at);
  return found;
}

/**
 * The keys of the value that is made of a column: one that is written as a bare name is written out.
 * @throws RefusedEdit where there is none
 */
function keysOfColumn(mapping: Keys, column: string, at?: Path): Keys {
  const [use] = usesOfColumn(mapping, column, at);
  if (!use) throw new RefusedEdit({ code: 'not_used', params: { column } });
  if (isRecord(use.spec)) return use.spec;
  const keys: Keys = { column: use.spec };
  putAt(mapping, use.path, keys);
  return keys;
}

function setKey(keys: Keys, key: string, value: unknown): void {
  if (value === null || value === undefined) Reflect.deleteProperty(keys, key);
  else keys[key] = value;
}
