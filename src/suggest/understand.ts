import { meaningsOfValue, type Profile, profileOf } from './contents.js';
import { type Meaning, type Recognised, recognise } from './header.js';
import { CLASSES, guess, shares, weights } from './model.js';
import { CONCEPTS } from './words.js';

/** What of a column speaks for what it means: its name, its cells and the columns beside it. */
export interface Evidence {
  /** How likely each class is by the name alone. */
  readonly likeness: Float64Array;
  /** The classes that the name is a known one for. */
  readonly known: readonly number[];
  /** Features of cells and neighbours, each with how much there is of it. */
  readonly features: readonly (readonly [feature: string, value: number])[];
}

/** A column before it is understood. */
export interface NamedCells {
  readonly name: Recognised;
  readonly cells: Profile;
  /** Share of the cells that are phone numbers. */
  readonly phoneShare: number;
}

/**
 * What a column may mean, by its header, by cells of it and by the headers of the columns beside it: the likeliest first,
 * each with its probability.
 */
export function understand(
  header: string,
  values: Iterable<string | null> = [],
  neighbours: { readonly before?: readonly string[]; readonly after?: readonly string[] } = {},
): Meaning[] {
  const { before = [], after = [] } = neighbours;
  const cells = profileOf([...values]);
  const none = profileOf([]);
  const columns = [...before, header, ...after].map((each, at) => ({
    name: recognise(each),
    cells: at === before.length ? cells : none,
    phoneShare: at === before.length ? cells.share('phoneLike') : 0,
  }));
  return understandColumns(columns)[before.length] ?? [];
}

/** Below this, a meaning is not worth naming. */
const MIN_SHARE = 0.03;

/** What the columns of a table may mean, each with the others beside it. */
export function understandColumns(columns: readonly NamedCells[]): Meaning[][] {
  return evidenceOf(columns).map((evidence, at) => {
    const languages = new Map(
      columns[at]?.name.meanings.map((meaning) => [meaning.concept, meaning.languages]),
    );
    const likely = shares(logOdds(evidence));
    return CONCEPTS.flatMap((concept, index): Meaning[] => {
      const score = likely[index] ?? 0;
      if (score < MIN_SHARE) return [];
      return [{ concept, score, languages: languages.get(concept) ?? new Set() }];
    }).sort((a, b) => b.score - a.score);
  });
}

/** So that a likeness of nothing is no proof against it. */
const SMALLEST = 1e-4;

/** Adds up what speaks for each class. */
function logOdds({ likeness, known, features }: Evidence): Float64Array {
  const learned = weights();
  const sums = likeness.map((share) => learned.likeness * Math.log(share + SMALLEST));
  for (const at of known) sums[at] = (sums[at] ?? 0) + learned.known;
  for (const [feature, value] of features) {
    const row = learned.evidence[feature];
    if (row)
      for (let at = 0; at < sums.length; at++) sums[at] = (sums[at] ?? 0) + (row[at] ?? 0) * value;
  }
  return sums;
}

/** The evidence for the columns of a table. */
export function evidenceOf(columns: readonly NamedCells[]): Evidence[] {
  const names = columns.map(({ name }) => {
    const known = name.isKnown ? name.meanings.map(({ concept }) => CONCEPTS.indexOf(concept)) : [];
    return { likeness: guess(name.form), known };
  });
  const likely = names.map(({ likeness, known }) =>
    known.length === 0
      ? likeness
      : likeness.map((_, at) => (known.includes(at) ? 1 / known.length : 0)),
  );
  return columns.map(({ name, cells, phoneShare }, at) => ({
    ...(names[at] ?? { likeness: guess(''), known: [] }),
    features: [
      ['always', 1],
      ...cellFeatures(cells, phoneShare).map((feature): [string, number] => [feature, 1]),
      ...(name.about ? [['about', 1] as const] : []),
      ...(name.ofOthers ? [['others', 1] as const] : []),
      ...beside('<', likely[at - 1]),
      ...beside('>', likely[at + 1]),
      ...among(likely, at),
    ],
  }));
}

/** Below this, a neighbour is not taken for what it may be. */
const MIN_NEIGHBOUR = 0.15;

function beside(side: '<' | '>', likely: Float64Array | undefined): [string, number][] {
  if (!likely) return [[`${side}end`, 1]];
  return named(side, likely);
}

/** What any of the other columns is. */
function among(all: readonly Float64Array[], own: number): [string, number][] {
  const likeliest = new Float64Array(CLASSES.length);
  all.forEach((likely, at) => {
    if (at !== own)
      likely.forEach((share, each) => (likeliest[each] = Math.max(likeliest[each] ?? 0, share)));
  });
  return named('*', likeliest);
}

function named(prefix: string, likely: Float64Array): [string, number][] {
  return CLASSES.flatMap((name, at): [string, number][] => {
    const share = likely[at] ?? 0;
    return share > MIN_NEIGHBOUR ? [[prefix + name, share]] : [];
  });
}

/** Shares of the cells from which a column is of a kind, and is partly so. */
const [MOSTLY, PARTLY] = [0.8, 0.3];
/** A child may be called with its parents; nobody is much older than the other. */
const AGES = { min: 16, max: 95 } as const;

const SHARED = [
  ...(['email', 'date', 'url', 'uuid', 'ip', 'time', 'number', 'integer', 'zone'] as const),
  ...(['yesNo', 'name', 'company', 'salutation', 'address', 'status', 'letters'] as const),
] as const;

const FORMS: Readonly<Record<string, (text: string) => boolean>> = {
  // A gap between two letters that holds a blank: in one pass, however long the text is.
  words: (text) => /\p{L}[^\p{L}\s]*\s[^\p{L}]*\p{L}/u.test(text),
  long: (text) => text.length > 30,
  short: (text) => text.length <= 3,
  gender: (text) => meaningsOfValue(text).some((each) => each === 'male' || each === 'female'),
  money: (text) => /\p{Sc}|\d[.,]\d\d$/u.test(text),
  decimal: (text) => /^-?\d{1,3}\.\d{4,}$/.test(text),
  currency: (text) => /^[A-Z]{3}$/.test(text),
  code: (text) => /^[A-Z]{2}$/.test(text),
  mixed: (text) => /^(?=.*\d)(?=.*\p{L})[\p{L}\d/_.-]+$/u.test(text),
  plus: (text) => text.startsWith('+'),
  'of birth': (text) => isAgo(text, AGES.min, AGES.max),
  future: (text) => isAgo(text, -50, -1),
  'one or two digits': (text) => /^\d{1,2}$/.test(text),
  'three or four digits': (text) => /^\d{3,4}$/.test(text),
  'five digits': (text) => /^\d{5}$/.test(text),
  'more digits': (text) => /^\d{6,}$/.test(text),
};

function isAgo(text: string, min: number, max: number): boolean {
  const year = /(?<!\d)(?:19|20)\d\d(?!\d)/.exec(text);
  const ago = year ? new Date().getFullYear() - Number(year[0]) : NaN;
  return ago >= min && ago <= max;
}

/** What the cells of a column look like. */
function cellFeatures(cells: Profile, phoneShare: number): string[] {
  if (cells.filled === 0) return ['empty'];
  const byShare = (name: string, share: number): string[] =>
    share >= MOSTLY ? [name] : share >= PARTLY ? [`${name} in part`] : [];
  return [
    'filled',
    ...byShare('phone', phoneShare),
    ...SHARED.flatMap((kind) => byShare(kind, cells.share(kind))),
    ...Object.entries(FORMS).flatMap(([name, holds]) => byShare(name, cells.shareOf(holds))),
    ...variety(cells),
  ];
}

/** How many cells variety shows in. */
const MIN_CELLS = 4;

function variety({ values, filled }: Profile): string[] {
  if (filled < MIN_CELLS) return [];
  if (values.size === filled) return ['unique'];
  if (values.size === 1) return ['constant'];
  return values.size <= filled / 2 ? ['few'] : [];
}
