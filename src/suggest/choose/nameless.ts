import { numberForm } from '../contents/numbers.js';
import type { Concept } from '../words/concepts.js';
import { type Candidate, percent } from './candidate.js';
import { fieldFor, type KnownField } from './card-fields.js';
import type { Column } from './columns.js';

/** Score of a column without a name; it is taken where the field is needed and no other column is like it. */
const BY_CELLS = 0.72;
/** Share of the cells that have to be of one kind. */
const MIN_SHARE = 0.9;

const LINKS: readonly Concept[] = ['domain', 'website'];

/** What columns without names may fill, by their cells alone. */
export function namelessCandidates(
  columns: readonly Column[],
  fields: readonly KnownField[],
): Candidate[] {
  return columns
    .filter(({ isNameless, cells }) => isNameless && cells.filled >= 3)
    .flatMap((column) => [
      ...fullName(column, fields),
      ...identifier(column, fields),
      ...domain(column, fields),
      ...number(column, fields),
    ]);
}

const to = (
  column: Column,
  { name }: KnownField,
  why: string,
  score: number = BY_CELLS,
): Candidate => ({ column, target: `fields.${name}`, score, why });

function fullName(column: Column, fields: readonly KnownField[]): Candidate[] {
  const field = fieldFor(fields, 'fullName');
  const { cells } = column;
  const isName =
    cells.share('name') > MIN_SHARE &&
    cells.shareOf((text) => /\S\s+\S/.test(text)) > MIN_SHARE &&
    cells.share('company') < 0.3;
  return field && isName ? [to(column, field, 'its cells look like names of persons')] : [];
}

/** Another value in every row, of digits or of one word with digits. */
function identifier(column: Column, fields: readonly KnownField[]): Candidate[] {
  if (!isIdentifying(column)) return [];
  const whole = column.cells.shareOf((text) => /^\d{1,15}$/.test(text)) === 1;
  const isLink = ({ meanings }: KnownField): boolean =>
    meanings.some(({ concept }) => LINKS.includes(concept));
  return fields
    .filter((each) => each.field.sync && !isLink(each))
    .filter(({ field }) => field.type !== 'Number' || whole)
    .map((field) => to(column, field, 'it has another value in every row'));
}

/** Whether every row has a value of its own, which is neither a phone nor a date, an address or the like. */
export function isIdentifying({ cells, phoneShare }: Column): boolean {
  const isUnique = cells.filled === cells.rows && cells.values.size === cells.filled;
  if (!isUnique || phoneShare > 0.5) return false;
  return (
    cells.shareOf((text) => /^[\p{L}\p{N}_./-]*\d[\p{L}\p{N}_./-]*$/u.test(text)) > MIN_SHARE &&
    (['date', 'ip', 'uuid', 'url'] as const).every((kind) => cells.share(kind) < 0.5)
  );
}

function domain(column: Column, fields: readonly KnownField[]): Candidate[] {
  const field = fieldFor(fields, ...LINKS);
  const share = column.cells.share('url');
  if (!field || share < MIN_SHARE) return [];
  return [to(column, field, `${percent(share)} of its cells are domains or links`)];
}

/** Numbers with decimals, where the card has one field that they can be. */
function number(column: Column, fields: readonly KnownField[]): Candidate[] {
  const numbers = fields.filter(({ field }) => field.type === 'Number' && !field.sync);
  const [only] = numbers;
  if (!only || numbers.length > 1) return [];
  const form = numberForm(column.cells.values);
  const isOther = column.phoneShare > 0.5 || column.cells.share('date') > 0.5;
  if (!form?.hasSigns || isOther) return [];
  return [to(column, only, 'its cells are numbers, and the card has one field of numbers', 0.66)];
}
