import { headerName } from '../../core/table.js';
import { pathText, type Path } from '../../config/document.js';
import { columnsInTemplate } from '../transforms/registry.js';
import { z } from 'zod';

/** The section at a place, made where there is none. @throws RefusedEdit where something else stands there */
export function sectionAt(mapping: Keys, path: Path): Keys {
  let section = mapping;
  for (const [depth, step] of path.entries()) {
    const inner = ownOr(section, step, {});
    if (!isRecord(inner)) throw notASection(path.slice(0, depth + 1));
    section = inner;
  }
  return section;
}

/** What a section has below a key; this, when it has nothing there. */
function ownOr(section: Keys, key: string | number, otherwise: unknown): unknown {
  const own = Object.hasOwn(section, key) ? section[key] : undefined;
  return own ?? (section[key] = otherwise);
}

/** The list of a target, made where there is none. @throws RefusedEdit where something else stands there */
export function listAt(mapping: Keys, target: ColumnTarget): unknown[] {
  const path = pathOf(target);
  const list = ownOr(sectionAt(mapping, path.slice(0, -1)), path.at(-1) ?? '', []);
  if (!Array.isArray(list)) throw notASection(path);
  return list;
}

const notASection = (path: Path): RefusedEdit =>
  new RefusedEdit({ code: 'not_a_section', params: { path: pathText(path) } }, path);

/** Writes a value at a place whose section is there. */
export function putAt(mapping: Keys, path: Path, value: unknown): void {
  const holder = valueAt(mapping, path.slice(0, -1));
  const last = path.at(-1) ?? '';
  if (Array.isArray(holder)) holder[Number(last)] = value;
  else sectionAt(mapping, path.slice(0, -1))[last] = value;
}

/** Takes a value out; a list that has nothing left goes with it. */
export function dropAt(mapping: Keys, { path, target }: WrittenUse): void {
  const holder = valueAt(mapping, path.slice(0, -1));
  if (Array.isArray(holder)) {
    holder.splice(Number(path.at(-1)), 1);
    if (holder.length > 0) return;
  }
  const own = isList(target) ? path.slice(0, -1) : path;
  const section = sectionAt(mapping, own.slice(0, -1));
  Reflect.deleteProperty(section, own.at(-1) ?? '');
}

/** All values that are made of a column, or the one at a place. @throws RefusedEdit where there is none */
export function usesOfColumn(mapping: Keys, column: string, at?: Path): WrittenUse[] {
  const uses = writtenUses(mapping).filter(({ columns }) => columns.includes(headerName(column)));
  const found = at === undefined ? uses : uses.filter(({ path }) => samePath(path, at));
  if (at !== undefined && found.length === 0)
    throw new RefusedEdit({ code: 'not_used', params: { column } }, at);
  return found;
}

/**
 * The keys of the value that is made of a column: one that is written as a bare name is written out.
 * @throws RefusedEdit where there is none
 */
export function keysOfColumn(mapping: Keys, column: string, at?: Path): Keys {
  const [use] = usesOfColumn(mapping, column, at);
  if (!use) throw new RefusedEdit({ code: 'not_used', params: { column } });
  if (isRecord(use.spec)) return use.spec;
  const keys: Keys = { column: use.spec };
  putAt(mapping, use.path, keys);
  return keys;
}

/** Sets a key, or takes it out. */
export function setKey(keys: Keys, key: string, value: unknown): void {
  if (value === null || value === undefined) Reflect.deleteProperty(keys, key);
  else keys[key] = value;
}

/** A value of a mapping that is made of columns, as it is written. */
export interface WrittenUse {
  readonly target: ColumnTarget;
  /** Where it stands in the mapping. */
  readonly path: Path;
  /** A column by its name, or keys and values. */
  readonly spec: unknown;
  /** Headers of the columns, without white space at their ends. */
  readonly columns: readonly string[];
}

/** Every value of a mapping with the columns that it is made of; constants too. Takes what is wrong as it stands. */
export function writtenUses(mapping: unknown): WrittenUse[] {
  const fields = valueAt(mapping, ['client', 'fields']);
  const names = isRecord(fields) ? Object.keys(fields) : [];
  const targets = [...names.map((name): ColumnTarget => `fields.${name}`), ...FIXED_TARGETS];
  return targets.flatMap((target) => usesOf(mapping, target));
}

function usesOf(mapping: unknown, target: ColumnTarget): WrittenUse[] {
  const path = pathOf(target);
  const spec = valueAt(mapping, path);
  if (spec === undefined || spec === null) return [];
  const use = (one: unknown, at: Path): WrittenUse => ({
    ...{ target, path: at, spec: one },
    columns: columnsOf(one),
  });
  if (!isList(target)) return [use(spec, path)];
  return Array.isArray(spec) ? spec.map((one: unknown, index) => use(one, [...path, index])) : [];
}

/** What stands at a place of a mapping. */
export function valueAt(value: unknown, path: Path): unknown {
  let found = value;
  for (const step of path) {
    if (Array.isArray(found) && typeof step === 'number') found = (found as unknown[])[step];
    else if (isRecord(found) && Object.hasOwn(found, step)) found = found[step];
    else return undefined;
  }
  return found;
}

/** Columns that a value is made of. */
function columnsOf(spec: unknown): string[] {
  if (typeof spec === 'string') return [headerName(spec)];
  if (!isRecord(spec)) return [];
  const { column, columns, template } = spec;
  const listed: unknown[] = Array.isArray(columns) ? columns : [];
  return [
    ...(typeof column === 'string' ? [column] : []),
    ...listed.filter((one) => typeof one === 'string'),
    ...(typeof template === 'string' ? columnsInTemplate(template) : []),
  ].map(headerName);
}

/** Parts of a client that several columns may fill, each with an entry of its own. */
const LISTS = ['phones', 'emails', 'addresses'] as const;
export type ListTarget = (typeof LISTS)[number];

const SINGLE = ['timeZone', 'type', 'clientRoleId', 'uuid', 'clientId'] as const;
const CALLBACK = ['name', 'description', 'phone', 'operatorId', 'callAt'] as const;

/** What a column becomes: a part of the client, `fields.<name>` of the card, or a part of a callback. */
export const columnTarget = z.union([
  z.enum([...LISTS, ...SINGLE]),
  z.templateLiteral(['fields.', z.string().min(1)]),
  z.templateLiteral(['callback.', z.enum(CALLBACK)]),
]);
export type ColumnTarget = z.output<typeof columnTarget>;

export const isList = (target: ColumnTarget): target is ListTarget =>
  LISTS.some((list) => list === target);

const FIELD = 'fields.';
const OF_CALLBACK = 'callback.';

/** Where in a mapping a target stands; of a list, where the list does. */
export function pathOf(target: ColumnTarget): readonly string[] {
  if (target.startsWith(FIELD)) return ['client', 'fields', target.slice(FIELD.length)];
  if (target.startsWith(OF_CALLBACK)) return ['callback', target.slice(OF_CALLBACK.length)];
  return target === 'uuid' || target === 'clientId' ? [target] : ['client', target];
}

/** The targets that a mapping of any mode may have at these places, but for the fields of the card. */
export const FIXED_TARGETS: readonly ColumnTarget[] = [
  ...LISTS,
  ...SINGLE,
  ...CALLBACK.map((part) => `callback.${part}` as const),
];

const samePath = (one: Path, other: Path): boolean =>
  one.length === other.length && one.every((step, index) => step === other[index]);

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

type RefusalCode = keyof RefusalParams;

/** Why an edit cannot be made, as a code with what its words need, and the line where it shows. */
export type EditRefusal = {
  [Code in RefusalCode]: {
    readonly code: Code;
    readonly params: RefusalParams[Code];
    /** From 1; absent where no place of the text shows it. */
    readonly line?: number | undefined;
  };
}[RefusalCode];

/** Ends an edit that cannot be made. */
export class RefusedEdit extends Error {
  constructor(
    readonly refusal: EditRefusal,
    /** The place of the mapping that shows why. */
    readonly path: Path = [],
  ) {
    super(refusal.code);
  }
}

/** Keys and values of a mapping while it is edited. */
export type Keys = Record<string, unknown>;

export const isRecord = (value: unknown): value is Keys =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
