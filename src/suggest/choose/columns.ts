import { type Profile, profileOf } from '../contents/profile.js';
import { mayBePhone, phoneSeparator } from '../contents/phones.js';
import { type Meaning, type Recognised, recognise } from '../header/recognise.js';
import type { Concept } from '../words/concepts.js';
import type { Table } from '../suggestion.js';
import { fitOf, type Fit } from './fit.js';
import { normalForm } from '../header/normal-form.js';

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

/** Words for the number of something, in normal form. */
const NUMBER = new Set(
  'n no nr num number id code ref numero numer nummer numara numarasi номер код kod codigo codice cislo szam'.split(
    ' ',
  ),
);

/**
 * What a name is the number of: `N° dossier` and `Dossier no.` of `dossier`; none where it has no word for a number. With a
 * group above it, `Customer / Order no.`, also what its own name is the number of.
 */
function numberedNames(header: string, own: string): ReadonlySet<string> {
  return new Set([header, own].map(numbered).filter((form) => form !== ''));
}

function numbered(name: string): string {
  const words = normalForm(name).split(' ');
  const others = words.filter((word) => !NUMBER.has(word));
  return others.length === words.length ? '' : others.join(' ');
}

/** How much surer a name has to be without its group, or in another order, to be taken for that. */
const LEAD = 0.03;

/**
 * What the name of a column under a group means, `Mobile` under `Phones`: by both together, in either order, or by its
 * own name. Of whom it is, the whole name says.
 */
function recogniseInGroup(header: string, own: string): Recognised {
  const whole = recognise(header);
  const group = header.slice(0, Math.max(0, header.length - own.length)).trim();
  if (own === '' || group === '' || !header.endsWith(own)) return whole;
  const one = group.replace(/(?<=\p{L}{3})(?:s|ы|и)$/u, '');
  const others = [`${own} ${one}`, `${one} ${own}`, own].map(recognise);
  let best = whole;
  for (const other of others) if (sureness(other) > sureness(best) + LEAD) best = other;
  const { ofOthers, about } = whole;
  return { ...best, ofOthers, about: about && best.about };
}

const sureness = ({ meanings }: Recognised): number => meanings[0]?.score ?? 0;

const PATH = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+$/u;

/** What a header means, be it under a group, or a path of nested records such as `customer.name.first`. */
function recogniseHeader(header: string, own: string): Recognised {
  if (own !== '' || !PATH.test(header)) return recogniseInGroup(header, own);
  const steps = header.split('.').slice(-2);
  const { ofOthers } = recognise(header);
  return { ...recogniseInGroup(steps.join(' '), steps[1] ?? ''), ofOthers };
}
