import { type PlacedDocument, parsePlaced } from '../config/document.js';
import { CLIENT_TYPES, FieldList } from '../core/client.js';
import { type ConfigMistake, ConfigurationError } from '../core/errors.js';
import { MODES, MODE_TRAITS, type Mode, type Problem } from '../core/outcome.js';
import { headerName } from '../core/table.js';
import { isRecord } from '../core/text.js';
import type { Installation } from '../installation/installation.js';
import { type CompiledMapping, type MappedRow, compileMapping } from '../mapping/compile.js';
import {
  type ColumnTarget,
  FIXED_TARGETS,
  type WrittenUse,
  writtenUses,
} from '../mapping/column-uses.js';
import {
  isBlankMapping,
  nameOfStep,
  stepsOf,
  stepsOnCells,
  type MappingEdit,
} from '../mapping/edit.js';
import { loadedMapping, checkMapping } from '../mapping/mapping.js';
import { blank } from '../mapping/schema.js';
import type { Table as LookupTable } from '../mapping/transforms/step.js';
import { type TryContext, tryValue } from '../mapping/compile/convert.js';
import { type Assigned, columnSuggestion } from './assign.js';
import type { Column } from './understand.js';
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

/** A mapping over the columns of a file, for a person. `broken`: the text is no YAML; what is wrong, with its lines. */
export type ColumnsView = ReturnType<typeof columnsView>;

/** A mapping over the columns of a file: what each becomes, how many of its cells are good, and what is missing. Pure. */
export function columnsView(request: ColumnsViewRequest) {
  const { yaml, read, installation, tables = new Map(), file = 'the mapping' } = request;
  const found = documentOf(file, yaml);
  if ('mistakes' in found) return { kind: 'broken' as const, mistakes: found.mistakes };
  const { document } = found;
  const uses = writtenUses(document.value);
  const mode = modeOf(document.value);
  const { table } = read;
  const written = isRecord(document.value) ? document.value['blank'] : undefined;
  const context: TryContext = {
    ...{ document, tables, installation, headers: table.headers, rows: table.sample },
    blank: blank.safeParse(written).data ?? [],
  };
  const targets = targetChoices(installation, mode, uses);
  const filled = new Set(uses.map(({ target }) => target));
  return {
    kind: 'columns' as const,
    columns: read.assigned.map((assigned) => columnView(assigned, uses, request, context)),
    // What a client must have and no value of the mapping fills, with the edits that would.
    missing: targets
      .filter(({ target, isRequired }) => isRequired && !filled.has(target))
      .map(({ target, isIdentifier }) => ({
        ...{ target, isIdentifier },
        ...proposalFor(target, read, installation),
      })),
    targets,
    ...triedMapping(request, document, tables),
    sampled: table.sample.length,
    rows: table.rows ?? null,
    // How many of the first rows those are from that were looked at; `null`: they are from the whole file.
    beginning: table.beginning ?? null,
  };
}

/** The document that the text of a mapping is, an empty one where nothing is written yet; else what is wrong. */
export function documentOf(
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

/** A mapping for a table with these headers, ready to map its rows. */
export function compiledFor(
  document: PlacedDocument,
  tables: ReadonlyMap<string, LookupTable>,
  headers: readonly string[],
  { card, clientRoles }: Pick<Installation, 'card' | 'clientRoles'>,
) {
  const mapping = loadedMapping(checkMapping(document), tables);
  return { mapping, compiled: compileMapping({ mapping, card, clientRoles, headers }) };
}

/**
 * What a check would find as far as no row is needed for it, else what comes of the first rows: these are shown as they
 * would be sent as long as nothing is missing or wrong.
 */
function triedMapping(
  { yaml, read: { table }, installation }: ColumnsViewRequest,
  document: PlacedDocument,
  tables: ReadonlyMap<string, LookupTable>,
): { readonly mistakes: readonly ConfigMistake[]; readonly cards: readonly CardView[] } {
  if (isBlankMapping(yaml)) return { mistakes: [], cards: [] };
  try {
    const { compiled } = compiledFor(document, tables, table.headers, installation);
    const isPlanned = installation.numberPlan !== undefined;
    return { mistakes: [], cards: cardViews(compiled, table.first, isPlanned) };
  } catch (error) {
    if (error instanceof ConfigurationError) return { mistakes: error.mistakes, cards: [] };
    throw error;
  }
}

/** The mode that a mapping names; where it names none, clients are created. */
export function modeOf(value: unknown): Mode {
  const written = isRecord(value) ? value['mode'] : undefined;
  return MODES.find((mode) => mode === written) ?? 'create';
}

/** Values up to which they are shown with their counts; of more, the first ones. */
const FEW = 12;
const EXAMPLES = 3;

function columnView(
  assigned: Assigned,
  uses: readonly WrittenUse[],
  { read, installation }: ColumnsViewRequest,
  context: TryContext,
) {
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

/** A row as it would be sent, identifiers first; of one that becomes nothing, why. */
interface CardView {
  readonly row: number;
  readonly parts: readonly CardPart[];
  readonly problems: readonly Pick<Problem, 'column' | 'code' | 'message'>[];
}

export interface CardPart {
  /** What a column becomes to fill it, or what the interface calls it. */
  readonly target: string;
  readonly text: string;
  /** Type and marks of a contact, such as `MOB` and `active: false`. */
  readonly marks: readonly string[];
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

interface Proposal {
  /** Such as a surname and a first name; empty where nothing is like it. */
  readonly columns: readonly string[];
  /** The edits that do it, in order; empty where nothing is proposed. */
  readonly edits: readonly MappingEdit[];
}

function proposalFor(
  target: ColumnTarget,
  read: ReadTable,
  installation: Pick<Installation, 'card' | 'clientRoles'>,
): Proposal {
  const uses = usesFor(target, read, installation);
  const columns = uses.map(({ column }) => column.header);
  if (uses.length === 0) {
    // What is the same in all rows where no column says it.
    const zone = target === 'timeZone' ? (zoneOfCountry(read.country.code) ?? 'UTC') : undefined;
    const value = target === 'clientRoleId' ? (installation.clientRoles?.[0] ?? 1) : zone;
    return { columns, edits: value === undefined ? [] : [{ kind: 'constant', target, value }] };
  }
  if (uses.length > 1 && target.startsWith('fields.')) {
    const isUnspaced = read.language === 'zh' || read.language === 'ja';
    const between = isUnspaced ? { join: '' } : {};
    return { columns, edits: [{ kind: 'columns', target, columns, ...between }] };
  }
  const edits = uses.map(({ column, phoneType }): MappingEdit => ({
    ...{ kind: 'become', column: column.header, target, at: 'new' },
    ...(phoneType === undefined ? {} : { phoneType }),
    keys: keysFor(column, target, read, installation),
  }));
  return { columns, edits };
}

const CONTACT_TARGETS: readonly ColumnTarget[] = ['phones', 'emails', 'addresses'];
const KIND: readonly ColumnTarget[] = ['timeZone', 'type', 'clientRoleId'];

/** Everything that a column may become in a mode: fields of the card, then the parts that every client has. */
function targetChoices(
  { card, clientRoles = [] }: Pick<Installation, 'card' | 'clientRoles'>,
  mode: Mode,
  uses: readonly WrittenUse[],
) {
  const { creates } = MODE_TRAITS[mode];
  /** `constant`: what all rows have where no column fills it; `null`: nothing, or it is found in another way. */
  const fillingOf = (target: ColumnTarget) => {
    const own = uses.filter((use) => use.target === target);
    const constants = own.map(({ spec }) => (isRecord(spec) ? textOf(spec['value']) : null));
    const usual = own.length === 0 && target === 'type' ? USUAL_TYPE : null;
    return {
      columns: own.flatMap(({ columns }) => columns),
      constant: constants.find((text) => text !== null) ?? usual,
      isFilled: own.length > 0,
    };
  };
  const roles = clientRoles.map(String);
  const takesOthers = creates || mode === 'update';
  const fields = Object.entries(card).filter(([, { sync }]) => sync || takesOthers);
  const needed = new Set<ColumnTarget>([
    ...(creates ? (['phones', 'timeZone', 'clientRoleId'] as const) : []),
    ...(mode === 'rekey' ? (['clientId'] as const) : []),
    ...(mode === 'callbacks' ? FIXED_TARGETS.filter((one) => one.startsWith('callback.')) : []),
  ]);
  return [
    ...fields.map(([name, field]) => {
      const target: ColumnTarget = `fields.${name}`;
      return {
        ...{ target, name, title: field.title ?? null, aliases: field.aliases ?? [] },
        ...{ type: field.type, values: field.values ?? [], isIdentifier: field.sync },
        isRequired: field.sync || (field.required && creates),
        ...fillingOf(target),
      };
    }),
    ...FIXED_TARGETS.filter((target) => isOfMode(target, mode)).map((target) => ({
      ...{ target, name: null, title: null, aliases: [], type: null, isIdentifier: false },
      values: target === 'type' ? CLIENT_TYPES : target === 'clientRoleId' ? roles : [],
      isRequired: needed.has(target),
      ...fillingOf(target),
    })),
  ];
}

/** A client is one of these as long as nothing is said. */
const [USUAL_TYPE] = CLIENT_TYPES;

function isOfMode(target: ColumnTarget, mode: Mode): boolean {
  const { hasPhones, creates } = MODE_TRAITS[mode];
  if (CONTACT_TARGETS.includes(target)) return hasPhones;
  if (KIND.includes(target)) return creates;
  if (target === 'clientId') return mode === 'rekey';
  return target.startsWith('callback.') ? mode === 'callbacks' : true;
}

/** Values shown of a problem. */
const SHOWN_VALUES = 5;

/** A value of the mapping, as a person looks at it beside one of its columns. */
function useView(use: WrittenUse, column: Column, context: TryContext) {
  const keys = isRecord(use.spec) ? use.spec : {};
  const { type, active: _active, disabled: _disabled, ...beside } = keys;
  const { pattern: _pattern, timeZone: _zone, ...value } = beside;
  const steps = stepsOf(keys).flatMap((step) => {
    const name = nameOfStep(step);
    return name === undefined ? [] : [{ name, options: isRecord(step) ? step[name] : undefined }];
  });
  const spec = isRecord(use.spec) ? value : use.spec;
  const result = tryValue({ ...use, spec }, context);
  const tried = result?.mistake ? null : result;
  return {
    ...{ target: use.target, at: use.path, columns: use.columns, steps },
    phoneType: use.target === 'phones' && typeof type === 'string' ? type : null,
    map: mapPairs(keys, column),
    blank: Array.isArray(keys['blank']) ? keys['blank'].map(String) : [],
    invalid: keys['invalid'] === 'drop' ? ('drop' as const) : ('reject' as const),
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
    examples: tried?.examples ?? [],
    mistake: result?.mistake?.message ?? null,
  };
}

/** A value as it is written; `null` for what is no value. */
const textOf = (value: unknown): string | null =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : null;

/** Pairs of a map with how often their values occur, as the transforms before it leave them. */
function mapPairs(keys: Readonly<Record<string, unknown>>, { cells }: Column) {
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

function goodCode(
  target: ColumnTarget,
  steps: readonly { readonly name: string }[],
  card: TryContext['installation']['card'],
) {
  if (target === 'phones') return 'good_phones' as const;
  if (target === 'emails') return 'good_emails' as const;
  const field = Object.entries(card).find(([name]) => target === `fields.${name}`)?.[1];
  if (field?.type === 'Number') return 'good_numbers' as const;
  return steps.some((step) => step.name === 'date')
    ? ('good_dates' as const)
    : ('good_values' as const);
}

const mostFrequent = (values: ReadonlyMap<string, number>, max: number) =>
  [...values]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count)
    .slice(0, max);
