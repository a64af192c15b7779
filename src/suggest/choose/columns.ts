import { type Profile, profileOf } from '../contents/profile.js';
import { mayBePhone, phoneSeparator } from '../contents/phones.js';
import { numberedNames } from '../header/numbered.js';
import { recogniseHeader } from '../header/in-group.js';
import type { Meaning, Recognised } from '../header/recognise.js';
import type { Concept } from '../words/concepts.js';
import type { Table } from '../suggestion.js';
import { fitOf, type Fit } from './fit.js';

/** A meaning of a column, by its header and by its cells. */
export interface ReadMeaning extends Meaning {
  readonly fit: Fit;
}

/** A column as it was understood. */
export interface Column {
  readonly index: number;
  readonly header: string;
  readonly name: Recognised;
  /** Its name, and that without the group above it, with nothing that only says "number of". */
  readonly numbered: ReadonlySet<string>;
  readonly cells: Profile;
  readonly meanings: readonly ReadMeaning[];
  /** Share of its cells that are phone numbers, by the library. */
  readonly phoneShare: number;
  readonly phoneSeparator: string | null;
  /** Whether its header is a letter or number that names nothing. */
  readonly isNameless: boolean;
}

/** How many distinct values are parsed as phone numbers at most. */
const ASKED = 300;

const NONE: ReadonlySet<string> = new Set();
const NAMELESS: Recognised = { form: '', meanings: [], ofOthers: false, about: false };
/** What programs call columns that nobody named. */
const FILLER =
  /^(?:column|col|field|f|столбец|колонка|поле|spalte|colonne|columna|coluna)[ _]?\d+$/iu;

/** The columns of a table, each with what its name and its cells mean. */
export function readColumns(table: Table, country: string | undefined): Column[] {
  return table.headers.map((header, index) => {
    const cells = profileOf(table.sample.map((row) => row[index] ?? null));
    const isNameless = table.hasNames === false || FILLER.test(header);
    const own = table.ownNames?.[index] ?? '';
    const name = isNameless ? NAMELESS : recogniseHeader(header, own);
    const separator = phoneSeparator(cells.values);
    const phones =
      cells.share('phoneLike') > 0 || separator !== null
        ? shareOfPhones(cells, country, separator)
        : 0;
    const meanings = name.meanings.map((meaning) => read(settled(meaning, cells), cells, phones));
    return {
      ...{ index, header, name, cells, meanings, isNameless },
      numbered: isNameless ? NONE : numberedNames(header, own),
      phoneShare: phones,
      phoneSeparator: separator,
    };
  });
}

/** What a word of two meanings means in this column. */
function settled(meaning: Meaning, cells: Profile): Meaning {
  if (meaning.concept === 'title' && cells.share('salutation') < 0.5)
    return { ...meaning, concept: 'jobTitle' };
  if (meaning.concept === 'title') return { ...meaning, concept: 'salutation' };
  if (meaning.concept === 'state')
    return { ...meaning, concept: cells.share('status') > 0.5 ? 'status' : 'region' };
  return meaning;
}

function read(meaning: Meaning, cells: Profile, phones: number): ReadMeaning {
  const fit = fitOf(meaning.concept, cells, () => phones);
  return { ...meaning, fit, score: weighed(meaning.score, fit) };
}

/** What is left of the header's score, or added to it, by what the cells say. */
export function weighed(score: number, fit: Fit): number {
  if (fit === 'no') return score * 0.35;
  return fit === 'yes' ? score + (1 - score) * 0.5 : score;
}

function shareOfPhones(
  cells: Profile,
  country: string | undefined,
  separator: string | null,
): number {
  let asked = 0;
  let phones = 0;
  for (const text of cells.values.keys()) {
    if (asked >= ASKED) break;
    asked++;
    const parts = separator === null ? [text] : text.split(separator);
    if (parts.every((part) => looksLikePhone(part) && mayBePhone(part, country))) phones++;
  }
  // Without a country, national numbers are recognised by their form alone.
  const share = asked === 0 ? 0 : phones / asked;
  return share > 0 || country !== undefined ? share : cells.share('phoneLike') * 0.9;
}

const looksLikePhone = (text: string): boolean => text.replace(/\D/g, '').length >= 5;

/** The meaning with this concept, if the column has it. */
export function meaningOf(
  column: Column,
  ...concepts: readonly Concept[]
): ReadMeaning | undefined {
  return column.meanings.find(({ concept, fit }) => concepts.includes(concept) && fit !== 'no');
}

/** The most likely meaning that the cells allow. */
export function mainMeaning(column: Column): ReadMeaning | undefined {
  return column.meanings.find(({ fit }) => fit !== 'no');
}
