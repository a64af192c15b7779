import { MODE_TRAITS, type Mode } from '../core/mode.js';
import type { Installation } from '../installation/installation.js';
import {
  cellsCandidate,
  emailCandidate,
  phoneCandidate,
  roleCandidate,
  typeCandidate,
  uuidCandidate,
  zoneCandidate,
  type KnownField,
  fieldCandidates,
  fieldFor,
  knownFields,
  namelessCandidates,
} from './candidates.js';
import {
  type Candidate,
  type Column,
  ON_MAP,
  type ReadMeaning,
  likelihood,
  meaningOf,
} from './columns.js';
import { type Remembered, SURE, type Target } from './suggestion.js';
import type { Concept } from './words.js';

/** What is done with a column: the way to use it, or why it is left out. */
export interface Assigned {
  readonly column: Column;
  readonly use: Candidate | null;
  readonly why: string;
  /** The best way to use it, where another column was better or nothing was likely. */
  readonly second?: Candidate | undefined;
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
/** Below this, a column is left out. */
const USED = 0.5;
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
  const used = new Map<number, Candidate>();
  const takenBy = new Map<string, Candidate>();
  for (const candidate of open.toSorted(
    (a, b) => rank(b) - rank(a) || a.column.index - b.column.index,
  )) {
    if (candidate.score < USED || used.has(candidate.column.index)) continue;
    const other = takenBy.get(candidate.target);
    const joins = candidate.part !== undefined && other?.part !== undefined;
    if (other && !LISTS.has(candidate.target) && !joins) continue;
    used.set(candidate.column.index, candidate);
    takenBy.set(candidate.target, other ?? candidate);
  }
  return columns.map((column) => assigned(column, used.get(column.index), open, takenBy, request));
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

function assigned(
  column: Column,
  use: Candidate | undefined,
  open: readonly Candidate[],
  takenBy: ReadonlyMap<string, Candidate>,
  { remembered, columns }: AssignRequest,
): Assigned {
  if (use) return { column, use, why: use.why };
  const memory = remembered.get(column.header);
  if (memory?.target === null)
    return { column, use: null, why: `left out by ${memory.mapping} before` };
  const numbers = columns.find(({ area, beside }) =>
    beside ? beside.column.header === column.header : area === column.header,
  );
  if (numbers)
    return { column, use: null, why: `it says how the numbers of "${numbers.header}" begin` };
  const second = open
    .filter((candidate) => candidate.column === column)
    .sort((a, b) => b.score - a.score)[0];
  const winner = second && second.score >= USED ? takenBy.get(second.target) : undefined;
  if (second && winner)
    return {
      column,
      use: null,
      second,
      why: `${second.target} is taken from "${winner.column.header}"`,
    };
  if (second) return { column, use: null, second, why: `hardly ${second.target}: ${second.why}` };
  return { column, use: null, why: leftOut(column) };
}

function leftOut({ name, cells, place }: Column): string {
  if (place) return ON_MAP;
  if (name.ofOthers) return 'it is about somebody else than the client';
  if (name.about) return 'it says something about another column';
  return cells.filled === 0 ? 'its cells are empty' : 'nothing of the card is like it';
}

function candidatesOf(request: AssignRequest, fields: readonly KnownField[]): Candidate[] {
  const { columns, installation, mode, country, remembered } = request;
  const { hasPhones, creates } = MODE_TRAITS[mode];
  const wanted =
    hasPhones || creates || mode === 'update' ? fields : fields.filter(({ field }) => field.sync);
  const company = fieldFor(fields, 'company')?.name;
  const syncCount = fields.filter(({ field }) => field.sync).length;
  const all = columns.flatMap((column): Candidate[] => [
    ...fieldCandidates(
      column,
      mode === 'contacts' ? fields.filter(({ field }) => field.sync) : wanted,
      syncCount,
    ),
    ...(hasPhones ? phoneCandidate(column, country, columns) : []),
    ...(hasPhones ? emailCandidate(column) : []),
    ...(creates ? zoneCandidate(column) : []),
    ...(creates ? typeCandidate(column) : []),
    ...(creates ? roleCandidate(column, installation.clientRoles) : []),
    ...uuidCandidate(column),
    ...(hasPhones ? cellsCandidate(column, company) : []),
  ]);
  const names = mode === 'contacts' || !hasPhones ? [] : nameCandidates(columns, fields);
  const addresses = hasPhones ? addressCandidates(columns, fields) : [];
  const nameless = namelessCandidates(columns, wanted);
  return [...all, ...names, ...addresses, ...nameless]
    .map((candidate) => withMemory(candidate, remembered))
    .concat(fromMemory(columns, remembered, fields));
}

function withMemory(candidate: Candidate, remembered: Remembered): Candidate {
  const memory = remembered.get(candidate.column.header);
  if (memory?.target !== candidate.target) return candidate;
  return {
    ...candidate,
    score: Math.max(0.98, candidate.score),
    why: `${memory.mapping} took it from here before`,
  };
}

/** What a mapping did before holds, also where neither name nor cells say so. */
function fromMemory(
  columns: readonly Column[],
  remembered: Remembered,
  fields: readonly KnownField[],
): Candidate[] {
  return columns.flatMap((column): Candidate[] => {
    const memory = remembered.get(column.header);
    if (!memory?.target?.startsWith('fields.')) return [];
    if (!fields.some(({ name }) => `fields.${name}` === memory.target)) return [];
    return [
      {
        column,
        target: memory.target,
        score: 0.97,
        why: `${memory.mapping} took it from here before`,
      },
    ];
  });
}

const PARTS: ReadonlySet<Concept> = new Set<Concept>([
  ...(['address', 'street', 'house', 'apartment', 'district', 'city'] as const),
  ...(['region', 'postcode', 'country'] as const),
]);

/** Words in a header that distinguish the parts of one address from those of another. */
const GROUPS: readonly (readonly [RegExp, string, 'HOME' | 'WORK'])[] = [
  [
    /\b(?:business|work|office|company|geschaft\w*|travail|professionnelle|trabajo|oficina|lavoro|ufficio|is)\b|рабоч|работы|юридическ|роботи/u,
    'work',
    'WORK',
  ],
  [/\b(?:home|residential|privat\w*|domicile|casa)\b|домашн|прожив/u, 'home', 'HOME'],
  [/\bbilling\b|rechnungs/u, 'billing', 'HOME'],
  [/\bshipping\b|\bdelivery\b|liefer|доставк/u, 'shipping', 'HOME'],
  [/\bmailing\b|\bpostal address\b/u, 'mailing', 'HOME'],
  [/\b(?:other|alt|alternate|secondary)\b|регистрац|прописк/u, 'other', 'HOME'],
];

interface Part {
  readonly column: Column;
  readonly meaning: ReadMeaning;
  readonly group: string;
  readonly type: 'HOME' | 'WORK';
}

/** Columns that make up addresses; parts for which the card has a field of its own go there. */
function addressCandidates(columns: readonly Column[], fields: readonly KnownField[]): Candidate[] {
  const parts = columns.flatMap((column): Part[] => {
    const meaning = column.meanings.find(({ fit }) => fit !== 'no');
    if (!meaning || !PARTS.has(meaning.concept) || column.name.ofOthers) return [];
    if (fieldFor(fields, meaning.concept)) return [];
    const others = [...PARTS].filter((part) => !fieldFor(fields, part));
    const score = likelihood(column, others);
    return score < 0.45
      ? []
      : [{ column, meaning: { ...meaning, score }, ...groupOf(column.name.form) }];
  });
  return parts.map((part) => {
    const its = parts.filter(({ group }) => group === part.group);
    const isAnchored = its.some(
      ({ meaning }) => meaning.concept === 'street' || meaning.concept === 'address',
    );
    const { column, meaning, type } = part;
    const whole = its.length === 1 && meaning.concept === 'address';
    const why = whole
      ? 'an address'
      : `${meaning.concept === 'address' ? 'street' : meaning.concept}, a part of an address`;
    const score = isAnchored ? meaning.score : Math.min(0.78, meaning.score * 0.82);
    return {
      column,
      target: 'addresses',
      score,
      why,
      part: meaning.concept,
      group: groupKey(part, its),
      addressType: type,
    };
  });
}

/** Two whole addresses are two, also without a word that distinguishes them. */
function groupKey({ column, meaning, group }: Part, its: readonly Part[]): string {
  const first = its.find(({ meaning: other }) => other.concept === meaning.concept);
  return meaning.concept === 'address' && first?.column !== column
    ? `${group} ${column.index}`
    : group;
}

function groupOf(form: string): { group: string; type: 'HOME' | 'WORK' } {
  const found = GROUPS.find(([words]) => words.test(form));
  return found ? { group: found[1], type: found[2] } : { group: '', type: 'HOME' };
}

type NamePart = 'fullName' | 'firstName' | 'middleName' | 'lastName';
const NAME_PARTS = ['firstName', 'middleName', 'lastName'] as const satisfies readonly NamePart[];

const NAMES_OF_PERSONS: readonly Concept[] = ['fullName', 'name', ...NAME_PARTS];

/** From here on, a full name is preferred to its parts. */
const NAMED = 0.9;

interface NameColumn {
  readonly column: Column;
  readonly part: NamePart;
  readonly score: number;
}

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
    if (own && !(part === 'fullName' && hasParts && !isFull)) {
      const why = `its name and its cells say ${WORDS[part]}`;
      return [{ column, target: `fields.${own.name}`, score, why }];
    }
    if (part === 'fullName' || !fullField || isFull) return [];
    if (part === 'middleName' && !(isMadeUp && hasParts)) return [];
    return [
      {
        column,
        target: `fields.${fullField.name}`,
        score,
        why: `${WORDS[part]}, a part of the full name`,
        part,
      },
    ];
  });
}

const WORDS: Readonly<Record<NamePart, string>> = {
  fullName: 'the full name',
  firstName: 'the first name',
  middleName: 'the middle name',
  lastName: 'the last name',
};

function nameColumns(columns: readonly Column[]): NameColumn[] {
  const found = columns
    .filter(({ name }) => !name.ofOthers)
    .flatMap((column) => {
      const meaning = meaningOf(column, 'fullName', 'name', ...NAME_PARTS);
      const score = likelihood(column, NAMES_OF_PERSONS);
      return meaning && score > 0.45 && isMain(column, score)
        ? [{ column, meaning: { ...meaning, score } }]
        : [];
    });
  const has = (part: Concept): boolean =>
    found.some(({ meaning }) => meaning.concept === part && meaning.score > 0.8);
  return found.map(({ column, meaning }) => ({
    column,
    part: partOf(meaning.concept, column, has),
    score: meaning.score,
  }));
}

/** Whether a name is the first thing that the column may be. */
function isMain(column: Column, likely: number): boolean {
  return column.meanings.every(
    ({ fit, concept, score }) =>
      fit === 'no' || NAMES_OF_PERSONS.includes(concept) || score <= likely,
  );
}

/** `Name` and the first name are what the other columns leave for them. */
function partOf(concept: Concept, column: Column, has: (part: Concept) => boolean): NamePart {
  if (concept === 'name') {
    if (has('firstName') && !has('lastName')) return 'lastName';
    if (has('lastName') && !has('firstName')) return 'firstName';
    return 'fullName';
  }
  if (concept === 'firstName' && !has('lastName') && !has('name') && hasSeveralWords(column))
    return 'fullName';
  return concept === 'firstName' || concept === 'middleName' || concept === 'lastName'
    ? concept
    : 'fullName';
}

function hasSeveralWords({ cells }: Column): boolean {
  return cells.shareOf((text) => /\s/.test(text)) > 0.6;
}
