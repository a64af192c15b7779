import type { Concept } from '../words/concepts.js';
import type { Candidate } from './candidate.js';
import { fieldFor, type KnownField } from './card-fields.js';
import type { Column, ReadMeaning } from './columns.js';

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
export function addressCandidates(
  columns: readonly Column[],
  fields: readonly KnownField[],
): Candidate[] {
  const parts = columns.flatMap((column): Part[] => {
    const meaning = column.meanings.find(({ fit }) => fit !== 'no');
    if (!meaning || !PARTS.has(meaning.concept) || meaning.score < 0.45 || column.name.ofOthers)
      return [];
    if (fieldFor(fields, meaning.concept)) return [];
    return [{ column, meaning, ...groupOf(column.name.form) }];
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
