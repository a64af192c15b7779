import { z } from 'zod';
import type { Path } from '../config/document.js';
import { headerName, type ColumnEvidence } from '../core/table.js';
import { isRecord, whole } from '../core/text.js';
import type { LoadedMapping } from './mapping.js';
import type { ValueObject, Where } from './schema.js';
import { columnsInTemplate } from './transforms/registry.js';
import {
  DAY_LOOKS,
  EITHER_ORDER,
  NEEDS_NO_PATTERN,
  OTHER_ORDER,
  patternsOf,
  unreadLooks,
} from './transforms/date/dates.js';
import { STYLES } from './transforms/number.js';

/*
 * What a mapping does with the columns of a file: of a mapping that is right, every use; of one that a person is writing,
 * the values that stand where columns become parts of a client; and what the columns show of a mapping that is wrong.
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
  return targets.flatMap((target) => {
    const path = pathOf(target);
    const spec = valueAt(mapping, path);
    if (spec === undefined || spec === null) return [];
    const use = (one: unknown, at: Path): WrittenUse => ({
      ...{ target, path: at, spec: one },
      columns: columnsIn(one),
    });
    if (!isList(target)) return [use(spec, path)];
    return Array.isArray(spec) ? spec.map((one: unknown, index) => use(one, [...path, index])) : [];
  });
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

/** A reason to believe that the mapping, and no single row, is wrong about a column. */
export interface Suspicion {
  readonly column: string | null;
  /** What was seen, and what to write, in plain words. */
  readonly message: string;
  /** Options of the transform, one of which belongs into the mapping; several where only a person can tell. */
  readonly proposals: readonly string[];
  /** Whether it is the list that is wrong. */
  readonly isOfList: boolean;
}

/** What a person is told of it, whose mapping may be wrong, or whose list. */
export const doubtText = ({ message, isOfList }: Suspicion): string =>
  isOfList ? `suspect the list: ${message}` : `suspect the mapping: ${message}`;

/** What the columns of a file show of their mapping. */
export function suspicionsOf(evidence: readonly ColumnEvidence[]): Suspicion[] {
  const suspicions = evidence.flatMap((seen) => {
    const found = OF_KIND[seen.kind](seen);
    if (found === null) return [];
    const [what, proposals] = found;
    const [only, ...others] = proposals;
    const add =
      only === undefined
        ? ''
        : `; add ${others.length === 0 ? '' : 'the right one: '}${proposals.join(' or ')}`;
    const place = seen.column === null ? '' : `${seen.column}: `;
    const message = `${place}${what}${add}`;
    return [{ column: seen.column, message, proposals, isOfList: false }];
  });
  return [...suspicions, ...suspectLetters(evidence)];
}

type Found = readonly [what: string, proposals: readonly string[]] | null;

const OF_KIND: Readonly<Record<ColumnEvidence['kind'], (seen: ColumnEvidence) => Found>> = {
  date: suspectDates,
  number: suspectNumbers,
  text: () => null,
  cells: () => null,
};

/** Columns that are named where many have garbled letters. */
const NAMED_COLUMNS = 5;

/** One for all columns: they have the same cause. */
function suspectLetters(evidence: readonly ColumnEvidence[]): Suspicion[] {
  const its = evidence.filter(({ looks }) => looks['garbled'] !== undefined);
  if (its.length === 0) return [];
  const count = its.reduce((sum, { looks }) => sum + (looks['garbled'] ?? 0), 0);
  const names = its.slice(0, NAMED_COLUMNS).map(({ column }) => column ?? '');
  const columns = [...names, ...(its.length > NAMED_COLUMNS ? ['…'] : [])].join(', ');
  const message = `garbled letters, such as "Ã¼" for "ü", are taken as they stand in ${cellsText(count)} of ${columns}. Save the list as UTF-8 where it comes from`;
  return [{ column: null, message, proposals: [], isOfList: true }];
}

/** What was seen of columns that is no mistake, and that the person should know all the same. */
export function notesOf(
  evidence: readonly ColumnEvidence[],
): { readonly column: string | null; readonly message: string }[] {
  return evidence.flatMap((seen) =>
    noteTexts(seen).map((message) => ({ column: seen.column, message })),
  );
}

function noteTexts(seen: ColumnEvidence): string[] {
  const { mark = 0, invisible = 0, dates = 0 } = seen.looks;
  const name = seen.column ?? '';
  if (seen.kind === 'cells')
    return [
      ...(mark > 0
        ? [`${name}: the mark for text, an apostrophe or ="…", was taken off ${cellsText(mark)}.`]
        : []),
      ...(invisible > 0
        ? [`${name}: signs that nobody sees were taken off ${cellsText(invisible)}.`]
        : []),
    ];
  const isNoted = seen.kind === 'text' && dates >= MIN_DATES && dates >= seen.values * DATES_SHARE;
  return isNoted
    ? [
        `${name}: ${whole(dates)} of ${whole(seen.values)} values are dates that are sent as they stand, whether there is such a day or not; the transform date checks them.`,
      ]
    : [];
}

const cellsText = (count: number): string => (count === 1 ? '1 cell' : `${whole(count)} cells`);

/** Texts that are dates are noted where there are so many of them, and hardly any others. */
const MIN_DATES = 3;
const DATES_SHARE = 0.9;

/** The share of the values that were not understood that must look alike. */
const ALIKE = 0.9;
/** The share of all values that they must be: a few of them are mistakes of the file. */
const MIN_SHARE = 0.1;

/** So many dates of each kind show that it is no chance: in a third of all dates, the day may be a month. */
const MIN_SWAPPED = 3;

/**
 * Dates that a program has stored, all with a day up to 12, beside texts, all with a day above: it has read those that it
 * could with the month first, or the day, and left the others as they were written.
 */
function suspectSwapped({ values, looks }: ColumnEvidence): Found {
  const count = (look: keyof typeof DAY_LOOKS): number => looks[DAY_LOOKS[look]] ?? 0;
  const [stored, written] = [count('stored'), count('writtenOver12')];
  if (stored < MIN_SWAPPED || written < MIN_SWAPPED) return null;
  if (count('storedOver12') > 0 || count('written') > 0) return null;
  return [
    `${whole(stored)} of ${whole(values)} dates are stored as such, all with a day up to 12, and ${whole(written)} are texts, all with a day above: a program has probably swapped day and month of the stored ones. Compare them with where the list comes from`,
    [],
  ];
}

/** Dates of one order beside dates of the other: those that can be read in both ways may be either. */
function suspectBothOrders({ values, looks }: ColumnEvidence): Found {
  const other = looks[OTHER_ORDER] ?? 0;
  const own = looks[DAY_LOOKS.writtenOver12] ?? 0;
  if (other === 0 || own === 0) return null;
  const either = looks[DAY_LOOKS.written] ?? 0;
  return [
    `${whole(own)} of ${whole(values)} dates have day and month in the order of "from", and ${whole(other)} in the other one, so that nobody knows what the ${whole(either)} are that can be read in both ways. Ask where the list comes from`,
    [],
  ];
}

function suspectDates(seen: ColumnEvidence): Found {
  const { values } = seen;
  const looks = unreadLooks(seen.looks);
  const swapped = suspectSwapped(seen);
  if (swapped) return swapped;
  const twofold = seen.looks[EITHER_ORDER] ?? 0;
  if (twofold > 0)
    return [
      `${whole(twofold)} of ${whole(values)} dates can be read with the day first and with the month first; leave one order in "from"`,
      [],
    ];
  const bothOrders = suspectBothOrders(seen);
  if (bothOrders) return bothOrders;
  const failed = Object.values(looks).reduce((sum, count) => sum + count, 0);
  const of = (count: number): string => `${whole(count)} of ${whole(values)} look like`;
  const needless = looks[NEEDS_NO_PATTERN] ?? 0;
  if (needless > 0 && needless >= values * ALIKE)
    return [`${of(needless)} dates that need no pattern; leave out "from"`, []];
  const patterns = patternsOf(looks);
  const best = patterns[0]?.count ?? 0;
  if (best === 0 || best < failed * ALIKE || best < values * MIN_SHARE) return null;
  const fitting = patterns.filter(({ count }) => count === best).map(({ pattern }) => pattern);
  return [`${of(best)} ${fitting.join(' or ')}`, fitting.map((pattern) => `from: ${pattern}`)];
}

function suspectNumbers({ values, looks }: ColumnEvidence): Found {
  const { either = 0, point = 0, comma = 0, unread = 0 } = looks;
  if (either === 0 && unread > 0)
    return [`${whole(unread)} of ${whole(values)} have a decimal comma`, [STYLES.comma]];
  if (either === 0) return null;
  const ambiguous = `${whole(either)} of ${whole(values)} numbers can be read in two ways`;
  if (comma > 0 && point === 0)
    return [`${ambiguous}, and ${whole(comma)} have a decimal comma`, [STYLES.comma]];
  if (point > 0 && comma === 0)
    return [`${ambiguous}, and ${whole(point)} have a decimal point`, [STYLES.point]];
  const both =
    comma > 0 ? `, ${whole(comma)} have a decimal comma and ${whole(point)} a point` : '';
  return [`${ambiguous}${both}`, [STYLES.comma, STYLES.point]];
}
