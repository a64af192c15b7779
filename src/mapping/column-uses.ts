import { headerName } from '../core/table.js';
import type { LoadedMapping } from './load.js';
import type { Mapping } from './mapping.js';
import type { FlagSpec, ValueObject, ValueSpec, Where } from './schema/value.js';
import { columnsInTemplate } from './transforms/registry.js';

/** What the value of a column becomes. */
export type ColumnTarget =
  | 'field'
  | 'clientRoleId'
  | 'type'
  | 'timeZone'
  | 'phone'
  | 'email'
  | 'address'
  | 'phone type'
  | 'address type'
  | 'flag'
  | 'uuid'
  | 'client id'
  | 'operator id'
  | 'call at'
  | 'text'
  | 'filter'
  | 'received'
  | 'shown';

/** One use that a mapping makes of a column. */
export interface ColumnUse {
  /** Header of the column. */
  readonly column: string;
  readonly target: ColumnTarget;
  /** Name of the card field, where the target is one. */
  readonly field?: string | undefined;
  /** How the mapping makes the value, where it comes from this column alone. */
  readonly value?: ValueObject | undefined;
  /** Patterns of dates and times, where the mapping names them beside the value. */
  readonly patterns?: readonly string[] | undefined;
  /** The condition on the column, where it decides which rows are taken. */
  readonly where?: Where | undefined;
}

/** Every use of a column, in the order in which a person would fill in a row: who it is, its contacts, all else. */
export function columnUses({
  sections,
  where,
  uuid,
}: Pick<LoadedMapping, 'sections' | 'where' | 'uuid'>): ColumnUse[] {
  const { fields } = sections.client;
  return [
    ...Object.entries(fields).flatMap(([name, spec]) => usesOf(spec, 'field', name)),
    ...usesByMode(sections),
    ...(uuid === undefined ? [] : usesOf(uuid, 'uuid')),
    ...(where === undefined ? [] : filterUses(where)),
    ...freshUses(sections),
    ...(sections.checks ?? []).flatMap(({ invalid, empty }) => checkUses(invalid ?? empty)),
    ...(sections.report?.show ?? []).flatMap((column) => usesOf(column, 'shown')),
  ];
}

/** The headers that a spreadsheet needs, whatever spreadsheet it is, each once. */
export const columnsOf = (mapping: Parameters<typeof columnUses>[0]): string[] => [
  ...new Set(columnUses(mapping).map(({ column }) => column)),
];

function freshUses(sections: Mapping): ColumnUse[] {
  const fresh = 'fresh' in sections ? sections.fresh : undefined;
  if (!fresh) return [];
  const { column, transform } = fresh;
  return usesOf({ column, ...(transform ? { transform } : {}) }, 'received');
}

const checkUses = (column: string | undefined): ColumnUse[] =>
  column === undefined ? [] : usesOf(column, 'shown');

function usesByMode(sections: Mapping): ColumnUse[] {
  switch (sections.mode) {
    case 'create':
    case 'upsert': {
      const { client } = sections;
      return [
        ...contactUses(client),
        ...usesOf(client.timeZone, 'timeZone'),
        ...(client.type === undefined ? [] : usesOf(client.type, 'type')),
        ...usesOf(client.clientRoleId, 'clientRoleId'),
      ];
    }
    case 'update':
    case 'contacts':
      return contactUses(sections.client);
    case 'dequeue':
      return flagUses(sections.cancelCallbacks);
    case 'callbacks':
      return callbackUses(sections.callback);
    case 'rekey':
      return usesOf(sections.clientId, 'client id');
    case 'enqueue':
      return (sections.phones ?? []).flatMap((phone) => usesOf(phone, 'phone'));
    case 'delete':
      return [];
  }
}

type Callback = Extract<Mapping, { readonly mode: 'callbacks' }>['callback'];

function callbackUses(callback: Callback): ColumnUse[] {
  const { name, description, phone, operatorId, callAt, callAutomatically } = callback;
  return [
    ...usesOf(phone, 'phone'),
    ...usesOf(name, 'text'),
    ...usesOf(description, 'text'),
    ...usesOf(operatorId, 'operator id'),
    ...callAtUses(callAt),
    ...flagUses(callAutomatically),
  ];
}

function callAtUses(callAt: Callback['callAt']): ColumnUse[] {
  if (typeof callAt === 'string') return usesOf(callAt, 'call at');
  const { pattern, timeZone, ...value } = callAt;
  const patterns = pattern === undefined ? undefined : [pattern].flat();
  const zone = typeof timeZone === 'object' ? usesOf(timeZone, 'timeZone') : [];
  return [...usesOf(value, 'call at').map((use) => ({ ...use, patterns })), ...zone];
}

/** An entry of phones, e-mail addresses or addresses, in any mode. */
interface Contact extends ValueObject {
  readonly type?: string | ValueObject | undefined;
  readonly active?: FlagSpec | undefined;
  readonly disabled?: FlagSpec | undefined;
}

interface ContactLists {
  readonly phones?: readonly Contact[] | undefined;
  readonly emails?: readonly (string | Contact)[] | undefined;
  readonly addresses?: readonly Contact[] | undefined;
}

const contactUses = ({ phones, emails, addresses }: ContactLists): ColumnUse[] => [
  ...(phones ?? []).flatMap((one) => contactUse(one, 'phone', 'phone type')),
  ...(emails ?? []).flatMap((one) => contactUse(one, 'email', 'text')),
  ...(addresses ?? []).flatMap((one) => contactUse(one, 'address', 'address type')),
];

function contactUse(
  contact: string | Contact,
  target: ColumnTarget,
  typeTarget: ColumnTarget,
): ColumnUse[] {
  if (typeof contact === 'string') return usesOf(contact, target);
  const { type, active, disabled, ...value } = contact;
  return [
    ...usesOf(value, target),
    ...(typeof type === 'object' ? usesOf(type, typeTarget) : []),
    ...flagUses(active),
    ...flagUses(disabled),
  ];
}

const flagUses = (flag: FlagSpec | undefined): ColumnUse[] =>
  flag === undefined || typeof flag === 'boolean' ? [] : usesOf(flag, 'flag');

function usesOf(spec: ValueSpec, target: ColumnTarget, field?: string): ColumnUse[] {
  const value: ValueObject = typeof spec === 'string' ? { column: spec } : spec;
  const use = (column: string): ColumnUse => ({
    ...{ column: headerName(column), target },
    ...(field === undefined ? {} : { field }),
  });
  const beside = [...(value.columns ?? []), ...namesIn(value.template), ...namesInSteps(value)];
  return [
    ...(value.column === undefined ? [] : [{ ...use(value.column), value }]),
    ...beside.map(use),
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
  const note = (value: unknown, target: string): void => {
    for (const column of columnsNamedIn(value))
      if (!targets.has(column)) targets.set(column, target);
  };
  const { client, uuid } = recordOf(written);
  const { fields, ...parts } = recordOf(client);
  for (const [name, value] of Object.entries(recordOf(fields))) note(value, `fields.${name}`);
  for (const [part, value] of Object.entries(parts))
    for (const entry of Array.isArray(value) ? (value as unknown[]) : [value]) note(entry, part);
  note(uuid, 'uuid');
  const mentioned = new Set(textsIn(written));
  return Object.fromEntries(
    headers.flatMap((header): [string, string | null][] => {
      const target = targets.get(header);
      return target === undefined && mentioned.has(header) ? [] : [[header, target ?? null]];
    }),
  );
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};

/** Columns of a value as it is written: a bare string names one. */
function columnsNamedIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  const { column, columns, template } = recordOf(value);
  return [
    ...(typeof column === 'string' ? [column] : []),
    ...(Array.isArray(columns) ? columns.filter((each) => typeof each === 'string') : []),
    ...(typeof template === 'string' ? columnsInTemplate(template) : []),
  ];
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null
    ? Object.values(value).flatMap((inner: unknown) => textsIn(inner))
    : [];
}
