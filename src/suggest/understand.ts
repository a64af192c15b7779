import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { z } from 'zod';
import { type Profile, meaningsOfValue } from './contents.js';
import {
  CONCEPTS,
  type Concept,
  LANGUAGES,
  type Language,
  expressionsOf,
  holds,
  isUnspaced,
  normalForm,
  remembering,
  skeleton,
  wordSet,
  wordsOf,
} from './words.js';

/*
 * What columns mean: their names, their cells and the columns beside them, each as log-odds that add up. How much each says
 * was learned; the names of the features and the file of the weights are known here and to `npm run headers` alone.
 */

/** What of a column speaks for what it means: its name, its cells and the columns beside it. */
interface Evidence {
  /** How likely each class is by the name alone. */
  readonly likeness: Float64Array;
  /** The classes that the name is a known one for. */
  readonly known: readonly number[];
  /** Features of cells and neighbours, each with how much there is of it. */
  readonly features: readonly (readonly [feature: string, value: number])[];
}

/** A column with what its name and its cells say, in whatever country its numbers are. */
export interface PlainColumn {
  readonly index: number;
  readonly header: string;
  readonly name: Recognised;
  /** Its name, and that without the group above it, with nothing that only says "number of". */
  readonly numbered: ReadonlySet<string>;
  readonly cells: Profile;
  /** Its cells, row by row. */
  readonly texts: readonly (string | null)[];
  readonly phoneSeparator: string | null;
  /** The column of the area codes that its numbers go on behind. */
  readonly area: string | null;
  /** Whether its header is a letter or number that names nothing. */
  readonly isNameless: boolean;
  /** What it says of a place on the map: it is no phone and no amount, whatever its name is like. */
  readonly place: string | null;
}

/** What the cells say to a meaning of the header. `open`: they say nothing. */
export type Fit = 'yes' | 'no' | 'open';

/** A column as it was understood. */
export interface Column extends PlainColumn {
  /** By its header and by its cells, the likeliest first. */
  readonly meanings: readonly (Meaning & { readonly fit: Fit })[];
  /** Share of its cells that are phone numbers, by the library. */
  readonly phoneShare: number;
  /** What another column says of the countries of its numbers, where these exist there. */
  readonly beside: CountryBeside | null;
}

/** What a column says of the countries of the numbers of another one. */
export interface CountryBeside {
  readonly column: Column;
  /** Its cells by the code of the country that they mean, with a plus. */
  readonly codes: ReadonlyMap<string, readonly string[]>;
  /** Numbers without a country code. */
  readonly national: number;
  /** Of these, those with a country beside them, and those of them that exist in it. */
  readonly withCountry: number;
  readonly fitting: number;
  /** Where most numbers begin with the code of their country already: by code, the digits of the shortest. */
  readonly ownLengths: ReadonlyMap<string, number>;
  /** Those with something beside them that is no country. */
  readonly unknown: readonly string[];
}

/** What a column is understood by. */
type NamedCells = Pick<Column, 'name' | 'cells' | 'phoneShare'>;

/** Below this, a meaning is not worth naming. */
const MIN_SHARE = 0.03;

/** What the columns of a table may mean, each with the others beside it. */
export function understandColumns(columns: readonly NamedCells[]): Meaning[][] {
  return evidenceOf(columns).map((evidence) => {
    const likely = shares(logOdds(evidence));
    return CONCEPTS.map((concept, index) => ({ concept, score: likely[index] ?? 0 }))
      .filter(({ score }) => score >= MIN_SHARE)
      .sort((a, b) => b.score - a.score);
  });
}

/** So that a likeness of nothing is no proof against it. */
const SMALLEST = 1e-4;

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
      ...beside('*', likeliest(likely.filter((_, other) => other !== at))),
    ],
  }));
}

/** Below this, a neighbour is not taken for what it may be. */
const MIN_NEIGHBOUR = 0.15;

function beside(side: '<' | '>' | '*', likely: Float64Array | undefined): [string, number][] {
  if (!likely) return [[`${side}end`, 1]];
  return CLASSES.flatMap((name, at): [string, number][] => {
    const share = likely[at] ?? 0;
    return share > MIN_NEIGHBOUR ? [[side + name, share]] : [];
  });
}

function likeliest(all: readonly Float64Array[]): Float64Array {
  const max = new Float64Array(CLASSES.length);
  for (const likely of all)
    likely.forEach((share, at) => (max[at] = Math.max(max[at] ?? 0, share)));
  return max;
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

function cellFeatures(cells: Profile, phoneShare: number): string[] {
  if (cells.filled === 0) return ['empty'];
  const byShare = (name: string, share: number): string[] =>
    share >= MOSTLY ? [name] : share >= PARTLY ? [`${name} in part`] : [];
  return [
    'filled',
    ...byShare('phone', phoneShare),
    ...SHARED.flatMap((kind) => byShare(kind, cells.share(kind))),
    ...Object.entries(FORMS).flatMap(([name, holds]) => byShare(name, cells.roughly(holds))),
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

/** Share of the votes for the first language from which another one may be meant. */
const RIVAL = 0.5;

/** The language that most columns are named in; English where nothing shows another one. */
export function languageOf(headers: readonly string[]): Language {
  return languagesOf(headers, '')[0] ?? 'en';
}

/** Languages that the columns are named in, and those whose letters a text has, the most frequent first. */
export function languagesOf(headers: readonly string[], text: string): Language[] {
  const votes = new Map<Language, number>(LANGUAGES.map((language) => [language, 0]));
  const vote = (language: Language, weight: number): void => {
    votes.set(language, (votes.get(language) ?? 0) + weight);
  };
  // Letters that one of the languages alone has, where words do not decide.
  const voteByLetters = (letters: string): void => {
    const found = expressionsOf('letters').find(([, own]) => own.test(letters))?.[0];
    const language = LANGUAGES.find((each) => each === found);
    if (language) vote(language, 0.5);
  };
  for (const header of headers) {
    const languages = recognise(header).meanings[0]?.languages ?? [];
    for (const language of languages) vote(language, 1 / Math.sqrt(languages.length));
    voteByLetters(header);
  }
  voteByLetters(text);
  const max = Math.max(...votes.values());
  // Words such as `telefon` are those of many languages, which the others decide between.
  const known = [...votes].filter(([, weight]) => weight > 0 && weight >= max * RIVAL);
  return known.sort((a, b) => b[1] - a[1]).map(([language]) => language);
}

/** What a name may mean, and how likely that is. */
export interface Meaning {
  readonly concept: Concept;
  readonly score: number;
}

/** What a name says by itself. */
export interface Recognised {
  readonly form: string;
  /** The likeliest first; one for each concept. Names that well-known programs give are of no language. */
  readonly meanings: readonly (Meaning & { readonly languages: readonly Language[] })[];
  /** Whether the name is one of the known ones, and not only like them. */
  readonly isKnown: boolean;
  /** Whether the name is of somebody else than the client, such as `Owner phone`. */
  readonly ofOthers: boolean;
  /** Whether the name says something about the thing and is not the thing, such as `Phone verified`. */
  readonly about: boolean;
}

const SCORES = { whole: 0.97, stripped: 0.93, unspaced: 0.93, sound: 0.92 } as const;

/** Below this, a likeness says nothing. */
const MIN_LIKENESS = 0.05;

/** What the name of a column or of a card field means: it is known, or it is like known ones. */
export const recognise = remembering((name: string): Recognised => {
  const form = normalForm(name);
  const tries = [
    [form, SCORES.whole],
    [strip(form), SCORES.stripped],
    [form.replace(/ \d+$/, '').replace(/^\d+ /, ''), SCORES.stripped],
    [UNSPACED + form.replaceAll(' ', ''), SCORES.unspaced],
    [isCyrillic(form) ? '' : SOUND + skeleton(form), SCORES.sound],
  ] as const;
  for (const [key, score] of tries) {
    const senses = knownNames().get(key);
    if (!senses) continue;
    const meanings = [...senses].map(([concept, languages]) => ({ concept, languages, score }));
    return { form, meanings, isKnown: true, ofOthers: false, about: false };
  }
  const words = form.split(' ');
  const likely = guess(form);
  const meanings = CONCEPTS.map((concept, at) => ({ concept, score: likely[at] ?? 0 }))
    .filter(({ score }) => score >= MIN_LIKENESS)
    .sort((a, b) => b.score - a.score)
    .map((each) => ({ ...each, languages: [] }));
  return {
    ...{ form, isKnown: false, meanings },
    ofOthers: words.some((word) => wordSet('others').has(word)),
    about: words.some((word) => wordSet('about').has(word)) || holds('about end', form),
  };
});

/** Without the words that only say that it is the client's. */
function strip(form: string): string {
  const kept = form.split(' ').filter((word) => !wordSet('neutral').has(word));
  return kept.length === 0 ? form : kept.join(' ');
}

type Senses = Map<Concept, Language[]>;

let known: Map<string, Senses> | undefined;

/** What the keys of known names begin with that have no spaces, and of Cyrillic ones as they sound. */
const [UNSPACED, SOUND] = ['=', '~'];

/** Every known name, by its normal form, without its spaces, and as it sounds. Made when it is first asked for. */
function knownNames(): Map<string, Senses> {
  if (known) return known;
  const all = new Map<string, Senses>();
  for (const row of wordsOf('column')) {
    const concept = CONCEPTS.find((each) => each === row.of);
    const language = LANGUAGES.find((each) => each === row.language);
    for (const form of row.words.map(normalForm)) {
      if (!concept || form === '') continue;
      const keys = [form, UNSPACED + form.replaceAll(' ', '')];
      for (const key of isCyrillic(form) ? [...keys, SOUND + skeleton(form)] : keys) {
        const senses: Senses = all.get(key) ?? new Map<Concept, Language[]>();
        const languages = senses.get(concept) ?? [];
        if (language && !languages.includes(language)) languages.push(language);
        all.set(key, senses.set(concept, languages));
      }
    }
  }
  known = all;
  return all;
}

const isCyrillic = (text: string): boolean => /\p{Script=Cyrillic}/u.test(text);

/** What a column may mean; `none` is nothing that this program knows. */
export const CLASSES = [...CONCEPTS, 'none'] as const satisfies readonly (Concept | 'none')[];

/** Places for features of names; several may share one. */
export const PLACES = 1 << 15;

/** Words of a name beyond this many say nothing new. */
const MAX_WORDS = 12;

/**
 * Of a name in normal form, pieces of words, words, and pairs of words: what names that mean the same have in common, as
 * places in a vector and how much there is of each.
 */
export function nameFeatures(form: string): { places: Int32Array; values: Float32Array } {
  const found = new Map<number, number>();
  const add = (feature: string, value: number): void => {
    const place = placeOf(feature);
    found.set(place, (found.get(place) ?? 0) + value);
  };
  const words = form.split(' ').slice(0, MAX_WORDS);
  for (const word of words) addWord(word, add);
  words.slice(1).forEach((word, at) => add(`b:${words[at] ?? ''} ${word}`, 0.7));
  add(`first:${words[0] ?? ''}`, 0.3);
  add(`last:${words.at(-1) ?? ''}`, 0.4);
  add(`words:${Math.min(words.length, 5)}`, 0.3);
  const length = Math.sqrt([...found.values()].reduce((sum, value) => sum + value * value, 0));
  return {
    places: Int32Array.from(found.keys()),
    values: Float32Array.from(found.values(), (value) => value / length),
  };
}

function addWord(word: string, add: (feature: string, value: number) => void): void {
  add(`w:${word}`, 1);
  const unspaced = isUnspaced(word);
  for (const piece of piecesOf(word, unspaced ? [1, 2, 3] : [3, 4, 5]))
    add(`g:${piece}`, unspaced ? 0.7 : 0.4);
  if (unspaced) return;
  const latin = skeleton(word);
  if (latin !== word) add(`w:${latin}`, 0.6);
  for (const piece of piecesOf(latin, [3, 4])) add(`l:${piece}`, 0.3);
}

function piecesOf(word: string, lengths: readonly number[]): string[] {
  const whole = `<${word}>`;
  return lengths.flatMap((length) =>
    Array.from({ length: Math.max(0, whole.length - length + 1) }, (_, at) =>
      whole.slice(at, at + length),
    ),
  );
}

function placeOf(feature: string): number {
  let hash = 2166136261;
  for (let at = 0; at < feature.length; at++)
    hash = Math.imul(hash ^ feature.charCodeAt(at), 16777619);
  return (hash >>> 0) % PLACES;
}

/** What was learned from known headers and lists; made by `npm run headers`. */
interface Weights {
  /** For each place of a name's features, one for each class. */
  readonly names: Int8Array;
  readonly nameScale: number;
  /** By what the likeness of a name to known ones is multiplied. */
  readonly likeness: number;
  /** What a known name adds to its meanings. */
  readonly known: number;
  /** For each feature of cells and neighbours, one for each class. */
  readonly evidence: Readonly<Record<string, Float32Array>>;
}

let loaded: Weights | undefined;

/** Read when first asked for: the commands that suggest nothing do without. */
export function weights(): Weights {
  return (loaded ??= unpack(readFileSync(new URL('./data/headers.bin', import.meta.url))));
}

/** Takes other weights than those of the package, for measuring them. */
export function useWeights(other: Weights): void {
  loaded = other;
}

const head = z.object({
  nameScale: z.number(),
  likeness: z.number(),
  known: z.number(),
  scales: z.array(z.tuple([z.string(), z.number()])),
});

/** A line of JSON with the names of the evidence and the scales, and the weights as signed bytes. */
function unpack(packed: Uint8Array): Weights {
  const all = brotliDecompressSync(packed);
  const end = all.indexOf(10);
  const { scales, ...scalars } = head.parse(JSON.parse(all.subarray(0, end).toString()));
  const bytes = new Int8Array(all.buffer, all.byteOffset + end + 1, all.length - end - 1);
  const width = CLASSES.length;
  const own = PLACES * width;
  const evidence = Object.fromEntries(
    scales.map(([name, scale], at) => {
      const from = own + at * width;
      return [name, Float32Array.from(bytes.subarray(from, from + width), (byte) => byte * scale)];
    }),
  );
  return { ...scalars, names: bytes.subarray(0, own), evidence };
}

/** How likely each class is for a name in normal form, by its likeness to known ones alone. */
export function guess(form: string): Float64Array {
  const { names, nameScale } = weights();
  const { places, values } = nameFeatures(form);
  const sums = new Float64Array(CLASSES.length);
  places.forEach((place, at) => {
    const from = place * CLASSES.length;
    const value = (values[at] ?? 0) * nameScale;
    for (let each = 0; each < CLASSES.length; each++)
      sums[each] = (sums[each] ?? 0) + (names[from + each] ?? 0) * value;
  });
  return shares(sums);
}

/** Log-odds as probabilities. */
export function shares(sums: Float64Array): Float64Array {
  const max = Math.max(...sums);
  const all = sums.map((sum) => Math.exp(sum - max));
  const total = all.reduce((sum, each) => sum + each, 0);
  return all.map((each) => each / total);
}
