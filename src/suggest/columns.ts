import type { PhoneType } from '../core/client.js';
import { columnLetters } from '../core/table.js';
import { type Profile, isPlace, meaningsOfValue, profileOf } from './contents.js';
import {
  type AreaCodes,
  countryBeside,
  digitsIn,
  isPhoneName,
  mayBePhone,
  phoneSeparator,
} from './phones.js';
import type { Table } from './read-file.js';
import {
  type Column,
  type Fit,
  type Meaning,
  type PlainColumn,
  type Recognised,
  recognise,
  understandColumns,
} from './understand.js';
import {
  type Concept,
  DATE_CONCEPTS,
  NAME_CONCEPTS,
  NUMBER_CONCEPTS,
  PHONE_CONCEPTS,
  concepts,
  holds,
  normalForm,
  wordSet,
  wordsOf,
} from './words.js';

/** Where a column goes: a part of the client, or `fields.<name>` of the card. */
export type Target =
  | 'phones'
  | 'emails'
  | 'addresses'
  | 'timeZone'
  | 'type'
  | 'clientRoleId'
  | 'uuid'
  | `fields.${string}`;

/** What earlier runs did with columns of this name: their target, or `null` for what was left out. */
export type Remembered = ReadonlyMap<string, RememberedColumn>;

export interface RememberedColumn {
  readonly target: Target | null;
  /** Name of the run's mapping file. */
  readonly mapping: string;
}

/** What is suggested for one column. */
export interface ColumnSuggestion {
  /** Header of the column, as it stands in the file. */
  readonly column: string;
  /** `null`: nothing of the client. Columns of one field all carry its target. */
  readonly target: Target | null;
  readonly phoneType?: PhoneType;
  /** From 0 to 1; from `SURE` on the column stands in the mapping, from `LIKELY` on as a comment. */
  readonly score: number;
  /** The reason in words. */
  readonly why: string;
}

/** Scores from which a column is put into the mapping, and from which it stands there as a comment. */
export const SURE = 0.85;
export const LIKELY = 0.5;

/** A score to two places: the same one wherever it is shown. */
export const roundScore = (score: number): number => Math.round(score * 100) / 100;
/** A score as it is written in a draft and on a terminal, such as 0.97. */
export const scoreText = (score: number): string => roundScore(score).toFixed(2);

/**
 * How the values of a column become those of a list: `pairs` of every value that becomes another one, and the rest of the
 * list, empty where nothing has to be changed; values for which the list has nothing, with how often they occur; and the
 * share of the filled cells that become a value of the list.
 */
export function mapValues(cells: Profile, allowed: readonly string[]) {
  const pairs = new Map<string, string>();
  const unknown = new Map<string, number>();
  for (const [text, count] of cells.values) {
    const value = allowed.includes(text) ? text : valueFor(text, allowed);
    if (value === undefined) unknown.set(text, count);
    else if (value !== text) pairs.set(text, value);
  }
  // A map knows its results and nothing else of the list.
  if (pairs.size > 0)
    for (const value of allowed) if (![...pairs.values()].includes(value)) pairs.set(value, value);
  return { pairs, unknown, share: cells.shareOf((text) => !unknown.has(text)) };
}

function valueFor(text: string, allowed: readonly string[]): string | undefined {
  const form = normalForm(text);
  const same = allowed.find((value) => normalForm(value) === form && form !== '');
  if (same !== undefined) return same;
  const meant = byMeaning(text, allowed);
  if (meant !== undefined) return meant;
  const words = form.split(' ');
  const inside =
    words.length === 1
      ? []
      : words.map((word) => byMeaning(word, allowed)).filter((found) => found !== undefined);
  if (new Set(inside).size === 1) return inside[0];
  const currency = text.toLowerCase().replace(/\.$/, '');
  const code = wordsOf('currency').find((entry) => entry.words.includes(currency))?.of;
  return code !== undefined && allowed.includes(code) ? code : undefined;
}

function byMeaning(text: string, allowed: readonly string[]): string | undefined {
  const meanings = meaningsOfValue(text);
  const fitting = allowed.filter((value) =>
    meaningsOfValue(value).some((meaning) => meanings.includes(meaning)),
  );
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** One way to use a column. */
export interface Candidate {
  readonly column: Column;
  readonly target: Target;
  readonly score: number;
  readonly why: string;
  readonly phoneType?: PhoneType;
  /** What it is of a name or an address that several columns make up. */
  readonly part?: Concept;
  /** Columns of one address have one group. */
  readonly group?: string;
  readonly addressType?: 'HOME' | 'WORK';
}

/** A share for a person, rounded down: only all of them are 100 %. */
export const percent = (share: number): string => `${Math.floor(share * 100)} %`;

/** How many distinct values are parsed as phone numbers at most, and at first. */
const [ASKED, ASKED_FIRST] = [300, 30];

const NONE: ReadonlySet<string> = new Set();
const NAMELESS: Recognised = {
  ...{ form: '', meanings: [], isKnown: false },
  ...{ ofOthers: false, about: false },
};
/** The columns of a table. */
export function columnsOf(table: Table, areas: AreaCodes): PlainColumn[] {
  const all = table.headers.map((header, index) => {
    const texts = table.sample.map((row) => row[index] ?? null);
    const cells = profileOf(texts);
    const isNameless =
      table.hasNames === false || holds('filler', header) || header === columnLetters(index);
    const own = table.ownNames?.[index] ?? '';
    const name = isNameless ? NAMELESS : recogniseHeader(header, own);
    return {
      ...{ index, header, cells, texts, isNameless, name, place: placeOf(name.form, cells) },
      numbered: isNameless ? NONE : numberedNames(header, own),
      phoneSeparator: phoneSeparator(cells.values, isPhoneName(name)),
      area: table.headers[areas.get(index) ?? -1] ?? null,
    };
  });
  // Where the client has no phone, those of parents are who is called.
  const isOfRelative = ({ form, isKnown }: Recognised): boolean =>
    !isKnown && form.split(' ').some((word) => wordSet('relatives').has(word));
  const isOwn = ({ name, cells }: PlainColumn): boolean =>
    isPhoneName(name) && name.meanings[0]?.concept !== 'fax' && cells.filled * 2 >= cells.rows;
  return all.some(isOwn)
    ? all.map((each) =>
        isOfRelative(each.name) ? { ...each, name: { ...each.name, ofOthers: true } } : each,
      )
    : all;
}

/** The columns of a table, each with what its name, its cells and the columns beside it mean. */
export function readColumns(plain: readonly PlainColumn[], country: string | undefined): Column[] {
  const columns = plain.map((column) => ({
    ...column,
    phoneShare: shareOfPhones(column, country),
    beside: null,
  }));
  const understood = understandColumns(columns);
  const all = columns.map((column, at): Column => ({
    ...column,
    meanings: column.isNameless || column.place ? [] : read(understood[at] ?? [], column),
  }));
  return all.map((column) => {
    const kind = isPhoneName(column.name) ? 'holdsPhone' : 'phoneLike';
    const mayHold = column.cells.share(kind) > 0.3 || column.area !== null;
    const beside = column.isNameless || !mayHold ? null : countryBeside(column, all);
    if (!beside) return column;
    // As numbers of one country, few would exist.
    const share = Math.max(column.phoneShare, beside.fitting / Math.max(1, beside.national));
    return { ...column, beside, phoneShare: share };
  });
}

/** Degrees as a column named after them has them: whole ones, or with the sign of a direction, as well. */
const DEGREES = /^\(?[-+−]?(?:\d|[1-9]\d|1[0-7]\d|180)(?:[.,]\d+)?°?\s?[NSEWСЮВЗ]?(?:[,;/\s].*)?$/u;

/** `latitude`, `longitude` or `coordinates`, where the cells are of that form. */
function placeOf(form: string, cells: Profile): string | null {
  if (cells.filled === 0) return null;
  const named = placeNamed(form);
  if (named !== null && cells.roughly((text) => DEGREES.test(text)) > MOSTLY) return named;
  return cells.roughly((text) => isPlace(text) && /\d\D*[,;/\s]\s*[-+−]?\d+[.,]\d/.test(text)) >
    MOSTLY
    ? 'coordinates'
    : null;
}

export const ON_MAP = 'it says where something is on a map';

/** What of a place a name in normal form says, be it of a column or of a field of a card. */
export function placeNamed(form: string): string | null {
  const found = wordsOf('place').flatMap(({ of, words }) =>
    words.some((word) => ` ${form} `.includes(` ${normalForm(word)} `)) ? [of] : [],
  );
  const [degrees, other] = found.filter((of) => of !== 'coordinates');
  return (other === undefined ? degrees : 'coordinates') ?? found[0] ?? null;
}

/** A likeness to known names alone makes no column sure. */
const BY_LIKENESS = 0.84;

/**
 * A known name of one meaning is that at least as surely, where the form of the cells says so as well. Many things have
 * cells like those of a person's name.
 */
const KNOWN = { name: 0.7, other: 0.93 };

/** The meanings of a column in terms of what a client has; those that the cells rule out are marked. */
function read(
  meanings: readonly Meaning[],
  { name, cells, phoneShare }: Omit<Column, 'meanings'>,
): Column['meanings'] {
  const known = new Set(name.isKnown ? name.meanings.map((each) => settled(each, cells)) : []);
  const [only] = known.size === 1 ? known : [];
  const scores = new Map<Concept, number>(only ? [[only, 0]] : []);
  for (const meaning of meanings) {
    const concept = settled(meaning, cells);
    scores.set(concept, (scores.get(concept) ?? 0) + meaning.score);
  }
  return [...scores]
    .map(([concept, likely]) => {
      const fit = fitOf(concept, cells, phoneShare);
      const isShown = concept === only && fit === 'yes';
      const floor = isShown ? KNOWN[NAME_CONCEPTS.has(concept) ? 'name' : 'other'] : 0;
      const score = Math.max(floor, fit === 'no' ? weighed(likely, fit) : likely);
      const isProven = name.isKnown || fit === 'yes';
      return { concept, fit, score: isProven ? score : Math.min(BY_LIKENESS, score) };
    })
    .sort((a, b) => b.score - a.score);
}

/** What a word of two meanings means in this column. */
function settled({ concept }: Meaning, cells: Profile): Concept {
  if (concept === 'title') return cells.share('salutation') < 0.5 ? 'jobTitle' : 'salutation';
  if (concept === 'state') return cells.share('status') > 0.5 ? 'status' : 'region';
  return concept;
}

/** What is left of the header's score, or added to it, by what the cells say. */
export function weighed(score: number, fit: Fit): number {
  if (fit === 'no') return score * 0.35;
  return fit === 'yes' ? score + (1 - score) * 0.5 : score;
}

function shareOfPhones(
  { name, cells, phoneSeparator: separator, place }: PlainColumn,
  country: string | undefined,
): number {
  const isNamed = isPhoneName(name);
  const holdsNone = cells.share(isNamed ? 'holdsPhone' : 'phoneLike') === 0 && separator === null;
  if (place || holdsNone) return 0;
  const asked = [...cells.values.keys()].slice(0, ASKED);
  const isOne = (part: string): boolean =>
    digitsIn(part) >= 5 && mayBePhone(part, country, isNamed);
  const holdsPhones = (text: string): boolean =>
    isOne(text) || text.split(separator ?? '\0').every(isOne);
  // Where none of the first ones, and of some others, is a phone, the rest hardly is.
  const step = Math.ceil(asked.length / ASKED_FIRST);
  const hasNone = !asked.some(
    (text, at) => (at < ASKED_FIRST || at % step === 0) && holdsPhones(text),
  );
  const phones = hasNone ? [] : asked.filter(holdsPhones);
  // Without a country, national numbers are recognised by their form alone.
  const share = phones.length / Math.max(1, asked.length);
  return share > 0 || country !== undefined ? share : cells.share('phoneLike') * 0.9;
}

/** The likeliest of these meanings that the cells leave to a column. */
export const meaningOf = (column: Column, wanted: ReadonlySet<Concept>): Meaning | undefined =>
  column.meanings.find(({ concept, fit }) => wanted.has(concept) && fit !== 'no');

/** How likely a column is one of these things, whichever it is. */
export function likelihood(column: Column, wanted: ReadonlySet<Concept>): number {
  const its = column.meanings.filter(({ concept, fit }) => wanted.has(concept) && fit !== 'no');
  const isProven = column.name.isKnown || its.some(({ fit }) => fit === 'yes');
  const sum = its.reduce((total, { score }) => total + score, 0);
  return Math.min(isProven ? 0.99 : BY_LIKENESS, sum);
}

/**
 * What a name is the number of: `N° dossier` and `Dossier no.` of `dossier`; none where it has no word for a number. With a
 * group above it, `Customer / Order no.`, also what its own name is the number of.
 */
const numberedNames = (header: string, own: string): ReadonlySet<string> =>
  new Set(
    [header, own].flatMap((name) => {
      const words = normalForm(name).split(' ');
      const others = words.filter((word) => !wordSet('number').has(word));
      return others.length === words.length || others.length === 0 ? [] : others.join(' ');
    }),
  );

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

const sureness = ({ meanings, isKnown }: Recognised): number =>
  Math.min(meanings[0]?.score ?? 0, isKnown ? 1 : BY_LIKENESS);

const PATH = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+$/u;

/** What a header means, be it under a group, or a path of nested records such as `customer.name.first`. */
function recogniseHeader(header: string, own: string): Recognised {
  if (own !== '' || !PATH.test(header)) return recogniseInGroup(header, own);
  const steps = header.split('.').slice(-2);
  const { ofOthers } = recognise(header);
  return { ...recogniseInGroup(steps.join(' '), steps[1] ?? ''), ofOthers };
}

/** Meanings of which any text is right, unless it is of a kind that is recognised by its form. */
const ANY = concepts('id contract policy order offer governmentId bankAccount plateNumber');

const ANY_NUMBER = concepts('postcode house apartment source');

/** Share of the cells from which a column is taken for what they look like. */
const MAIN_SHARE = 0.6;
const MOSTLY = 0.8;

/** Meanings of which cells show their form. */
const OWN_FORM: Partial<Record<Concept, Parameters<Profile['share']>[0]>> = {
  ...{ email: 'email', timeZone: 'zone', uuid: 'uuid', salutation: 'salutation' },
};

/** Whether what a column holds fits what its header means. */
export function fitOf(concept: Concept, cells: Profile, phoneShare: number): Fit {
  if (cells.filled === 0) return 'open';
  if (PHONE_CONCEPTS.has(concept)) return byShare(phoneShare);
  if (DATE_CONCEPTS.has(concept))
    return byShare(Math.max(cells.share('date'), cells.share('compactDate')));
  const own = OWN_FORM[concept];
  if (own) return byShare(cells.share(own));
  const isMain = (kind: 'date' | 'email'): boolean => cells.share(kind) > MAIN_SHARE;
  if (NUMBER_CONCEPTS.has(concept)) return isMain('date') ? 'no' : byShare(cells.share('number'));
  if (NAME_CONCEPTS.has(concept)) return nameFit(cells);
  if (concept === 'consent' || concept === 'doNotCall')
    return cells.share('yesNo') >= MAIN_SHARE ? 'yes' : 'open';
  if (concept === 'website' || concept === 'domain') {
    if (cells.share('url') >= MAIN_SHARE) return 'yes';
    return isMain('email') || isAnswer(cells) ? 'no' : 'open';
  }
  const isOther = ANY.has(concept)
    ? isMain('email') || isMain('date')
    : hasForm(cells, ['email', 'date', 'time', 'uuid', 'ip']) ||
      (!ANY_NUMBER.has(concept) && hasForm(cells, ['number']));
  return isOther || (concept !== 'source' && isAnswer(cells)) ? 'no' : 'open';
}

const byShare = (share: number): Fit =>
  share >= MAIN_SHARE ? 'yes' : share <= 0.3 ? 'no' : 'open';

function hasForm(cells: Profile, kinds: readonly Parameters<Profile['share']>[0][]): boolean {
  return kinds.some((kind) => cells.share(kind) > 0.8);
}

/** Yes and no in words, not the numbers 0 and 1, which mean many things. */
function isAnswer(cells: Profile): boolean {
  const isInWords = cells.shareOf((text) => /^\d+$/.test(text)) < 0.5;
  return isInWords && cells.share('yesNo') > 0.8 && cells.values.size <= 4;
}

function nameFit(cells: Profile): Fit {
  if (hasForm(cells, ['email', 'date', 'time', 'uuid', 'ip', 'number', 'url']) || isAnswer(cells))
    return 'no';
  if (cells.share('company') > 0.5) return 'no';
  return cells.share('name') >= MAIN_SHARE ? 'yes' : 'open';
}
