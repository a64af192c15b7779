import type { PhoneType } from '../core/client.js';
import { MODE_TRAITS, type Mode } from '../core/outcome.js';
import type { CardField, Installation } from '../installation/installation.js';
import {
  type Candidate,
  type ColumnSuggestion,
  LIKELY,
  ON_MAP,
  type Remembered,
  type RememberedColumn,
  SURE,
  type Target,
  fitOf,
  likelihood,
  mapValues,
  meaningOf,
  percent,
  placeNamed,
  roundScore,
  weighed,
} from './columns.js';
import { isPlace, means, numberForm, zoneOf, usual } from './contents.js';
import { areMobile, hasZero, isPhoneName, writtenAbroad } from './phones.js';
import { namesOnCard } from './read-file.js';
import { type Column, type Fit, type Meaning, recognise } from './understand.js';
import {
  type Concept,
  DATE_CONCEPTS,
  NAME_CONCEPTS,
  PHONE_CONCEPTS,
  concepts,
  expressionsOf,
  holds,
  nearness,
  normalForm,
  wordSet,
} from './words.js';

/** What is done with a column: the way to use it, or why it is left out. */
export interface Assigned {
  readonly column: Column;
  readonly use: Candidate | null;
  readonly why: string;
  /** The best way to use it, where another column was better or nothing was likely. */
  readonly second?: Candidate | undefined;
}

/** What is suggested for a column, in words. */
export function columnSuggestion({ column, use, why, second }: Assigned): ColumnSuggestion {
  const score = roundScore(use?.score ?? Math.min(second?.score ?? 0, 0.49));
  return {
    column: column.header,
    target: use?.target ?? null,
    ...(use?.phoneType === undefined ? {} : { phoneType: use.phoneType }),
    score,
    why,
  };
}

interface AssignRequest {
  readonly columns: readonly Column[];
  readonly installation: Pick<Installation, 'card' | 'clientRoles'>;
  readonly mode: Mode;
  readonly country: string | undefined;
  readonly remembered: Remembered;
}

/** Targets that any number of columns may have. */
const LISTS: ReadonlySet<Target> = new Set<Target>(['phones', 'emails', 'addresses']);
/** By how much a field that a client must have goes before others, where the column is that much like it. */
const LIKE = 0.8;
const NEEDED = 0.12;

/** Decides for every column what it is used for: the surest use first, and each field once. */
export function assign(request: AssignRequest): Assigned[] {
  const { columns, installation, remembered } = request;
  const fields = knownFields(installation.card);
  const needed = new Set(
    fields.filter(({ isNeeded }) => isNeeded).map(({ name }) => `fields.${name}`),
  );
  const rank = ({ score, target }: Candidate): number =>
    score + (needed.has(target) && score >= LIKE ? NEEDED : 0);
  const wanted = candidatesOf(request, fields).filter(
    ({ column }) => remembered.get(column.header)?.target !== null,
  );
  const open = wanted.map((candidate) =>
    needed.has(candidate.target) ? onlyOne(candidate, wanted) : candidate,
  );
  const used = new Map<Column, Candidate>();
  const takenBy = new Map<string, Candidate>();
  for (const candidate of open.toSorted(
    (a, b) => rank(b) - rank(a) || a.column.index - b.column.index,
  )) {
    const { column, target, score, part } = candidate;
    if (score < LIKELY || used.has(column)) continue;
    const other = takenBy.get(target);
    const joins = part !== undefined && other?.part !== undefined;
    if (other && !LISTS.has(target) && !joins) continue;
    used.set(column, candidate);
    takenBy.set(target, other ?? candidate);
  }
  return columns.map((column) => {
    const use = used.get(column);
    return use ? { column, use, why: use.why } : unused(column, open, takenBy, request);
  });
}

/** From here on, the only column like a field that a client must have is taken for it. */
const ONLY = 0.6;
/** By how much it has to be likelier than the next one. */
const LEAD = 0.08;

/** A client must have the field: when one column alone is like it, that one is. */
function onlyOne(candidate: Candidate, all: readonly Candidate[]): Candidate {
  if (candidate.score < ONLY || candidate.score >= SURE || candidate.part !== undefined)
    return candidate;
  const others = all.filter(
    ({ target, column }) => target === candidate.target && column !== candidate.column,
  );
  if (others.some(({ score }) => score > candidate.score - LEAD)) return candidate;
  return { ...candidate, score: SURE, why: `${candidate.why}; no other column is like it` };
}

function unused(
  column: Column,
  open: readonly Candidate[],
  takenBy: ReadonlyMap<string, Candidate>,
  { remembered, columns }: AssignRequest,
): Assigned {
  const without = (why: string, second?: Candidate): Assigned => ({
    ...{ column, use: null, why, second },
  });
  const memory = remembered.get(column.header);
  if (memory?.target === null) return without(`left out by ${memory.mapping} before`);
  const numbers = columns.filter(({ area, beside }) =>
    [area, beside?.column.header].includes(column.header),
  );
  if (numbers.length > 0) {
    const names = numbers.map(({ header }) => header).join('", "');
    return without(`it says how the numbers of "${names}" begin`);
  }
  const [second] = open
    .filter((candidate) => candidate.column === column)
    .sort((a, b) => b.score - a.score);
  if (!second) {
    const { name, cells, place } = column;
    if (place) return without(ON_MAP);
    if (name.ofOthers) return without('it is about somebody else than the client');
    if (name.about) return without('it says something about another column');
    return without(cells.filled === 0 ? 'its cells are empty' : 'nothing of the card is like it');
  }
  const winner = second.score >= LIKELY ? takenBy.get(second.target) : undefined;
  return without(
    winner
      ? `${second.target} is taken from "${winner.column.header}"`
      : `hardly ${second.target}: ${second.why}`,
    second,
  );
}

function candidatesOf(request: AssignRequest, fields: readonly KnownField[]): Candidate[] {
  const { columns, installation, mode, country, remembered } = request;
  const { hasPhones, creates } = MODE_TRAITS[mode];
  const identifiers = fields.filter(({ field }) => field.sync);
  const wanted = hasPhones ? fields : identifiers;
  const company = fieldFor(fields, 'company')?.name;
  const all = columns.flatMap((column): Candidate[] => [
    ...fieldCandidates(column, mode === 'contacts' ? identifiers : wanted, identifiers.length),
    ...(hasPhones ? phoneCandidate(column, country, columns) : []),
    ...(hasPhones ? emailCandidate(column) : []),
    ...(creates ? partCandidates(column, installation.clientRoles) : []),
    ...uuidCandidate(column),
    ...(hasPhones ? cellsCandidate(column, company) : []),
  ]);
  const names = mode === 'contacts' || !hasPhones ? [] : nameCandidates(columns, fields);
  const addresses = hasPhones ? addressCandidates(columns, fields) : [];
  const nameless = namelessCandidates(columns, wanted);
  const found = [...all, ...names, ...addresses, ...nameless].map((candidate) => {
    const memory = remembered.get(candidate.column.header);
    if (memory?.target !== candidate.target) return candidate;
    return { ...candidate, score: Math.max(0.98, candidate.score), why: tookIt(memory) };
  });
  // What a mapping did before holds, also where neither name nor cells say so.
  const before = columns.flatMap((column) => {
    const memory = remembered.get(column.header);
    const field = fields.find(({ name }) => `fields.${name}` === memory?.target);
    return memory && field ? [to(column, field, tookIt(memory), 0.97)] : [];
  });
  return [...found, ...before];
}

const tookIt = ({ mapping }: RememberedColumn): string => `${mapping} took it from here before`;

const PARTS = concepts('address street house apartment district city region postcode country');

/** Columns that make up addresses; parts for which the card has a field of its own go there. */
function addressCandidates(columns: readonly Column[], fields: readonly KnownField[]): Candidate[] {
  const others = new Set([...PARTS].filter((part) => !fieldFor(fields, part)));
  const parts = columns.flatMap((column) => {
    const part = column.meanings.find(({ fit }) => fit !== 'no')?.concept;
    if (part === undefined || !others.has(part) || column.name.ofOthers) return [];
    const score = likelihood(column, others);
    // Words in a header distinguish the parts of one address from those of another.
    const [group = '', , type] =
      expressionsOf('group').find(([, words]) => words.test(column.name.form)) ?? [];
    const addressType = type === 'WORK' ? ('WORK' as const) : ('HOME' as const);
    return score < 0.45 ? [] : [{ column, part, score, group, addressType }];
  });
  return parts.map(({ column, part, score, group, addressType }) => {
    const its = parts.filter((other) => other.group === group);
    const isAnchored = its.some((other) => other.part === 'street' || other.part === 'address');
    const isWhole = its.length === 1 && part === 'address';
    const named = part === 'address' ? 'street' : part;
    // Two whole addresses are two, also without a word that distinguishes them.
    const isOther =
      part === 'address' && its.find((other) => other.part === part)?.column !== column;
    return {
      ...{ column, target: 'addresses', part, addressType },
      group: isOther ? `${group} ${column.index}` : group,
      score: isAnchored ? score : Math.min(0.78, score * 0.82),
      why: isWhole ? 'an address' : `${named}, a part of an address`,
    };
  });
}

type NamePart = 'fullName' | 'firstName' | 'middleName' | 'lastName';
const NAME_PARTS = ['firstName', 'middleName', 'lastName'] as const satisfies readonly NamePart[];

/** From here on, a full name is preferred to its parts. */
const NAMED = 0.9;

/** Who the columns of names fill: fields of their own, or the full name that they make up together. */
function nameCandidates(columns: readonly Column[], fields: readonly KnownField[]): Candidate[] {
  const names = nameColumns(columns);
  // Parts of names are the same for many clients: none of them identifies one.
  const others = fields.filter(({ field }) => !field.sync);
  const fullField = fieldFor(others, 'fullName');
  const full = names.filter(({ part }) => part === 'fullName').sort((a, b) => b.score - a.score)[0];
  const hasParts =
    names.some(({ part }) => part === 'firstName') && names.some(({ part }) => part === 'lastName');
  const isFull =
    full &&
    fullField &&
    full.column.cells.filled >= full.column.cells.rows * 0.7 &&
    full.score >= (hasParts ? NAMED : 0);
  // Beside a first and a last name that go to their own fields, nothing of the whole name is left to be made up.
  const isMadeUp = (['firstName', 'lastName'] as const).some((part) => !fieldFor(others, part));
  return names.flatMap(({ column, part, score }): Candidate[] => {
    const own = fieldFor(others, part);
    if (own && !(part === 'fullName' && hasParts && !isFull))
      return [to(column, own, `its name and its cells say ${WORDS[part]}`, score)];
    if (part === 'fullName' || !fullField || isFull) return [];
    if (part === 'middleName' && !(isMadeUp && hasParts)) return [];
    return [{ ...to(column, fullField, `${WORDS[part]}, a part of the full name`, score), part }];
  });
}

const WORDS: Readonly<Record<NamePart, string>> = {
  fullName: 'the full name',
  firstName: 'the first name',
  middleName: 'the middle name',
  lastName: 'the last name',
};

function nameColumns(columns: readonly Column[]) {
  const found = columns.flatMap((column) => {
    const concept = meaningOf(column, NAME_CONCEPTS)?.concept;
    const score = likelihood(column, NAME_CONCEPTS);
    return concept !== undefined &&
      !column.name.ofOthers &&
      score > 0.45 &&
      isMain(column, score, NAME_CONCEPTS, 0)
      ? [{ column, concept, score }]
      : [];
  });
  const has = (part: Concept): boolean =>
    found.some(({ concept, score }) => concept === part && score > 0.8);
  return found.map(({ column, concept, score }) => ({
    ...{ column, part: partOf(concept, column, has), score },
  }));
}

/** `Name` and the first name are what the other columns leave for them. */
function partOf(concept: Concept, column: Column, has: (part: Concept) => boolean): NamePart {
  if (concept === 'name') {
    if (has('firstName') && !has('lastName')) return 'lastName';
    if (has('lastName') && !has('firstName')) return 'firstName';
    return 'fullName';
  }
  const isAlone = concept === 'firstName' && !has('lastName') && !has('name');
  if (isAlone && column.cells.shareOf((text) => /\s/.test(text)) > 0.6) return 'fullName';
  return NAME_PARTS.find((part) => part === concept) ?? 'fullName';
}

const IDENTIFYING = concepts('id uuid contract policy order offer');
const LISTED = concepts('status segment tier disposition priority state');

function fieldCandidates(
  column: Column,
  fields: readonly KnownField[],
  syncCount: number,
): Candidate[] {
  const taken = new Set(fields.flatMap(({ meanings }) => meanings.map(({ concept }) => concept)));
  return fields.flatMap((field) => {
    const byName = nameScore(column, field, taken);
    const found =
      byName === null ? byValues(column, field) : withCells(column, field, byName, syncCount);
    return found && found.score > 0.2 ? [to(column, field, found.why, found.score)] : [];
  });
}

type Scored = Pick<Candidate, 'score' | 'why'>;

interface NameScore extends Scored {
  readonly concept: Concept | null;
}

/** @param taken what fields of the card are made for: nothing that is only near goes elsewhere */
function nameScore(
  column: Column,
  known: KnownField,
  taken: ReadonlySet<Concept>,
): NameScore | null {
  const { name, forms, meanings } = known;
  if (forms.has(column.name.form)) {
    const concept = column.name.isKnown ? (column.name.meanings[0]?.concept ?? null) : null;
    return { score: 0.99, concept, why: `it has the name of the field ${name}` };
  }
  // It is the number of what an identifier is named after: `N° dossier` of `dossier`.
  const isItsNumber = known.field.sync && column.phoneShare < 0.5;
  if (isItsNumber && [...column.numbered].some((form) => forms.has(form)))
    return { score: 0.93, concept: 'id', why: `it has the name of the field ${name}` };
  if (column.place !== null && [...forms].some((form) => placeNamed(form) === column.place))
    return { score: 0.95, concept: null, why: ON_MAP };
  if (column.name.ofOthers && !meanings.some(({ concept }) => concept === 'owner')) return null;
  const words = new Set([...forms].flatMap((form) => form.split(' ')));
  const isLike = column.name.form.split(' ').some((word) => word.length > 2 && words.has(word));
  let best: NameScore | null = null;
  for (const { concept, score: own } of column.meanings)
    for (const other of meanings) {
      // Names are put together elsewhere.
      if (NAME_CONCEPTS.has(concept)) continue;
      const isSame = concept === other.concept;
      const near = isSame ? 1 : nearness(concept, other.concept);
      if (!isSame && taken.has(concept) && !(known.isNeeded && near >= AS_GOOD)) continue;
      const likeness = own * (0.85 + 0.15 * other.score) * near;
      const score = Math.min(MAX_SCORE, (isLike ? OWN_WORD : 0) + likeness);
      const inWords = concept.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
      if (near > 0 && score > (best?.score ?? 0))
        best = { score, concept, why: `its name says ${inWords}` };
    }
  return best;
}

/** What has the very name of the field comes first. */
const MAX_SCORE = 0.97;

/** What a word of the field's own name adds: `Company name` is more like `company` than `Account name` is. */
const OWN_WORD = 0.015;

/** From here on, one meaning may stand for the other where a client must have it. */
const AS_GOOD = 0.88;

function withCells(
  column: Column,
  field: KnownField,
  byName: NameScore,
  syncCount: number,
): Scored {
  const { cells } = column;
  if (cells.rows === 0) return byName;
  if (cells.filled === 0) {
    const empty = field.isNeeded ? 0.4 : 0.9;
    return { score: byName.score * empty, why: `${byName.why}, and its cells are empty` };
  }
  if (field.field.values !== undefined) return listed(column, field, byName);
  const scored =
    field.field.type === 'Number'
      ? numbered(column, field, byName, syncCount)
      : fitting(column, field, byName, syncCount);
  // Such as `No` from 1 on: the next list has the same numbers for others.
  const isOwn = field.forms.has(column.name.form);
  return field.field.sync && !isOwn && isPlainNumber(column.name.form) && countsRows(cells)
    ? { score: scored.score * 0.5, why: `${byName.why}, but its cells number the rows` }
    : scored;
}

function fitting(column: Column, field: KnownField, byName: NameScore, syncCount: number): Scored {
  const { concept } = byName;
  const fit = concept === null ? 'open' : fitOf(concept, column.cells, column.phoneShare);
  const score = weighed(byName.score, fit) * identifying(column, field, concept, syncCount);
  return { score, why: byName.why + saying(fit, concept) };
}

function saying(fit: Fit, concept: Concept | null): string {
  if (fit === 'open') return '';
  const what = concept !== null && DATE_CONCEPTS.has(concept) ? 'dates' : 'what it should hold';
  return fit === 'yes' ? `, and its cells are ${what}` : `, but its cells are not ${what}`;
}

function listed(column: Column, { field }: KnownField, byName: NameScore): Scored {
  const { share } = mapValues(column.cells, field.values ?? []);
  const why = `${byName.why}, and ${percent(share)} of its cells are values of the list`;
  if (share >= 0.98) return { score: weighed(byName.score, 'yes'), why };
  if (share >= 0.3) return { score: Math.min(0.84, byName.score * (0.6 + 0.25 * share)), why };
  return { score: byName.score * (share > 0 ? 0.55 : 0.4), why };
}

function numbered(column: Column, field: KnownField, byName: NameScore, syncCount: number): Scored {
  const { cells } = column;
  if (field.field.sync) {
    const whole = cells.shareOf(isWhole);
    const score = whole >= 0.98 ? byName.score : byName.score * 0.3;
    return {
      score: score * identifying(column, field, byName.concept, syncCount),
      why: `${byName.why}, and ${percent(whole)} of its cells are whole numbers`,
    };
  }
  const form = numberForm(cells.values);
  const isOther = cells.share('date') > 0.5 || cells.share('time') > 0.5;
  const fits = form !== null && !isOther;
  const why = fits
    ? `${byName.why}, and its cells are numbers`
    : `${byName.why}, but its cells are no numbers of one form`;
  return { score: weighed(byName.score, fits ? 'yes' : 'no'), why };
}

const isWhole = (text: string): boolean => /^\d{1,15}$/.test(text);

/** One identifier alone is different in every row; several are so together. */
function identifying(
  { cells, name }: Column,
  { field }: KnownField,
  concept: Concept | null,
  syncCount: number,
): number {
  if (
    !field.sync ||
    concept === null ||
    !IDENTIFYING.has(concept) ||
    (syncCount > 1 && field.type !== 'Number')
  )
    return 1;
  const unique = cells.values.size / cells.filled;
  const whole = cells.filled / cells.rows;
  const isFilled = whole > 0.98 ? 1 : 0.7;
  return isFilled * (unique > 0.9 ? 1 : unique > 0.5 ? 0.85 : 0.4) * (name.about ? 0.8 : 1);
}

/** A column that nobody named, or named like a list, and whose few values are those of the field. */
function byValues(column: Column, { field }: KnownField): Scored | null {
  const { cells, name } = column;
  if (!field.values || cells.filled < 5 || cells.values.size < 2 || cells.values.size > 20)
    return null;
  if (field.values.length < 2 || name.about || name.ofOthers) return null;
  const { share } = mapValues(cells, field.values);
  if (share < 0.98) return null;
  const main = name.meanings[0];
  const isFree = !main || main.score < 0.5;
  const isListed = main !== undefined && LISTED.has(main.concept);
  if (!isFree && !isListed) return null;
  return { score: isListed ? 0.8 : 0.66, why: 'all of its values are in the list of the field' };
}

/** Score of a column without a name; it is taken where the field is needed and no other column is like it. */
const BY_CELLS = 0.72;
/** Share of the cells that have to be of one kind. */
const MIN_SHARE = 0.9;

const LINKS: readonly Concept[] = ['domain', 'website'];

function namelessCandidates(
  columns: readonly Column[],
  fields: readonly KnownField[],
): Candidate[] {
  const numbers = fields.filter(({ field }) => field.type === 'Number' && !field.sync);
  const fullName = fieldFor(fields, 'fullName');
  const link = fieldFor(fields, ...LINKS);
  return columns.flatMap((column) => {
    const { isNameless, cells, place, phoneShare } = column;
    if (!isNameless || place || cells.filled < 3) return [];
    const found: Candidate[] = [];
    const areNames =
      cells.share('name') > MIN_SHARE &&
      cells.shareOf((text) => /\S\s+\S/.test(text)) > MIN_SHARE &&
      cells.share('company') < 0.3;
    if (fullName && areNames)
      found.push(to(column, fullName, 'its cells look like names of persons'));
    if (isIdentifying(column))
      for (const each of fields)
        if (each.field.sync && !fieldFor([each], ...LINKS) && mayIdentify(column, each.field))
          found.push(to(column, each, 'it has another value in every row'));
    const links = cells.share('url');
    if (link && links >= MIN_SHARE)
      found.push(to(column, link, `${percent(links)} of its cells are domains or links`));
    const isOther = phoneShare > 0.5 || cells.share('date') > 0.5 || cells.roughly(isPlace) > 0.5;
    const hasDecimals = !isOther && numberForm(cells.values)?.hasSigns === true;
    if (numbers[0] && numbers.length === 1 && hasDecimals) {
      const why = 'its cells are numbers, and the card has one field of numbers';
      found.push(to(column, numbers[0], why, 0.66));
    }
    return found;
  });
}

const to = (
  column: Column,
  { name }: KnownField,
  why: string,
  score: number = BY_CELLS,
): Candidate => ({ column, target: `fields.${name}`, score, why });

/** Whether every row has a value of its own, of digits or of one word with digits, and neither a phone nor a date or the like. */
export function isIdentifying({ cells, phoneShare, name }: Column): boolean {
  const isUnique = cells.filled === cells.rows && cells.values.size === cells.filled;
  if (!isUnique || phoneShare > 0.5 || countsRows(cells)) return false;
  if (name.isKnown && name.meanings.every(({ concept }) => DATE_CONCEPTS.has(concept)))
    return false;
  return (
    cells.shareOf((text) => /^[\p{L}\p{N}_./-]*\d[\p{L}\p{N}_./-]*$/u.test(text)) > MIN_SHARE &&
    (['date', 'ip', 'uuid', 'url'] as const).every((kind) => cells.share(kind) < 0.5)
  );
}

/** A name that says of nothing what it is the number of. */
const isPlainNumber = (form: string): boolean =>
  form.split(' ').every((word) => wordSet('ordinal').has(word));

/** Rows that stand together at the beginning of a sample. */
const FIRST_ROWS = 100;

/** Whether the cells number the rows of the list: another list has the same numbers for other clients. */
function countsRows({ values }: Column['cells']): boolean {
  const first = [...values.keys()].slice(0, FIRST_ROWS);
  const from = usual(first[0] ?? '') === '0' ? 0 : 1;
  return first.length > 1 && first.every((text, at) => usual(text) === String(at + from));
}

/** Whether the values of a column are such as an identifier has. */
export const mayIdentify = ({ cells }: Column, { type }: CardField): boolean =>
  type !== 'Number' || cells.shareOf(isWhole) === 1;

/** A field of the card, with what its name, its title and its aliases mean. */
export interface KnownField {
  readonly name: string;
  readonly field: CardField;
  readonly isNeeded: boolean;
  /** Normal forms of all its names. */
  readonly forms: ReadonlySet<string>;
  readonly meanings: readonly Meaning[];
}

/** What words of two meanings mean as the name of a field. */
const SETTLED: Partial<Record<Concept, Concept>> = {
  name: 'fullName',
  title: 'jobTitle',
  state: 'region',
};

/** Below this, a name means too little to go by. */
const MEANT = 0.6;

/** The fields of a card, each with what its name, its title and its aliases mean. */
export function knownFields(card: Installation['card']): KnownField[] {
  return Object.entries(card).map(([name, field]) => {
    const names = namesOnCard({ [name]: field });
    const meanings = names
      .flatMap((each) => recognise(each).meanings)
      .filter(({ score }) => score >= MEANT)
      .map(({ concept, score }) => ({ concept: SETTLED[concept] ?? concept, score }));
    const forms = new Set(names.map(normalForm));
    return { name, field, isNeeded: field.sync || field.required, forms, meanings };
  });
}

/** The field of the card that means this, if there is one. */
export function fieldFor(
  fields: readonly KnownField[],
  ...wanted: readonly Concept[]
): KnownField | undefined {
  return fields.find(({ meanings }) => meanings.some(({ concept }) => wanted.includes(concept)));
}

/** Whether a meaning is about the likeliest that the cells leave to the column. */
const isMain = (
  { meanings }: Column,
  likely: number,
  wanted: ReadonlySet<Concept>,
  slack = 0.05,
): boolean =>
  likely > 0.35 &&
  meanings.every(
    ({ fit, concept, score }) => fit === 'no' || wanted.has(concept) || score <= likely + slack,
  );

/** Score of a column whose header says nothing and whose cells say everything. */
const SHOWN = 0.88;

const TYPES: Partial<Record<Concept, PhoneType>> = {
  ...{ mobile: 'MOB', homePhone: 'HOME', workPhone: 'WORK', fax: 'FAX' },
};

function phoneCandidate(
  column: Column,
  country: string | undefined,
  others: readonly Column[],
): Candidate[] {
  const { name, cells, phoneShare } = column;
  if (name.ofOthers || column.place) return [];
  const meaning = meaningOf(column, PHONE_CONCEPTS);
  const likely = likelihood(column, PHONE_CONCEPTS);
  const how =
    cells.filled === 0
      ? 'its name says phone, and its cells are empty'
      : `${percent(phoneShare)} of its cells are phone numbers`;
  const areShown = phoneShare >= 0.9 && cells.filled >= 3;
  const isWritten =
    cells.shareOf((text) => /^\+|[\s().-]/.test(text)) > 0.5 &&
    (!hasZero(country) || cells.shareOf((text) => /^[\s(]*[+0]/.test(usual(text))) > 0.5);
  // Beside phones that are named so, numbers of contracts and the like look like others.
  const isOpen =
    column.isNameless ||
    meaning !== undefined ||
    cells.shareOf((text) => writtenAbroad(text) !== null) > 0.5 ||
    !others.some((other) => other !== column && isPhoneName(other.name) && other.phoneShare > 0.5);
  const byWriting = isOpen ? SHOWN : 0.6;
  const byCells = !areShown ? 0 : isWritten && !name.about ? byWriting : 0.45;
  // `Tel/Fax`
  const isFaxToo =
    meaning?.concept === 'fax' &&
    name.form.split(' ').some((word) => recognise(word).meanings[0]?.concept === 'phone');
  const phone = (score: number, why: string): Candidate[] => [
    {
      ...{ column, target: 'phones', score, why },
      phoneType:
        (isFaxToo ? null : TYPES[meaning?.concept ?? 'phone']) ??
        typeByCells(column, country, others),
    },
  ];
  if (meaning && isMain(column, likely, PHONE_CONCEPTS))
    return phone(Math.max(likely, isWritten ? byCells : 0), how);
  const isFree = column.meanings.every(({ fit, score }) => fit === 'no' || score < 0.5);
  return areShown && isFree ? phone(byCells, `${how}, whatever its name says`) : [];
}

/** A phone beside a mobile one is the other one; where there is a company it rings there. */
function typeByCells(
  { cells, phoneSeparator }: Column,
  country: string | undefined,
  others: readonly Column[],
): PhoneType {
  const isMobile =
    areMobile(cells.values, country, phoneSeparator) ??
    !others.some((other) => meaningOf(other, MOBILE));
  if (isMobile) return 'MOB';
  return others.some((other) => (meaningOf(other, COMPANY)?.score ?? 0) > 0.8) ? 'WORK' : 'HOME';
}

const [MOBILE, COMPANY, EMAIL] = [concepts('mobile'), concepts('company'), concepts('email')];

function emailCandidate(column: Column): Candidate[] {
  const { name, cells } = column;
  if (name.ofOthers) return [];
  const share = cells.share('email');
  const how =
    cells.filled === 0
      ? 'its name says e-mail, and its cells are empty'
      : `${percent(share)} of its cells are e-mail addresses`;
  const meaning = meaningOf(column, EMAIL);
  if (meaning && isMain(column, meaning.score, EMAIL))
    return [{ column, target: 'emails', score: meaning.score, why: how }];
  if (share < 0.8 || column.meanings.some(({ concept }) => concept === 'owner')) return [];
  return [{ column, target: 'emails', score: 0.92, why: `${how}, whatever its name says` }];
}

function partCandidates(column: Column, roles: readonly number[] | undefined): Candidate[] {
  const found = (target: Target, score: number, why: string): Candidate[] => [
    { column, target, score, why },
  ];
  return [...zone(), ...type(), ...role()];

  function zone(): Candidate[] {
    const meaning = meaningOf(column, concepts('timeZone'));
    const why = `${percent(column.cells.share('zone'))} of its cells are time zones`;
    if (meaning) return found('timeZone', meaning.score, why);
    const named = column.cells.shareOf((text) => text.includes('/') && zoneOf(text) !== null);
    return named > 0.9 ? found('timeZone', 0.9, 'its cells are names of time zones') : [];
  }

  /** VIP or SIMPLE: by a column that says so in words, or answers whether somebody is one. */
  function type(): Candidate[] {
    const { cells, name } = column;
    if (holds('vip', name.form) && cells.share('yesNo') > 0.8)
      return found('type', 0.93, 'it answers whether a client is VIP');
    const meaning = meaningOf(column, concepts('tier segment status'));
    if (!meaning || cells.values.size > 8) return [];
    const words = cells.shareOf((text) => means(text, 'vip', 'simple'));
    const hasVip = [...cells.values.keys()].some((text) => means(text, 'vip'));
    if (!hasVip || words < 0.5) return [];
    const score = meaning.concept === 'tier' ? 0.6 + 0.35 * words : 0.5;
    return found('type', score, `${percent(words)} of its cells are classes of clients`);
  }

  function role(): Candidate[] {
    const meaning = meaningOf(column, concepts('clientRole'));
    if (!meaning || column.cells.filled === 0) return [];
    const share = column.cells.shareOf(
      (text) => /^\d+$/.test(text) && (roles?.includes(Number(text)) ?? true),
    );
    return share > 0.95 ? found('clientRoleId', meaning.score, 'its cells are client roles') : [];
  }
}

function uuidCandidate(column: Column): Candidate[] {
  const { cells, name } = column;
  const isUnique = cells.values.size >= cells.filled * 0.95 && cells.filled === cells.rows;
  if (cells.filled < 3 || cells.share('uuid') < 0.98 || !isUnique) return [];
  const meaning = meaningOf(column, concepts('uuid id'));
  const score = meaning ? meaning.score * 0.93 : name.ofOthers || name.about ? 0.4 : 0.8;
  return [{ column, target: 'uuid', score, why: 'it has a UUID in every row' }];
}

/** An address, or the name of a company, in a column that is named like something else. */
function cellsCandidate(column: Column, company: string | undefined): Candidate[] {
  const { cells, name, meanings } = column;
  if (cells.filled < 5 || name.ofOthers || name.about) return [];
  if (meanings.some(({ fit, score }) => fit !== 'no' && score >= 0.5)) return [];
  if (cells.share('address') > 0.8 && cells.shareOf((text) => text.includes(',')) > 0.8) {
    const score = meanings.length > 0 ? 0.7 : 0.55;
    const why = 'its cells look like addresses';
    return [{ column, target: 'addresses', group: '', score, why }];
  }
  if (cells.share('company') < 0.5 || company === undefined) return [];
  const why = 'its cells look like names of companies';
  return [{ column, target: `fields.${company}`, score: 0.86, why }];
}
