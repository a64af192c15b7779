import { z } from 'zod';
import type { Path } from '../config/document.js';
import { headerName } from '../core/table.js';
import { isRecord } from '../core/text.js';
import type { LoadedMapping } from './mapping.js';
import type { ValueObject, Where } from './schema.js';
import { columnsInTemplate } from './transforms/registry.js';

/*
 * What a mapping does with the columns of a file: of a mapping that is right, every use; of one that a person is writing,
 * the values that stand where columns become parts of a client.
 */

/** What the value of a column becomes. */
export type UseTarget =
  (typeof SLOTS)[number][1] | 'phone type' | 'address type' | 'filter' | 'received' | 'shown';

/** One use that a mapping makes of a column. */
export interface ColumnUse {
  /** Header of the column. */
  readonly column: string;
  readonly target: UseTarget;
  /** Name of the card field, where the target is one. */
  readonly field?: string | undefined;
  /** How the mapping makes the value, where it comes from this column alone. */
  readonly value?: ValueObject | undefined;
  /** Patterns of dates and times, where the mapping names them beside the value. */
  readonly patterns?: readonly string[] | undefined;
  /** The condition on the column, where it decides which rows are taken. */
  readonly where?: Where | undefined;
}

/** Where values stand, in the order in which a person would fill in a row: who it is, its contacts, all else. */
const SLOTS = [
  ['client.fields.*', 'field'],
  ['client.phones.*', 'phone'],
  ['client.emails.*', 'email'],
  ['client.addresses.*', 'address'],
  ['client.timeZone', 'timeZone'],
  ['client.type', 'type'],
  ['client.clientRoleId', 'clientRoleId'],
  ['cancelCallbacks', 'flag'],
  ['callback.phone', 'phone'],
  ['callback.name', 'text'],
  ['callback.description', 'text'],
  ['callback.operatorId', 'operator id'],
  ['callback.callAt', 'call at'],
  ['callback.callAutomatically', 'flag'],
  ['clientId', 'client id'],
  ['phones.*', 'phone'],
  ['uuid', 'uuid'],
] as const;

/** Every use of a column. */
export function columnUses({ sections }: Pick<LoadedMapping, 'sections'>): ColumnUse[] {
  const { where, checks = [], report } = sections;
  return [
    ...SLOTS.flatMap(([path, target]) =>
      valuesAt(sections, path.split('.')).flatMap(([key, spec]) => usesOf(spec, target, key)),
    ),
    ...(where === undefined ? [] : filterUses(where)),
    ...('fresh' in sections ? usesOf(sections.fresh, 'received') : []),
    ...checks.flatMap(({ invalid, empty }) => usesOf(invalid ?? empty, 'shown')),
    ...(report?.show ?? []).flatMap((column) => usesOf(column, 'shown')),
  ];
}

/** The headers that a spreadsheet needs, whatever spreadsheet it is, each once. */
export const columnsOf = (mapping: Parameters<typeof columnUses>[0]): string[] => [
  ...new Set(columnUses(mapping).map(({ column }) => column)),
];

/** What stands at a path, with its last key; `*` is every key. */
function valuesAt(
  value: unknown,
  [step, ...rest]: readonly string[],
  key = '',
): [key: string, value: unknown][] {
  if (step === undefined) return [[key, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .filter(([name]) => step === '*' || step === name)
    .flatMap(([name, inner]) => valuesAt(inner, rest, name));
}

const TYPES: Partial<Record<UseTarget, UseTarget>> = {
  phone: 'phone type',
  address: 'address type',
};

/** The columns of a value, and of those beside it in a contact or a callback. A fixed flag or type names none. */
function usesOf(spec: unknown, target: UseTarget, name = ''): ColumnUse[] {
  if (typeof spec === 'string') return usesOf({ column: spec }, target, name);
  if (!isRecord(spec)) return [];
  const { type, active, disabled, pattern, timeZone, ...keys } = spec;
  // The schema has checked it.
  const value = keys as ValueObject;
  const use = (column: string): ColumnUse => ({
    ...{ column: headerName(column), target },
    ...(target === 'field' ? { field: name } : {}),
    ...(pattern === undefined ? {} : { patterns: [pattern].flat().map(String) }),
  });
  const beside = [...(value.columns ?? []), ...namesIn(value.template), ...namesInSteps(value)];
  return [
    ...(value.column === undefined ? [] : [{ ...use(value.column), value }]),
    ...beside.map(use),
    ...(isRecord(type) ? usesOf(type, TYPES[target] ?? 'text') : []),
    ...[active, disabled].flatMap((flag) => usesOf(flag, 'flag')),
    ...(isRecord(timeZone) ? usesOf(timeZone, 'timeZone') : []),
  ];
}

/** Templates among the transforms name columns too; there, `{value}` is the value so far. */
function namesInSteps({ transform }: ValueObject): string[] {
  const steps = transform === undefined ? [] : [transform].flat();
  return steps
    .flatMap((step) => (typeof step === 'string' ? [] : namesIn(step.template)))
    .filter((name) => name !== 'value');
}

const namesIn = (template: string | undefined): string[] =>
  template === undefined ? [] : columnsInTemplate(template).map(headerName);

function filterUses(where: Where): ColumnUse[] {
  const inner = [...(where.all ?? []), ...(where.any ?? []), ...(where.not ? [where.not] : [])];
  const own: ColumnUse[] =
    where.column === undefined
      ? []
      : [{ column: headerName(where.column), target: 'filter', where }];
  // Within a group a condition does not decide by itself.
  return [...own, ...inner.flatMap(filterUses).map(({ where: _, ...use }) => use)];
}

/**
 * What a mapping does with the columns of a file: the part of the client that each fills, such as `phones` or
 * `fields.offerId`, and `null` for those that it leaves out. Columns that only decide something, such as which rows are
 * taken, are not among them.
 */
export function columnTargets(
  written: unknown,
  headers: readonly string[],
): Record<string, string | null> {
  const targets = new Map<string, string>();
  for (const { target, path, columns } of writtenUses(written))
    for (const column of path[0] === 'client' || target === 'uuid' ? columns : [])
      if (!targets.has(column)) targets.set(column, target);
  const mentioned = new Set(textsIn(written));
  return Object.fromEntries(
    headers.flatMap((header): [string, string | null][] => {
      const target = targets.get(header);
      return target === undefined && mentioned.has(header) ? [] : [[header, target ?? null]];
    }),
  );
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap((inner: unknown) => textsIn(inner))
    : [];
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
  return targets.flatMap((target) => writtenAt(mapping, target));
}

function writtenAt(mapping: unknown, target: ColumnTarget): WrittenUse[] {
  const path = pathOf(target);
  const spec = valueAt(mapping, path);
  if (spec === undefined || spec === null) return [];
  const use = (one: unknown, at: Path): WrittenUse => ({
    ...{ target, path: at, spec: one },
    columns: columnsIn(one),
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

function columnsIn(spec: unknown): string[] {
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
