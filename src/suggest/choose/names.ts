import type { Concept } from '../words/concepts.js';
import type { Candidate } from './candidate.js';
import { fieldFor, type KnownField } from './card-fields.js';
import { type Column, meaningOf, type ReadMeaning } from './columns.js';

type NamePart = 'fullName' | 'firstName' | 'middleName' | 'lastName';
const PARTS = ['firstName', 'middleName', 'lastName'] as const satisfies readonly NamePart[];

/** From here on, a full name is preferred to its parts. */
const NAMED = 0.9;

interface NameColumn {
  readonly column: Column;
  readonly part: NamePart;
  readonly score: number;
}

/** Who the columns of names fill: fields of their own, or the full name that they make up together. */
export function nameCandidates(
  columns: readonly Column[],
  fields: readonly KnownField[],
): Candidate[] {
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
  return names.flatMap(({ column, part, score }): Candidate[] => {
    const own = fieldFor(others, part);
    if (own && !(part === 'fullName' && hasParts && !isFull)) {
      const why = `its name and its cells say ${WORDS[part]}`;
      return [{ column, target: `fields.${own.name}`, score, why }];
    }
    if (part === 'fullName' || !fullField || isFull) return [];
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
      const meaning = meaningOf(column, 'fullName', 'name', ...PARTS);
      return meaning && meaning.score > 0.45 && isMain(column, meaning)
        ? [{ column, meaning }]
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
function isMain(column: Column, meaning: ReadMeaning): boolean {
  const others = column.meanings.filter(({ fit }) => fit !== 'no');
  return others.every(({ score }) => score <= meaning.score);
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
