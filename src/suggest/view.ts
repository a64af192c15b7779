import { type Path, type PlacedDocument, parsePlaced } from '../config/document.js';
import type { Scalar } from '../config/scalar.js';
import { CLIENT_TYPES, FieldList } from '../core/client.js';
import { type ConfigMistake, ConfigurationError } from '../core/errors.js';
import { MODES, MODE_TRAITS, type Mode } from '../core/mode.js';
import type { Problem } from '../core/problem.js';
import { headerName } from '../core/table.js';
import type { FieldType, Installation } from '../installation/installation.js';
import { type CompiledMapping, type MappedRow, compileMapping } from '../mapping/compile.js';
import { nameOfStep, stepsOf } from '../mapping/edit/adjust.js';
import { isBlankMapping } from '../mapping/edit/edit-mapping.js';
import type { MappingEdit, ValueKeys } from '../mapping/edit/edit.js';
import { stepsOnCells } from '../mapping/edit/map-value.js';
import {
  type ColumnTarget,
  FIXED_TARGETS,
  type WrittenUse,
  isRecord,
  writtenUses,
} from '../mapping/edit/places.js';
import { loadedMapping } from '../mapping/load.js';
import { checkMapping } from '../mapping/mapping.js';
import { blank } from '../mapping/schema/value.js';
import type { TransformName } from '../mapping/transforms/registry.js';
import type { Table as LookupTable } from '../mapping/transforms/step.js';
import { type TryContext, tryValue } from '../mapping/try-value.js';
import { type Assigned, columnSuggestion } from './assign.js';
import type { Column, PhoneType } from './columns.js';
import { type ReadTable, keysFor, usesFor } from './values.js';
import type { Table } from './read-file.js';
import { zoneOfCountry } from './words.js';

interface ColumnsViewRequest {
  /** The text of the mapping: drafted, edited or typed, whole or not. */
  readonly yaml: string;
  /** The file, read once by `readTable`. */
  readonly read: ReadTable;
  readonly installation: Pick<Installation, 'card' | 'clientRoles'> &
    Partial<Pick<Installation, 'numberPlan'>>;
  /** Tables that the mapping looks up, by their names in it. Default: none; such values are not tried. */
  readonly tables?: ReadonlyMap<string, LookupTable> | undefined;
  /** What mistakes call the text. @default 'the mapping' */
  readonly file?: string | undefined;
}

/** A mapping over the columns of a file: what each becomes, how many of its cells are good, and what is missing. Pure. */
export function columnsView(request: ColumnsViewRequest): ColumnsView {
  const { yaml, read, installation, tables = new Map(), file = 'the mapping' } = request;
  const found = documentOf(file, yaml);
  if ('mistakes' in found) return { kind: 'broken', mistakes: found.mistakes };
  const { document } = found;
  const uses = writtenUses(document.value);
  const mode = modeOf(document.value);
  const { table } = read;
  const context: TryContext = {
    ...{ document, tables, installation, headers: table.headers, rows: table.sample },
    blank: blankOf(document.value),
  };
  const targets = targetChoices(installation, mode, uses);
  const filled = new Set(uses.map(({ target }) => target));
  return {
    kind: 'columns',
    columns: read.assigned.map((assigned) => columnView(assigned, uses, request, context)),
    missing: missingTargets(targets, filled, read, installation),
    targets,
    ...(isBlankMapping(yaml) ? NOTHING_TRIED : triedMapping(request, document, tables)),
    sampled: table.sample.length,
    rows: table.rows ?? null,
    beginning: table.beginning ?? null,
  };
}

function documentOf(
  file: string,
  yaml: string,
): { document: PlacedDocument } | { mistakes: readonly ConfigMistake[] } {
  try {
    return { document: parsePlaced(file, isBlankMapping(yaml) ? '{}' : yaml) };
  } catch (error) {
    if (error instanceof ConfigurationError) return { mistakes: error.mistakes };
    throw error;
  }
}

type Tried = Pick<Extract<ColumnsView, { kind: 'columns' }>, 'mistakes' | 'cards'>;
const NOTHING_TRIED: Tried = { mistakes: [], cards: [] };

/** What a check would find as far as no row is needed for it, else what comes of the first rows. */
function triedMapping(
  { read: { table }, installation }: ColumnsViewRequest,
  document: PlacedDocument,
  tables: ReadonlyMap<string, LookupTable>,
): Tried {
  const { card, clientRoles, numberPlan } = installation;
  try {
    const mapping = loadedMapping(checkMapping(document), tables);
    const compiled = compileMapping({ mapping, card, clientRoles, headers: table.headers });
    return { mistakes: [], cards: cardViews(compiled, table.first, numberPlan !== undefined) };
  } catch (error) {
    if (error instanceof ConfigurationError) return { mistakes: error.mistakes, cards: [] };
    throw error;
  }
}

function modeOf(value: unknown): Mode {
  const written = isRecord(value) ? value['mode'] : undefined;
  return MODES.find((mode) => mode === written) ?? 'create';
}

function blankOf(value: unknown): readonly Scalar[] {
  return blank.safeParse(isRecord(value) ? value['blank'] : undefined).data ?? [];
}

/** Values up to which they are shown with their counts; of more, the first ones. */
const FEW = 12;
const EXAMPLES = 3;

function columnView(
  assigned: Assigned,
  uses: readonly WrittenUse[],
  { read, installation }: ColumnsViewRequest,
  context: TryContext,
): ColumnView {
  const { column } = assigned;
  const { index, header, cells } = column;
  const { target, score, why, phoneType = null } = columnSuggestion(assigned);
  const own = uses.filter(({ columns }) => columns.includes(headerName(header)));
  const { values } = cells;
  const counts = [...values].map(([value, count]) => ({ value, count }));
  return {
    ...{ index, header, filled: cells.filled, distinct: values.size },
    examples: values.size <= FEW ? mostFrequent(values, FEW) : counts.slice(0, EXAMPLES),
    uses: own.map((use) => useView(use, column, context)),
    suggested: {
      ...{ target, phoneType, score, why },
      keys: target === null ? {} : keysFor(column, target, read, installation),
    },
  };
}

/** Rows that are shown. */
const SHOWN = 3;

/**
 * The first rows that become clients, as they would be sent; where none does, the first ones with why. Pure.
 * @param isPlanned whether a plan of numbers, which is not read here, has a say in time zones
 */
function cardViews(
  { map, identifierNames }: CompiledMapping,
  first: Table['first'],
  isPlanned: boolean,
): CardView[] {
  const cards: CardView[] = [];
  const others: CardView[] = [];
  for (const { row, cells } of first) {
    const mapped = map(cells);
    if (mapped.status === 'client')
      cards.push({ row, parts: partsOf(mapped, identifierNames, isPlanned), problems: [] });
    else if (others.length < SHOWN) others.push({ row, parts: [], problems: mapped.problems });
    if (cards.length === SHOWN) break;
  }
  return cards.length > 0 ? cards : others;
}

/** What makes each kind of contact, beside its type and marks. */
const CONTACTS: Readonly<Record<string, string>> = {
  phones: 'phoneNumber',
  emails: 'email',
  addresses: 'address',
};

function partsOf(
  { identifiers, payload, zoneFrom }: Extract<MappedRow, { status: 'client' }>,
  names: readonly string[],
  isPlanned: boolean,
): CardPart[] {
  const sent: Readonly<Record<string, unknown>> = { ...payload };
  const { uuid: _uuid, fields, ...others } = sent;
  const fieldValues =
    fields instanceof FieldList ? fields.toJSON() : isRecord(fields) ? fields : {};
  const entries = Object.entries(others);
  const isOpen = isPlanned && zoneFrom !== undefined && zoneFrom !== 'column';
  return [
    ...names.map((name, at) => part(`fields.${name}`, identifiers[at])),
    ...entries.flatMap(([kind, value]) => contactParts(kind, value)),
    ...entries
      .filter(([name, value]) => !Array.isArray(value) && !(isOpen && name === 'timeZone'))
      .map(([name, value]) => part('callAt' in sent ? `callback.${name}` : name, value)),
    ...Object.entries(fieldValues)
      .filter(([name]) => !names.includes(name))
      .map(([name, value]) => part(`fields.${name}`, value)),
  ];
}

const part = (target: string, value: unknown, marks: readonly string[] = []): CardPart => ({
  ...{ target, text: String(value), marks },
});

function contactParts(kind: string, contacts: unknown): CardPart[] {
  const key = CONTACTS[kind];
  if (key === undefined || !Array.isArray(contacts)) return [];
  return contacts.filter(isRecord).map((contact) => {
    const { [key]: text, type, ...marks } = contact;
    const words = Object.entries(marks).map(([name, value]) => `${name}: ${String(value)}`);
    return part(kind, text, [...(typeof type === 'string' ? [type] : []), ...words]);
  });
}

/** What a client must have and no value of the mapping fills, with the edits that would. */
function missingTargets(
  choices: readonly TargetChoice[],
  filled: ReadonlySet<string>,
  read: ReadTable,
  installation: Pick<Installation, 'card' | 'clientRoles'>,
): MissingTarget[] {
  return choices
    .filter(({ target, isRequired }) => isRequired && !filled.has(target))
    .map(({ target, isIdentifier }) => ({
      ...{ target, isIdentifier },
      ...proposalFor(target, read, installation),
    }));
}

type Proposal = Pick<MissingTarget, 'columns' | 'edits'>;

function proposalFor(
  target: TargetChoice['target'],
  read: ReadTable,
  installation: Pick<Installation, 'card' | 'clientRoles'>,
): Proposal {
  const uses = usesFor(target, read, installation);
  const columns = uses.map(({ column }) => column.header);
  const [first] = uses;
  if (!first) return constantFor(target, read, installation);
  if (uses.length > 1 && target.startsWith('fields.'))
    return { columns, edits: [{ kind: 'columns', target, columns, ...between(read) }] };
  const edits = uses.map(({ column, phoneType }): MappingEdit => ({
    ...{ kind: 'become', column: column.header, target, at: 'new' },
    ...(phoneType === undefined ? {} : { phoneType }),
    keys: keysFor(column, target, read, installation),
  }));
  return { columns, edits };
}

const between = ({ language }: ReadTable): { join?: string } =>
  language === 'zh' || language === 'ja' ? { join: '' } : {};

/** What is the same in all rows where no column says it. */
function constantFor(
  target: TargetChoice['target'],
  { country }: ReadTable,
  { clientRoles }: Pick<Installation, 'clientRoles'>,
): Proposal {
  const value =
    target === 'timeZone'
      ? (zoneOfCountry(country.code) ?? 'UTC')
      : target === 'clientRoleId'
        ? (clientRoles?.[0] ?? 1)
        : undefined;
  return { columns: [], edits: value === undefined ? [] : [{ kind: 'constant', target, value }] };
}

const CONTACT_TARGETS: readonly ColumnTarget[] = ['phones', 'emails', 'addresses'];
const KIND: readonly ColumnTarget[] = ['timeZone', 'type', 'clientRoleId'];

/** Everything that a column may become in a mode: fields of the card, then the parts that every client has. */
function targetChoices(
  { card, clientRoles = [] }: Pick<Installation, 'card' | 'clientRoles'>,
  mode: Mode,
  uses: readonly WrittenUse[],
): TargetChoice[] {
  const fillingOf = (target: ColumnTarget) =>
    filling(
      target,
      uses.filter((use) => use.target === target),
    );
  const roles = clientRoles.map(String);
  const fields = Object.entries(card).filter(([, { sync }]) => sync || takesOthers(mode));
  return [
    ...fields.map(([name, field]): TargetChoice => {
      const target: ColumnTarget = `fields.${name}`;
      return {
        ...{ target, name, title: field.title ?? null, aliases: field.aliases ?? [] },
        ...{ type: field.type, values: field.values ?? [], isIdentifier: field.sync },
        isRequired: isNeeded(field, mode),
        ...fillingOf(target),
      };
    }),
    ...FIXED_TARGETS.filter((target) => isOfMode(target, mode)).map((target): TargetChoice => ({
      ...{ target, name: null, title: null, aliases: [], type: null, isIdentifier: false },
      values: target === 'type' ? CLIENT_TYPES : target === 'clientRoleId' ? roles : [],
      isRequired: neededParts(mode).has(target),
      ...fillingOf(target),
    })),
  ];
}

/** A client is one of these as long as nothing is said. */
const [USUAL_TYPE] = CLIENT_TYPES;

function filling(
  target: ColumnTarget,
  uses: readonly WrittenUse[],
): Pick<TargetChoice, 'columns' | 'constant' | 'isFilled'> {
  const constants = uses.map(({ spec }) => (isRecord(spec) ? textOf(spec['value']) : null));
  const usual = uses.length === 0 && target === 'type' ? USUAL_TYPE : null;
  return {
    columns: uses.flatMap(({ columns }) => columns),
    constant: constants.find((text) => text !== null) ?? usual,
    isFilled: uses.length > 0,
  };
}

/** Whether a client of the mode must have the field. */
const isNeeded = (field: { sync: boolean; required: boolean }, mode: Mode): boolean =>
  field.sync || (field.required && MODE_TRAITS[mode].creates);

const takesOthers = (mode: Mode): boolean => MODE_TRAITS[mode].creates || mode === 'update';

function isOfMode(target: ColumnTarget, mode: Mode): boolean {
  const { hasPhones, creates } = MODE_TRAITS[mode];
  if (CONTACT_TARGETS.includes(target)) return hasPhones;
  if (KIND.includes(target)) return creates;
  if (target === 'clientId') return mode === 'rekey';
  return target.startsWith('callback.') ? mode === 'callbacks' : true;
}

function neededParts(mode: Mode): ReadonlySet<ColumnTarget> {
  const { creates } = MODE_TRAITS[mode];
  return new Set<ColumnTarget>([
    ...(creates ? (['phones', 'timeZone', 'clientRoleId'] as const) : []),
    ...(mode === 'rekey' ? (['clientId'] as const) : []),
    ...(mode === 'callbacks' ? FIXED_TARGETS.filter((one) => one.startsWith('callback.')) : []),
  ]);
}

/** Values shown of a problem. */
const SHOWN_VALUES = 5;

/** A value of the mapping, as a person looks at it beside one of its columns. */
function useView(use: WrittenUse, column: Column, context: TryContext): UseView {
  const keys = isRecord(use.spec) ? use.spec : {};
  const { type, active: _active, disabled: _disabled, ...beside } = keys;
  const { pattern: _pattern, timeZone: _zone, ...value } = beside;
  const steps = stepsOf(keys).flatMap(stepView);
  const spec = isRecord(use.spec) ? value : use.spec;
  const tried = tryValue({ ...use, spec }, context);
  return {
    ...{ target: use.target, at: use.path, columns: use.columns, steps },
    phoneType: use.target === 'phones' && typeof type === 'string' ? type : null,
    map: mapPairs(keys, column),
    blank: Array.isArray(keys['blank']) ? keys['blank'].map(String) : [],
    invalid: keys['invalid'] === 'drop' ? 'drop' : 'reject',
    required: keys['required'] === true,
    default: textOf(keys['default']),
    good: tried && {
      code: goodCode(use.target, steps, context.installation.card),
      params: { good: tried.good, filled: tried.filled },
    },
    problems: (tried?.problems ?? []).map(({ code, message, count, values }) => ({
      ...{ code, message, count },
      values: mostFrequent(values, SHOWN_VALUES),
    })),
  };
}

/** A value as it is written; `null` for what is no value. */
const textOf = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : null;

function stepView(step: unknown): StepView[] {
  const name = nameOfStep(step);
  if (name === undefined) return [];
  return [{ name, options: isRecord(step) ? step[name] : undefined }];
}

/** Pairs of a map with how often their values occur, as the transforms before it leave them. */
function mapPairs(keys: Readonly<Record<string, unknown>>, { cells }: Column): MapPair[] {
  if (!isRecord(keys['map'])) return [];
  const change = stepsOnCells(stepsOf(keys));
  const counts = new Map<string, number>();
  for (const [text, count] of cells.values) {
    const value = (change(text) ?? text).trim();
    counts.set(value, (counts.get(value) ?? 0) + count);
  }
  return Object.entries(keys['map']).map(([from, to]) => ({
    ...{ from, to: textOf(to) ?? '', count: counts.get(from.trim()) ?? 0 },
  }));
}

/** The most frequent values first. */
const mostFrequent = (values: ReadonlyMap<string, number>, max: number): ValueCount[] =>
  [...values]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count)
    .slice(0, max);

function goodCode(
  target: ColumnTarget,
  steps: readonly StepView[],
  card: TryContext['installation']['card'],
): GoodMessage['code'] {
  if (target === 'phones') return 'good_phones';
  if (target === 'emails') return 'good_emails';
  const name = target.replace(/^fields\./, '');
  if (Object.hasOwn(card, name) && card[name]?.type === 'Number') return 'good_numbers';
  return steps.some((step) => step.name === 'date') ? 'good_dates' : 'good_values';
}

/** A mapping over the columns of a file, for a person. */
export type ColumnsView =
  /** The text is no YAML: what is wrong, with its lines. */
  | { readonly kind: 'broken'; readonly mistakes: readonly ConfigMistake[] }
  | {
      readonly kind: 'columns';
      readonly columns: readonly ColumnView[];
      /** What a client must have and nothing fills. */
      readonly missing: readonly MissingTarget[];
      /** What a column may become, for a list that can be searched. */
      readonly targets: readonly TargetChoice[];
      /** What is wrong with the mapping, each with its line; empty where it can be used. */
      readonly mistakes: readonly ConfigMistake[];
      /** The first rows as they would be sent; none as long as something is missing or wrong. */
      readonly cards: readonly CardView[];
      /** Rows that were looked at. */
      readonly sampled: number;
      /** Rows of the file, where they are known. */
      readonly rows: number | null;
      /** How many of the first rows those are from that were looked at; `null`: they are from the whole file. */
      readonly beginning: number | null;
    };

/** One column of the file. */
interface ColumnView {
  readonly index: number;
  readonly header: string;
  /** Cells that hold something. */
  readonly filled: number;
  /** Values that differ. */
  readonly distinct: number;
  /** The most frequent values where few differ, else the first ones. */
  readonly examples: readonly ValueCount[];
  /** What the mapping makes of it; empty: it is not imported. */
  readonly uses: readonly UseView[];
  readonly suggested: SuggestedUse;
}

export interface ValueCount {
  readonly value: string;
  readonly count: number;
}

/** A value of the mapping that a column is part of. */
interface UseView {
  readonly target: ColumnTarget;
  /** Its place, for edits. */
  readonly at: Path;
  /** All columns that it is made of, this one included. */
  readonly columns: readonly string[];
  readonly phoneType: string | null;
  readonly steps: readonly StepView[];
  /** Pairs of its map, each with how often the value occurs. */
  readonly map: readonly MapPair[];
  /** Words that count as an empty cell. */
  readonly blank: readonly string[];
  readonly invalid: 'reject' | 'drop';
  readonly required: boolean;
  readonly default: string | null;
  /** How many of the cells that were looked at can be used; `null` where the value cannot be tried. */
  readonly good: GoodMessage | null;
  /** What is wrong with the others, the most frequent first. */
  readonly problems: readonly UseProblem[];
}

/** A transform, with its options as they are written. */
interface StepView {
  readonly name: TransformName;
  /** Absent: it is written as a bare name. */
  readonly options: unknown;
}

interface MapPair {
  readonly from: string;
  readonly to: string;
  readonly count: number;
}

interface UseProblem {
  /** As in reports, such as `not_a_phone`. */
  readonly code: string;
  /** In English. */
  readonly message: string;
  readonly count: number;
  /** The most frequent values that have it. */
  readonly values: readonly ValueCount[];
}

/** What `suggest` says of a column. */
interface SuggestedUse {
  readonly target: ColumnTarget | null;
  readonly phoneType: PhoneType | null;
  /** From 0 to 1. */
  readonly score: number;
  /** In English. */
  readonly why: string;
  /** What stands beside the column there: transforms, a map, words for empty cells. */
  readonly keys: ValueKeys;
}

/** A row as it would be sent. Numbers that must not be called are still in it. */
interface CardView {
  /** As a spreadsheet program shows it. */
  readonly row: number;
  /** Identifiers first; empty for a row that becomes nothing. */
  readonly parts: readonly CardPart[];
  /** Why it becomes nothing. */
  readonly problems: readonly Pick<Problem, 'column' | 'code' | 'message'>[];
}

interface CardPart {
  /** What a column becomes to fill it, or what the interface calls it. */
  readonly target: string;
  readonly text: string;
  /** Type and marks of a contact, such as `MOB` and `active: false`. */
  readonly marks: readonly string[];
}

/** What a client must have, and what is proposed for it. */
interface MissingTarget {
  readonly target: ColumnTarget;
  /** Whether it is a synchronization identifier. */
  readonly isIdentifier: boolean;
  /** Columns that are proposed, such as a surname and a first name; empty where nothing is like it. */
  readonly columns: readonly string[];
  /** The edits that do it, in order; empty where nothing is proposed. */
  readonly edits: readonly MappingEdit[];
}

/** One thing that a column may become. */
interface TargetChoice {
  readonly target: ColumnTarget;
  /** Name of the card field and what people call it; `null` for parts that every client has. */
  readonly name: string | null;
  readonly title: string | null;
  readonly aliases: readonly string[];
  readonly type: FieldType | null;
  /** Values that are allowed; empty: any. */
  readonly values: readonly string[];
  readonly isRequired: boolean;
  readonly isIdentifier: boolean;
  /** Columns that fill it now. */
  readonly columns: readonly string[];
  /** What all rows have where no column fills it; `null`: nothing, or it is found in another way. */
  readonly constant: string | null;
  /** Whether the mapping says something of it. */
  readonly isFilled: boolean;
}

/** How many of the cells that were looked at can be used, for a page in any language: `47,902 of 48,231 are valid numbers`. */
interface GoodMessage {
  readonly code: 'good_phones' | 'good_emails' | 'good_numbers' | 'good_dates' | 'good_values';
  readonly params: { readonly good: number; readonly filled: number };
}
