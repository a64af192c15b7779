import { type Plain, flow, quoted } from '../config/document.js';
import { MODE_TRAITS, type Mode } from '../core/outcome.js';
import type { CardField, Installation } from '../installation/installation.js';
import { toEmail, toPhone } from '../mapping/compile/convert.js';
import { type KnownField, isIdentifying, knownFields, mayIdentify } from './assign.js';
import { type Candidate, SURE, type Target, scoreText } from './columns.js';
import {
  type Filter,
  type Permission,
  permissionsIn,
  type ReadTable,
  type DraftedValue,
  blankOf,
  fieldValue,
  joined,
  inOrder,
  usesFor,
  usesIn,
  namesLikeNothing,
  plainValue,
  typeValue,
  zoneValue,
} from './values.js';
import {
  areaSteps,
  callingCodeOf,
  isPhone,
  isProven,
  stepsBeside,
  writtenAbroad,
} from './phones.js';
import type { TableSource } from './read-file.js';
import type { Column, CountryBeside } from './understand.js';
import { type Concept, zoneOfCountry } from './words.js';

/*
 * A draft as data: what stands at each place of the mapping or might, what is to be known and decided there, and what is
 * missing. The text of a mapping is made of it by `mappingText`; nothing reads that text to learn what the draft says.
 */

/** A drafted mapping. */
export interface Draft {
  readonly file: string;
  readonly mode: Mode;
  /** How the file is read, where it says so. */
  readonly source: Readonly<Record<string, Plain>>;
  /** In the order of the mapping. */
  readonly items: readonly Item[];
  readonly leftOut: readonly { readonly column: string; readonly why: string }[];
  /** Needed fields without a column. */
  readonly missing: readonly string[];
}

/** A place of the mapping: a part of it, a field of the card, or an entry of a list. */
export type Place = Target | 'callback' | 'clientId' | 'where';

/** What stands at a place, or might. */
export interface Item {
  readonly place: Place;
  /** `taken`: it is in the mapping; `offered`: a person may take it; `gap`: it has to be filled in; `note`: it says something. */
  readonly state: 'taken' | 'offered' | 'gap' | 'note';
  readonly value?: Plain;
  /** Why, behind the value. */
  readonly behind?: string;
  /** Columns that it is made of. */
  readonly columns?: readonly string[];
  readonly above?: readonly Note[];
  readonly below?: readonly Note[];
  /** The place in words, where it has to be filled in before the mapping can be used. */
  readonly fillIn?: string;
}

/** What is to be known of a place. */
export interface Note {
  readonly kind: 'reason' | 'decide' | 'fill in';
  readonly text: string;
  /** What a person should decide, for the end. */
  readonly decision?: string;
  /** What may stand at the place in its stead, each with what it means. */
  readonly choices?: readonly {
    readonly value: Plain;
    readonly means?: string;
    readonly is?: 'perhaps';
  }[];
  /** Its own subject, where that is another column than those of its item, or a value that a map lacks. */
  readonly column?: string;
  readonly word?: string;
  /** How many notes below it belong to it. */
  readonly heads?: number;
}

/** What a person should decide, one sentence each. */
export const decisionsOf = ({ items }: Draft): string[] =>
  items.flatMap(({ above = [], below = [] }) =>
    [...above, ...below].flatMap(({ decision }) => decision ?? []),
  );

/** What has to be filled in before the mapping can be used, by its place in it. */
export const toFillIn = ({ items }: Draft): string[] => items.flatMap(({ fillIn }) => fillIn ?? []);

interface DraftRequest {
  readonly read: ReadTable;
  readonly source: Pick<TableSource, 'file' | 'given' | 'headerRow'>;
  readonly installation: Pick<Installation, 'card' | 'clientRoles'>;
  readonly mode: Mode;
}

/** Drafts a mapping for a table that was understood. Pure. */
export function draftOf(request: DraftRequest): Draft {
  const { read, source, mode } = request;
  const { given, headerRow } = source;
  const { totals, assigned } = read;
  const { creates } = MODE_TRAITS[mode];
  const fields = fieldItems(request);
  return {
    file: source.file,
    mode,
    // A header further down is found again by the columns that the mapping names.
    source: {
      ...given,
      ...(headerRow === 'none' ? { headerRow } : {}),
      ...(totals ? { until: { column: totals.column, startsWith: totals.startsWith } } : {}),
    },
    items: [
      ...uuidItems(request),
      ...(mode === 'callbacks' ? [CALLBACK] : []),
      ...(mode === 'rekey' ? [CLIENT_ID] : []),
      ...filterItems(request),
      ...(creates ? [roleItem(request), ...typeItems(request), ...zoneItems(request)] : []),
      ...fields.items,
      ...contactItems(request),
    ],
    leftOut: assigned.flatMap(({ use, column, why }) =>
      use === null ? [{ column: column.header, why }] : [],
    ),
    missing: fields.missing,
  };
}

const usesOf = ({ read }: DraftRequest, target: Target): Candidate[] =>
  usesIn(read.assigned, target);

const isSure = ({ score }: Candidate): boolean => score >= SURE;

const reason = (text: string): Note => ({ kind: 'reason', text });
const decide = (text: string, decision: string): Note => ({ kind: 'decide', text, decision });
/** A question about a place, with what may be done there. */
const ask = (sentence: string, advice: string, place: string, more: Partial<Note> = {}): Note => ({
  ...decide(`${sentence}${advice}`, `${sentence} (client.${place}).`),
  ...more,
});
const headersOf = (uses: readonly Candidate[]): string[] => uses.map(({ column }) => column.header);

/** Why a column is used so, with how sure that is. */
const whyOf = ({ score, why }: Candidate): string => `${scoreText(score)}: ${why}`;

const filledBy = (place: Place, use: Candidate, value: Plain, more: Partial<Item>): Item => ({
  ...{ place, state: isSure(use) ? 'taken' : 'offered', value, columns: [use.column.header] },
  ...more,
});

/** How many dates, or the like, a column has, in words: those of all rows, or of the sample. */
function countOf({ read: { table } }: DraftRequest, { cells }: Column, what: string): string {
  const all = table.rows !== undefined && table.rows <= cells.rows;
  return all ? `${cells.filled} ${what}` : `${cells.filled} ${what} looked at`;
}

function uuidItems(request: DraftRequest): Item[] {
  const uses = usesOf(request, 'uuid');
  const use = uses.find(isSure) ?? uses[0];
  return use ? [filledBy('uuid', use, use.column.header, { behind: whyOf(use) })] : [];
}

const CALLBACK: Item = {
  ...{ place: 'callback', state: 'gap', fillIn: 'callback' },
  above: [{ kind: 'fill in', text: 'what the callbacks are; see docs/modes.md' }],
};

const CLIENT_ID: Item = {
  ...{ place: 'clientId', state: 'gap', fillIn: 'clientId' },
  above: [{ kind: 'fill in', text: 'clientId: COLUMN — the internal id of the client' }],
};

/** Answers that are named at most. */
const MAX_ANSWERS = 6;

/** Columns that say who may be called, and who may not: filters are proposed, and a person decides. */
function filterItems(request: DraftRequest): Item[] {
  const { columns } = request.read;
  const found = permissionsIn(columns);
  const notes = found.map((each) => filterNote(request, each));
  const filters = found.flatMap(({ filter }) => (filter === null ? [] : [filter]));
  if (notes.length === 0) return [];
  if (filters.length === 0) return [{ place: 'where', state: 'note', above: notes }];
  const [only] = filters;
  const above = [...notes, reason('Take the sign # off to leave the others out:')];
  const value: Plain =
    only && filters.length === 1
      ? { ...only }
      : { all: filters.map((each: Filter) => ({ ...each })) };
  return [{ place: 'where', state: 'offered', value, above }];
}

const SAYS: Readonly<Record<Permission['about'], string>> = {
  calls: 'says who may be called',
  messages: 'is about messages and mails, and says nothing of calls',
  status: 'has values that forbid calls',
};

function filterNote(request: DraftRequest, found: Permission): Note {
  const { column, about, answers, days, filter, isOpen } = found;
  const empty = answers.filter(({ text }) => text === '');
  const filled = answers.filter(({ text }) => text !== '');
  const named = days > 0 ? [] : filled.slice(0, MAX_ANSWERS);
  const others = filled.slice(named.length).reduce((sum, { count }) => sum + count, 0) - days;
  const counts = [
    ...named.map(({ text, count }) => `${quoted(text)} ${count}`),
    ...(days > 0 ? [`a day ${days}`] : []),
    ...(others > 0 ? [`others ${others}`] : []),
    ...empty.map(({ count }) => `empty ${count}`),
  ].join(', ');
  const own = request.read.columns.find(({ header }) => header === column);
  const what = own ? `${counts}; ${countOf(request, own, 'cells')}` : counts;
  const unclear = isOpen && about === 'calls' ? filled.filter(({ says }) => says === 'open') : [];
  const words = unclear.slice(0, MAX_ANSWERS).map(({ text }) => quoted(text));
  const open =
    words.length === 0
      ? ''
      : `, and what ${words.join(', ')} ${unclear.length === 1 ? 'means' : 'mean'} is not known`;
  const sentence = `"${column}" ${SAYS[about]} (${what})${open}`;
  const all = 'all are imported, unless "where" leaves some out';
  const outcome =
    about === 'messages'
      ? 'nobody is left out by it'
      : `${filter ? '' : 'which of them allow calls is for you to say; '}${all}`;
  const kept = { column, in: filled.slice(0, MAX_ANSWERS).map(({ text }) => text) };
  const example = `. Such as: where: ${flow(kept)}, with what may be called alone`;
  const isAsked = filter === null && about !== 'messages';
  return decide(
    `${sentence}: ${outcome}${isAsked ? example : '.'}`,
    `${sentence}: ${outcome} (where).`,
  );
}

function roleItem(request: DraftRequest): Item {
  const use = usesOf(request, 'clientRoleId').find(isSure);
  if (use) return filledBy('clientRoleId', use, use.column.header, { behind: use.why });
  const { clientRoles: roles } = request.installation;
  const role = roles?.[0] ?? 1;
  const named = roles?.join(', ');
  const choice =
    named === undefined
      ? 'no column has the role, and the installation names none: is 1 right?'
      : `no column has the role; there are: ${named}`;
  const advice =
    named === undefined
      ? 'A sandbox takes any; name those of your contact center in the installation, such as clientRoles: [1].'
      : `There are: ${named}.`;
  const sentence = `No column has the role of the clients; ${role} is taken (client.clientRoleId). ${advice}`;
  const isOne = roles?.length === 1;
  return {
    ...{ place: 'clientRoleId', state: 'taken', value: { value: role }, behind: choice },
    ...(isOne ? {} : { below: [{ kind: 'decide', text: '', decision: sentence }] }),
  };
}

function typeItems(request: DraftRequest): Item[] {
  const [use] = usesOf(request, 'type');
  if (!use) return [];
  const value = { column: use.column.header, ...typeValue(use.column).keys };
  const above = [reason(`${whyOf(use)}; values that are not named here are SIMPLE`)];
  return [filledBy('type', use, value, { above })];
}

function zoneItems(request: DraftRequest): Item[] {
  const { country } = request.read;
  const [use] = usesOf(request, 'timeZone');
  const fallback = zoneOfCountry(country.code);
  const zone = fallback ?? 'UTC';
  const items: Item[] = [];
  if (use) {
    const { header, cells } = use.column;
    const { keys, unknown } = cells.filled > 0 ? zoneValue(use.column, country.code) : plainValue;
    const isWhole = cells.filled === cells.rows && !unknown;
    const own = { column: header, ...blankOf([use.column]), ...keys };
    const value = { ...own, ...(isWhole ? {} : { default: zone }) };
    items.push(filledBy('timeZone', use, value, { above: [reason(whyOf(use))] }));
    if (isSure(use)) return items;
  }
  const why =
    fallback === undefined
      ? 'no column has a time zone, and no country is known'
      : `no column has a time zone; this is the main one of ${country.code ?? ''}`;
  const sentence = `No column has the time zone; ${zone} is taken for all clients (client.timeZone).`;
  return [
    ...items,
    { place: 'timeZone', state: 'taken', value: { value: zone }, above: [decide(why, sentence)] },
  ];
}

function fieldItems(request: DraftRequest): { items: Item[]; missing: string[] } {
  const { installation, mode, read } = request;
  const missing: string[] = [];
  const onlySync = mode !== 'create' && mode !== 'upsert' && mode !== 'update';
  const items = knownFields(installation.card).flatMap((known): Item[] => {
    const { name, field } = known;
    if (onlySync && !field.sync) return [];
    const place = `fields.${name}` as const;
    const uses = usesOf(request, place);
    const isNeeded = field.sync || (field.required && mode !== 'update');
    if (uses.length > 0) return [fieldItem(request, { ...known, isNeeded }, uses)];
    if (!isNeeded) return [];
    const parts = usesFor(place, read, installation).filter(isSure);
    if (parts.length > 0) {
      const above = [reason('made of the columns of the name')];
      return [{ place, state: 'taken', value: joined(parts, ' '), above }];
    }
    missing.push(name);
    return [gapItem(request, name, field)];
  });
  return { items, missing };
}

function fieldItem(request: DraftRequest, known: KnownField, uses: readonly Candidate[]): Item {
  const { name, field, isNeeded } = known;
  const { language } = request.read;
  const ordered = inOrder(uses, language, 'name order');
  const sure = ordered.filter(isSure);
  const parts = sure.length > 0 ? sure : ordered;
  const [first] = ordered;
  const value = first && parts.length === 1 ? valueOf(request, first.column, known) : plainValue;
  const blank = blankOf(
    parts.map(({ column }) => column),
    field.values,
  );
  const place = `fields.${name}` as const;
  const open = isNeeded && (value.decision !== undefined || sure.length === 0);
  const fillIn = open
    ? { fillIn: `client.fields.${name} (uncomment its line if it is right)` }
    : {};
  if (value.decision) {
    const { sentence, choices } = value.decision;
    const given = { column: first?.column.header ?? '', ...blank };
    const note: Note = {
      ...decide(
        `${sentence}. Take the sign # off one of the lines:`,
        `${sentence}: decide at client.fields.${name}.`,
      ),
      choices: choices.map(([means, keys]) => ({ value: { ...given, ...keys }, means })),
    };
    const above = [note, ...otherCentury(name, value, given)];
    return { place, state: 'note', columns: headersOf(ordered), above, ...fillIn };
  }
  const joinedBy = language === 'zh' || language === 'ja' ? '' : ' ';
  const spec = { ...joined(parts, joinedBy), ...blank, ...value.keys };
  const best = Math.max(...uses.map(({ score }) => score));
  const whys = [parts.map(({ why }) => why).join('; '), ...(value.note ? [value.note] : [])];
  const mayJoin = sure.length > 0 ? ordered.filter((use) => !isSure(use)) : [];
  return {
    ...{ place, columns: headersOf(parts), value: short(spec), ...fillIn },
    state: sure.length > 0 ? 'taken' : 'offered',
    above: [reason(`${scoreText(best)}: ${whys.join('; ')}`)],
    below: [
      ...mayJoin.map(({ column: { header }, score, why }) => ({
        ...reason(`${scoreText(score)}: add the column ${quoted(header)}? ${why}`),
        column: header,
      })),
      ...oddCells(name, parts, value),
      ...otherCentury(name, value, { ...joined(parts, joinedBy), ...blank }),
      ...rivalNotes(request, known, parts),
      ...parts.flatMap(({ column }) => wordsAsNames(name, column, spec)),
      ...unknownValues(name, field, value, sure.length > 0),
      ...(parts.length === 1 && first ? unlistedValues(name, field, first.column) : []),
    ],
  };
}

const valueOf = (request: DraftRequest, column: Column, known: KnownField): DraftedValue =>
  fieldValue(column, known, request.read.dayOrder, (what) => countOf(request, column, what));

/** A column alone is written as its name. */
function short(spec: Record<string, Plain>): Plain {
  const { column } = spec;
  return column !== undefined && Object.keys(spec).length === 1 ? column : spec;
}

function oddCells(name: string, [first]: readonly Candidate[], { odd }: DraftedValue): Note[] {
  if (!odd || !first) return [];
  const { header, cells } = first.column;
  const sentence = `${odd.count} of ${cells.filled} cells of "${header}" looked at are no ${odd.what}: their rows are rejected`;
  return [ask(sentence, ', or go without it with "invalid: drop"', `fields.${name}`)];
}

/** Some cells may be read in another way, by the line that is given for that. */
function otherCentury(name: string, { also }: DraftedValue, given: Record<string, Plain>): Note[] {
  if (!also) return [];
  const choices = [{ value: { ...given, ...also.keys } }];
  return [ask(also.sentence, '. For that, take this line instead:', `fields.${name}`, { choices })];
}

/** In how many rows two columns have different values, and in how many any of them has one; case does not matter. */
function comparedRows(one: Column, other: Column) {
  const form = (text: string | null | undefined): string => text?.trim().toLowerCase() ?? '';
  const pairs = one.texts.map((text, row) => [form(text), form(other.texts[row])] as const);
  const filled = pairs.filter((pair) => pair.some((text) => text !== ''));
  return { differ: filled.filter(([a, b]) => a !== b).length, rows: filled.length };
}

/** Columns that are as surely the same thing as the one that is taken, and hold something else. */
function rivalNotes(request: DraftRequest, known: KnownField, parts: readonly Candidate[]): Note[] {
  const [only] = parts;
  if (!only || parts.length > 1 || !isSure(only)) return [];
  return request.read.assigned.flatMap(({ use, second, column }): Note[] => {
    if (use !== null || second?.target !== only.target || !isSure(second)) return [];
    const { differ, rows } = comparedRows(only.column, column);
    if (differ === 0) return [];
    const [taken, other] = [only.column.header, column.header];
    const sentence = `"${taken}" and "${other}" both fit, and differ in ${differ} of ${rows} rows looked at; "${taken}" is taken`;
    const { keys } = valueOf(request, column, known);
    const value = short({ column: other, ...blankOf([column], known.field.values), ...keys });
    const more = { choices: [{ value }], column: other };
    const advice = '. For the other one, take this line instead:';
    return [ask(sentence, advice, only.target, more)];
  });
}

/** Names from this score on are the very words for it, without a number or a word such as `work` beside them. */
const PLAIN_NAME = 0.95;

/** Another column before this one whose name means exactly the same: a client gets the contacts of both. */
function twinNotes(request: DraftRequest, use: Candidate): Note[] {
  const nameOf = ({ column: { name } }: Candidate): Concept | undefined =>
    name.isKnown && !/\d/.test(name.form)
      ? name.meanings.find(({ score }) => score >= PLAIN_NAME)?.concept
      : undefined;
  const own = nameOf(use);
  const twin = usesOf(request, use.target)
    .filter((other) => isSure(use) && isSure(other) && other.column.index < use.column.index)
    .find((other) => own !== undefined && nameOf(other) === own);
  if (!twin) return [];
  const { differ, rows } = comparedRows(twin.column, use.column);
  if (differ === 0) return [];
  const sentence = `"${twin.column.header}" and "${use.column.header}" mean the same, and differ in ${differ} of ${rows} rows looked at; a client gets both`;
  return [ask(sentence, '. Take out the line that is not meant.', use.target)];
}

/** People are called Null and None: such words are taken for names, and a person may say otherwise. */
function wordsAsNames(name: string, column: Column, spec: Record<string, Plain>): Note[] {
  const words = namesLikeNothing(column);
  if (words.length === 0) return [];
  const named = words.map((word) => `"${word}"`).join(', ');
  const sentence = `${named} in "${column.header}" ${words.length === 1 ? 'is' : 'are'} taken for names`;
  const known = Array.isArray(spec['blank']) ? spec['blank'].map(String) : [];
  const blank = [...new Set([...known, ...words.map((word) => word.toLowerCase())])];
  const more = { choices: [{ value: { ...spec, blank } }], column: column.header };
  const advice = '; where they mean nothing, take this line instead:';
  return [ask(sentence, advice, `fields.${name}`, more)];
}

const MAX_UNKNOWN = 20;

function unknownValues(
  name: string,
  field: CardField,
  { unknown }: DraftedValue,
  isTaken: boolean,
): Note[] {
  if (!unknown) return [];
  const known = (field.values ?? []).join(', ');
  const head = `no value of the list is like these; add them to "map" (${known}), else their rows are rejected:`;
  const decision = `Some values of client.fields.${name} are not in its list.`;
  const words = [...unknown].slice(0, MAX_UNKNOWN).map(([word, count]) => ({
    ...reason(`  ${quoted(word)}: …  (${count} of the rows looked at)`),
    word,
  }));
  return [{ ...reason(head), ...(isTaken ? { decision } : {}), heads: words.length }, ...words];
}

const OF_LISTS: ReadonlySet<CardField['type']> = new Set(['ComboBox', 'StatusField']);

/** A list of which the installation does not say what it allows: the interface does not show it. */
function unlistedValues(name: string, field: CardField, { cells }: Column): Note[] {
  const { size } = cells.values;
  const isUnlisted = OF_LISTS.has(field.type) && field.values === undefined;
  if (!isUnlisted || size === 0 || size > MAX_UNKNOWN) return [];
  const entry = flow({ type: field.type, values: [...cells.values.keys()] });
  return [
    decide(
      'the installation does not say what is allowed here. If it is what the',
      `The installation does not say which values ${name} allows; those of the file are sent as they are (client.fields.${name}).`,
    ),
    reason('file has, write there, else what is allowed, and run suggest again:'),
    reason(`  ${quoted(name)}: ${entry}`),
  ];
}

/** Columns of another value in every row that are named at most. */
const MAX_NAMED = 3;

function gapItem(request: DraftRequest, name: string, field: CardField): Item {
  const what = field.sync ? 'a synchronization identifier' : 'required';
  const text = `${quoted(name)}: COLUMN — ${what}, and no column is like it; for the same value in all rows: { value: … }`;
  const choices = field.sync ? identifiersFor(request, field) : [];
  return {
    ...{ place: `fields.${name}`, state: 'gap', fillIn: `client.fields.${name}` },
    above: [{ kind: 'fill in', text, choices }],
  };
}

/** What distinguishes the clients: columns of another value in every row, else the phone. */
function identifiersFor(request: DraftRequest, field: CardField): NonNullable<Note['choices']> {
  const fitting = request.read.assigned.filter(
    ({ use, column }) => use === null && isIdentifying(column) && mayIdentify(column, field),
  );
  if (fitting.length > 0)
    return fitting.slice(0, MAX_NAMED).map(({ column: { header } }) => ({
      ...{ value: header, means: 'it has another value in every row', is: 'perhaps' },
    }));
  const [phone] = usesOf(request, 'phones')
    .filter((use) => isSure(use) && use.column.cells.filled > 0)
    .toSorted((a, b) => b.column.cells.filled - a.column.cells.filled);
  if (!phone) return [];
  const { code } = request.read.country;
  const transform: Plain[] =
    code === undefined ? ['digits'] : [{ phone: { country: code } }, 'digits'];
  const means = 'nothing else distinguishes the clients: one client for each phone';
  return [{ value: { column: phone.column.header, transform }, means, is: 'perhaps' }];
}

function contactItems(request: DraftRequest): Item[] {
  if (!MODE_TRAITS[request.mode].hasPhones) return [];
  const addresses = usesOf(request, 'addresses');
  const groups = [...new Set(addresses.map(({ group }) => group))];
  const items = [
    ...phoneItems(request),
    ...usesOf(request, 'emails').map((use) => emailItem(request, use)),
    ...groups.map((group) =>
      addressItem(
        request,
        addresses.filter((use) => use.group === group),
      ),
    ),
  ];
  // Contacts are all that this mode has.
  if (request.mode !== 'contacts' || items.some(({ state }) => state === 'taken')) return items;
  return [...items, { place: 'phones', state: 'gap', above: [NO_PHONE], fillIn: 'client.phones' }];
}

const NO_PHONE: Note = {
  kind: 'fill in',
  text: 'phones: [{ column: COLUMN, type: MOB }] — a client needs at least one phone',
};

function entryItem(
  place: 'phones' | 'emails' | 'addresses',
  uses: readonly Candidate[],
  value: Plain,
  more: readonly Note[] = [],
): Item {
  const isTaken = uses.some(isSure);
  const best = Math.max(...uses.map(({ score }) => score));
  const whys = [...new Set(uses.map(({ why }) => why))].join('; ');
  const left = headersOf(uses.filter((use) => isTaken && !isSure(use)));
  return {
    ...{ place, state: isTaken ? 'taken' : 'offered', value, columns: headersOf(uses) },
    above: [reason(`${scoreText(best)}: ${whys}`), ...more],
    below: left.length > 0 ? [reason(`perhaps also: ${left.join(', ')}`)] : [],
  };
}

function phoneItems(request: DraftRequest): Item[] {
  const { mode } = request;
  const { country } = request.read;
  const { creates } = MODE_TRAITS[mode];
  const uses = usesOf(request, 'phones');
  if (uses.length === 0)
    return creates
      ? [{ place: 'phones', state: 'gap', above: [NO_PHONE], fillIn: 'client.phones' }]
      : [];
  const filled = uses.filter(({ column }) => column.cells.filled > 0);
  const all = [...filled, ...uses.filter((use) => !filled.includes(use))];
  const main = all.find(isSure) ?? all[0];
  const others = filled.filter((use) => besideOf(request, use) === null);
  const isRead = others.some((use) => phoneSteps(request, use, use !== main) !== null);
  const areCoded = others.every(hasCodes);
  const notes = [
    ...filled.flatMap((use, at) => {
      const { beside } = use.column;
      const isSame = (other: Candidate): boolean =>
        other.column.beside?.column.header === beside?.column.header;
      // The same doubt about another column says nothing new.
      const isRepeated = beside !== null && !isProven(beside) && filled.slice(0, at).some(isSame);
      return isRepeated ? [] : besideNotes(request, use);
    }),
    ...(others.length > 0 && (!country.isGiven || !(isRead || areCoded))
      ? [countryNote(request, isRead, areCoded)]
      : []),
  ];
  const isOpen = creates && !uses.some(isSure);
  const fillIn = isOpen ? { fillIn: 'client.phones (uncomment a line if it is right)' } : {};
  return [
    ...(notes.length > 0 || isOpen
      ? [{ place: 'phones', state: 'note', above: notes, ...fillIn } as const]
      : []),
    ...all.map((use) => phoneItem(request, use, use !== main)),
  ];
}

/** A phone; without `isOther` the one that a client has to have. */
function phoneItem(request: DraftRequest, use: Candidate, isOther: boolean): Item {
  const { column } = use;
  const steps = phoneSteps(request, use, isOther);
  const beside = besideOf(request, use);
  const { code } = request.read.country;
  // Sent as it stands, it may be any phone; else it is a number that can exist in the country.
  const isRight = (part: string): boolean =>
    steps === null ? typeof toPhone(part) === 'string' : isPhone(part, code);
  const wrong = beside
    ? beside.national - beside.fitting
    : countWrong(column, column.phoneSeparator ?? undefined, isRight);
  const value = {
    ...phoneEntry(request, use),
    ...(steps === null ? {} : { transform: steps }),
    ...(isOther ? { invalid: 'drop' } : {}),
    ...statusOf(request.mode),
  };
  const left = isOther ? dropped(wrong, column, 'phones') : [];
  return entryItem('phones', [use], value, [...left, ...twinNotes(request, use)]);
}

function phoneEntry(
  { mode }: DraftRequest,
  { column, phoneType = 'MOB' }: Candidate,
): Record<string, Plain> {
  const { header, phoneSeparator: split } = column;
  return {
    column: header,
    ...(mode === 'contacts' ? {} : { type: phoneType }),
    ...(split === null ? {} : { split }),
    ...blankOf([column]),
  };
}

/** Contacts get a status in this mode, which no column of a list shows for sure. */
const statusOf = (mode: Mode): Record<string, Plain> =>
  mode === 'contacts' ? { active: true } : {};

/** Shares of valid numbers below which phones are taken as they are: the main ones, and those beside them. */
const VALID = { main: 0.7, other: 0.4 };

/** How the phones of a column are read; `null`: they are sent as they stand. */
function phoneSteps(request: DraftRequest, use: Candidate, isOther: boolean): Plain[] | null {
  const { cells, phoneShare, area } = use.column;
  const { code } = request.read.country;
  if (cells.filled > 0 && phoneShare < (isOther ? VALID.other : VALID.main)) return null;
  const beside = besideOf(request, use);
  const byRow = beside && stepsBeside(beside, area ?? undefined, forOthers(request, beside));
  if (byRow) return byRow;
  const before = area === null ? [] : (areaSteps(area, code) ?? []);
  if (code !== undefined) return [...before, { phone: { country: code } }];
  return hasCodes(use) ? [...before, 'phone'] : null;
}

const hasCodes = ({ column: { cells } }: Candidate): boolean =>
  cells.filled > 0 && cells.shareOf((text) => writtenAbroad(text) !== null) > 0.99;

/** What another column says of the countries of the numbers, where it is read row by row. */
function besideOf({ read }: DraftRequest, { column }: Candidate): CountryBeside | null {
  const { country, table } = read;
  const { beside } = column;
  if (!beside || !isProven(beside) || beside.national === 0) return null;
  const [code] = beside.codes.keys();
  const isOne = beside.codes.size === 1 && beside.unknown.length === 0;
  const isCountry = country.code !== undefined && callingCodeOf(country.code) === code;
  // Rows that nobody looked at may be of another country.
  const isWhole = table.rows !== undefined && table.rows <= table.sample.length;
  return isOne && isCountry && isWhole ? null : beside;
}

/** Of the numbers of one country, those with nothing beside them are taken to be of it as well. */
const forOthers = (
  { read: { country } }: DraftRequest,
  { codes }: CountryBeside,
): string | undefined => (country.isGiven || codes.size === 1 ? country.code : undefined);

/** Share of the numbers that exist with what stands beside them, for that to be asked. */
const MAY_FIT = 0.5;
/** Countries that are named at most, and cells of each. */
const [MAX_COUNTRIES, MAX_CELLS] = [8, 4];

function besideNotes(request: DraftRequest, use: Candidate): Note[] {
  const { beside, header, area } = use.column;
  if (!beside || beside.national === 0) return [];
  const { column, codes, withCountry, fitting, national, unknown } = beside;
  const isRead = besideOf(request, use) !== null;
  if (!isRead && isProven(beside)) return [];
  const list = [...codes].map(
    ([code, texts]) => `${code} (${texts.slice(0, MAX_CELLS).join(', ')})`,
  );
  const named = `${list.slice(0, MAX_COUNTRIES).join(', ')}${list.length > MAX_COUNTRIES ? ', …' : ''}`;
  const sentence = `"${column.header}" says of which country the numbers of "${header}" are: ${named}; ${fitting} of ${withCountry} numbers exist there`;
  const other = forOthers(request, beside);
  const steps = stepsBeside(beside, area ?? undefined, other);
  if (!isRead || steps === null) {
    if (fitting < withCountry * MAY_FIT) return [];
    const note = decide(
      `${sentence}. It is not looked at`,
      `${sentence}: it is not looked at (client.phones).`,
    );
    if (steps === null) return [note];
    return [{ ...note, choices: [{ value: { ...phoneEntry(request, use), transform: steps } }] }];
  }
  const without = national - withCountry;
  if (without === 0 || other !== undefined) return [reason(sentence)];
  const odd =
    unknown.length === 0 ? '' : ` but ${unknown.slice(0, MAX_CELLS).map(quoted).join(', ')}`;
  const lost = `${without} of ${national} numbers of "${header}" have no country in "${column.header}"${odd}: their rows are rejected`;
  return [reason(sentence), ask(lost, '', 'phones')];
}

const NAME_COUNTRY =
  'Name the country with --country, or at "phone" in the mapping (client.phones).';

/**
 * Of which country phones without a country code are, which a person has to decide where it is only guessed.
 * @param isRead whether any phones are read, and not sent as they stand
 * @param areCoded whether no phone lacks its code
 */
function countryNote({ read }: DraftRequest, isRead: boolean, areCoded: boolean): Note {
  const { code, why, doubt } = read.country;
  if (isRead || areCoded) {
    const sentence =
      code === undefined
        ? 'No country is known for phones without a country code'
        : `Phones without a country code are taken to be of ${code}`;
    return doubt === undefined
      ? reason(`${sentence}: ${why}`)
      : decide(`${sentence}: ${why}`, `${sentence}: ${doubt}. ${NAME_COUNTRY}`);
  }
  const unread = `Phones are sent as they stand: ${code === undefined ? why : `too few of them are numbers of ${code}`}`;
  return decide(unread, `${unread}. ${NAME_COUNTRY}`);
}

function emailItem(request: DraftRequest, use: Candidate): Item {
  const { column } = use;
  const texts = [...column.cells.values.keys()];
  const separator = [';', ','].find((sign) => texts.some((text) => text.includes(sign)));
  const wrong = countWrong(column, separator, (part) => typeof toEmail(part) === 'string');
  const value = {
    column: column.header,
    ...(separator === undefined ? {} : { split: separator }),
    ...{ ...blankOf([column]), transform: ['lower'] },
    ...(wrong === 0 ? {} : { invalid: 'drop' }),
    ...statusOf(request.mode),
  };
  const left = dropped(wrong, column, 'e-mail addresses');
  return entryItem('emails', [use], value, [...left, ...twinNotes(request, use)]);
}

function addressItem({ mode, read }: DraftRequest, parts: readonly Candidate[]): Item {
  const ordered = inOrder(parts, read.language, 'address order');
  const sure = ordered.filter(isSure);
  const used = sure.length > 0 ? sure : ordered;
  const { addressType = 'HOME' } = used[0] ?? {};
  const blank = blankOf(used.map(({ column }) => column));
  const type: Record<string, Plain> = mode === 'contacts' ? {} : { type: addressType };
  const value = { ...joined(used, ', '), ...blank, ...type, ...statusOf(mode) };
  return entryItem('addresses', ordered, value);
}

function dropped(count: number, { cells }: Column, what: string): Note[] {
  const sentence = `${count} of ${cells.filled} cells looked at are no ${what}`;
  return count === 0 ? [] : [reason(`${sentence}: they are left out, with a remark`)];
}

function countWrong(
  { cells }: Column,
  separator: string | undefined,
  isRight: (part: string) => boolean,
): number {
  let wrong = 0;
  for (const [text, count] of cells.values) {
    const parts = separator === undefined ? [text] : text.split(separator);
    if (!parts.every((part) => part.trim() === '' || isRight(part.trim()))) wrong += count;
  }
  return wrong;
}
