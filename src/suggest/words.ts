import { readFileSync } from 'node:fs';

/** The names in a text, each a type of its own. */
type Names<
  Text extends string,
  Sign extends string = ' ',
> = Text extends `${infer First}${Sign}${infer Rest}` ? First | Names<Rest, Sign> : Text;

const names = <Text extends string>(text: Text): readonly Names<Text>[] =>
  text.split(' ') as Names<Text>[];

/** Everything that a column or a card field may mean. The order is that of the weights. */
export const CONCEPTS = [
  ...names('fullName name firstName middleName lastName salutation suffix nickname birthDate'),
  ...names('age gender language maritalStatus company jobTitle title department industry phone'),
  ...names('mobile homePhone workPhone fax otherPhone email messenger website domain address'),
  ...names('street house apartment district city region state postcode country timeZone id'),
  ...names('uuid contract policy order offer governmentId bankAccount status segment tier'),
  ...names('clientRole source campaign owner score priority tags comment topic consent'),
  ...names('doNotCall disposition attempts created modified lastCall callback due renewal'),
  ...names('start budget revenue employees debt overdueDays premium currency product quantity'),
  ...names('branch vehicle plateNumber insurer'),
] as const;

export type Concept = (typeof CONCEPTS)[number];

/** Some of them, by names that the compiler knows. */
export const concepts = <Text extends string>(
  text: Text & (Names<Text> extends Concept ? unknown : never),
): ReadonlySet<Concept> => new Set<Concept>(names<Text>(text) as readonly Concept[]);

/** Languages that drafts distinguish, by the order of names and addresses and by their countries. */
export const LANGUAGES = [
  ...names('en ru uk kk de fr es pt it pl tr ar he zh ja vi hi nl sv da no fi cs sk ro hu el'),
  ...names('ko id th bg sr hr sl lt lv et fa'),
] as const;

export type Language = (typeof LANGUAGES)[number];

export const DATE_CONCEPTS = concepts(
  'birthDate created modified lastCall callback due renewal start',
);

export const NUMBER_CONCEPTS = concepts(
  'age attempts score budget revenue debt overdueDays premium quantity employees',
);

export const NAME_CONCEPTS = concepts('fullName name firstName middleName lastName');

/** Columns of these hold phone numbers. */
export const PHONE_CONCEPTS = concepts('phone mobile homePhone workPhone fax otherPhone');

/** What a value of a cell may mean, where it is a word of a list. */
export type ValueMeaning =
  Names<'hot warm cold new open won lost closed male female yes no vip simple'>;

/** Kinds of rows in the file of words. */
type Kind =
  | Names<
      'column|value|zone|zone in country|placeholder|salutation|legal form|country|country zone|neutral',
      '|'
    >
  | Names<'about|others|permission|country name|place|near|currency|letters', '|'>
  | Names<
      'about end|end for all|country column|country elsewhere|relatives|filler|unreached|vip|group|letter|number|ordinal|number code|address order|name order|total',
      '|'
    >;

/** Words with what they are words for. */
interface Words {
  readonly of: string;
  readonly language: string;
  readonly words: readonly string[];
}

let read: ReadonlyMap<string, readonly Words[]> | undefined;

/** The words of a kind. The file is read when first asked for: the commands that suggest nothing do without. */
export function wordsOf(kind: Kind): readonly Words[] {
  if (read) return read.get(kind) ?? [];
  const kinds = new Map<string, Words[]>();
  const text = readFileSync(new URL('./data/words.tsv', import.meta.url), 'utf8');
  for (const line of text.trimEnd().split('\n')) {
    const [name = '', of = '', language = '', words = ''] = line.split('\t');
    const all = kinds.get(name) ?? [];
    all.push({ of, language, words: words.split('|') });
    kinds.set(name, all);
  }
  read = kinds;
  return kinds.get(kind) ?? [];
}

/** Texts whose results are kept: the wordings, and the cells of a table that are asked for again and again. */
const MAX_KEPT = 20_000;

/** A function that keeps what it made of a text. */
export function remembering<Text extends string, T>(make: (text: Text) => T): (text: Text) => T {
  const kept = new Map<Text, T>();
  return (text) => {
    const before = kept.get(text);
    if (before !== undefined) return before;
    if (kept.size >= MAX_KEPT) kept.clear();
    const made = make(text);
    kept.set(text, made);
    return made;
  };
}

/** All words of a kind, such as what stands in cells that are meant to be empty. */
export const wordSet = remembering(
  (kind: Kind): ReadonlySet<string> => new Set(wordsOf(kind).flatMap(({ words }) => words)),
);

/** What the words of a kind that are parts of a regular expression stand behind and before. */
const AROUND: Partial<Record<Kind, readonly [string, string]>> = {
  'about end': ['(?:', ')$'],
  filler: ['^(?:', String.raw`)[ _]?\d+$`],
  unreached: ['^(?:', ')'],
  total: ['^(?:', String.raw`)(?=$|[\s:.(])`],
};

/** The rows of a kind whose words are parts of a regular expression. */
export const expressionsOf = remembering((kind: Kind) => {
  const [before, behind] = AROUND[kind] ?? ['', ''];
  return wordsOf(kind).map(
    ({ of, words, language }) =>
      [of, new RegExp(`${before}${words.join('|')}${behind}`, 'iu'), language] as const,
  );
});

/** Whether a text has something that a row of the kind looks for. */
export const holds = (kind: Kind, text: string): boolean =>
  expressionsOf(kind).some(([, words]) => words.test(text));

/** Meanings in the order in which a language writes them. */
export const orderIn = (
  language: Language,
  kind: 'address order' | 'name order',
): readonly string[] =>
  wordsOf(kind).find(({ of }) => of === '*' || of.split(' ').includes(language))?.words ?? [];

/** The words of a kind that stand for this, such as the countries whose lists a language is written in, the largest first. */
export const wordsFor = (kind: Kind, wanted: string | undefined): readonly string[] =>
  wordsOf(kind).find(({ of }) => of === wanted)?.words ?? [];

/** What the words of a kind stand for, by their normal forms. */
export const byForm = remembering((kind: Kind): ReadonlyMap<string, readonly string[]> => {
  const all = new Map<string, string[]>();
  for (const { of, words } of wordsOf(kind))
    for (const word of words) {
      const form = normalForm(word) || word;
      all.set(form, [...(all.get(form) ?? []), of]);
    }
  return all;
});

/** How near two meanings are, for one to stand for the other where nothing fits better: up to 1. */
export function nearness(one: Concept, other: Concept): number {
  const found = wordsOf('near').find(
    ({ of, words: [near] }) => (of === one && near === other) || (of === other && near === one),
  );
  return Number(found?.words[1] ?? 0);
}

/** The zone of a country in which most people live. */
export const zoneOfCountry = (country: string | undefined): string | undefined =>
  wordsFor('country zone', country)[0];

/** Signs of a script with what stands for each: letters that people write without their sign, or as they sound in Latin. */
const lettersOf = remembering(
  (what: 'plain' | 'latin') =>
    new Map(wordsFor('letter', what).map((pair) => [pair.slice(0, 1), pair.slice(1)])),
);
const lettersAs = (what: 'plain' | 'latin', text: string): string =>
  text.replace(/[^\0-\x7f]/g, (letter) => lettersOf(what).get(letter) ?? letter);

/** Latin, Greek and Cyrillic accents, Hebrew and Arabic points, the nukta. Vowel signs of Hindi are letters. */
const MARKS = /[\u0300-\u036f\u0591-\u05c7\u064b-\u0655\u0670\u093c]/g;

/**
 * What two names have in common that mean the same: NFKC, no case, no accents, words apart. `HomePhone`, `home_phone` and
 * `Home  phone` are one.
 */
export const normalForm = (text: string): string => (PLAIN_WORDS.test(text) ? text : formOf(text));

/** Most wordings are in normal form as they stand. */
const PLAIN_WORDS = /^[a-z]+(?: [a-z]+)*$/;

const formOf = remembering((text: string) => {
  const apart = text
    .normalize('NFKC')
    .replace(/__c$/, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll}{2})/gu, '$1 $2')
    .replace(/(\p{L})(\d)/gu, '$1 $2');
  const bare = apart.toLowerCase().normalize('NFD').replace(MARKS, '').normalize('NFC');
  return lettersAs('plain', bare)
    .replace(/[^\p{L}\p{M}\p{N}〒]+/gu, ' ')
    .trim();
});

/** Letters of scripts that are written without spaces between words, or in syllables. */
export function isUnspaced(text: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u.test(
    text,
  );
}

/** Ways in which the same sound is written, brought to one. */
const FOLDS: readonly (readonly [RegExp, string])[] = [
  [/shch|sch|sh/g, 's'],
  [/ph/g, 'f'],
  [/th/g, 't'],
  [/zh/g, 'z'],
  [/ch|tz|ts|ck/g, 'c'],
  [/kh/g, 'h'],
  [/[yj]/g, 'i'],
  [/x/g, 'h'],
  [/w/g, 'v'],
  [/[kq]/g, 'c'],
  [/i(?=[aeou])/g, ''],
  [/(.)\1+/g, '$1'],
];

/** A word in normal form as it sounds, in Latin letters: the same for `Фамилия`, `Familiya` and `Familija`. */
export const skeleton = remembering((word: string) =>
  FOLDS.reduce((folded, [from, to]) => folded.replace(from, to), lettersAs('latin', word)),
);
