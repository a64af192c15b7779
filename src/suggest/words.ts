import { readFileSync } from 'node:fs';

/** Everything that a column or a card field may mean. The order is that of the weights. */
export const CONCEPTS = [
  ...(['fullName', 'name', 'firstName', 'middleName', 'lastName', 'salutation', 'suffix'] as const),
  ...(['nickname', 'birthDate', 'age', 'gender', 'language', 'maritalStatus', 'company'] as const),
  ...(['jobTitle', 'title', 'department', 'industry', 'phone', 'mobile', 'homePhone'] as const),
  ...(['workPhone', 'fax', 'otherPhone', 'email', 'messenger', 'website', 'domain'] as const),
  ...(['address', 'street', 'house', 'apartment', 'district', 'city', 'region', 'state'] as const),
  ...(['postcode', 'country', 'timeZone', 'id', 'uuid', 'contract', 'policy', 'order'] as const),
  ...(['offer', 'governmentId', 'bankAccount', 'status', 'segment', 'tier', 'clientRole'] as const),
  ...(['source', 'campaign', 'owner', 'score', 'priority', 'tags', 'comment', 'topic'] as const),
  ...(['consent', 'doNotCall', 'disposition', 'attempts', 'created', 'modified'] as const),
  ...(['lastCall', 'callback', 'due', 'renewal', 'start', 'budget', 'revenue'] as const),
  ...(['employees', 'debt', 'overdueDays', 'premium', 'currency', 'product', 'quantity'] as const),
  ...(['branch', 'vehicle', 'plateNumber', 'insurer'] as const),
] as const;

export type Concept = (typeof CONCEPTS)[number];

/** Languages that drafts distinguish, by the order of names and addresses and by their countries. */
export const LANGUAGES = [
  ...([
    'en',
    'ru',
    'uk',
    'kk',
    'de',
    'fr',
    'es',
    'pt',
    'it',
    'pl',
    'tr',
    'ar',
    'he',
    'zh',
  ] as const),
  ...([
    'ja',
    'vi',
    'hi',
    'nl',
    'sv',
    'da',
    'no',
    'fi',
    'cs',
    'sk',
    'ro',
    'hu',
    'el',
    'ko',
  ] as const),
  ...(['id', 'th', 'bg', 'sr', 'hr', 'sl', 'lt', 'lv', 'et', 'fa'] as const),
] as const;

export type Language = (typeof LANGUAGES)[number];

export const DATE_CONCEPTS: ReadonlySet<Concept> = new Set<Concept>([
  ...(['birthDate', 'created', 'modified', 'lastCall', 'callback', 'due', 'renewal'] as const),
  'start',
]);

export const NUMBER_CONCEPTS: ReadonlySet<Concept> = new Set<Concept>([
  ...(['age', 'attempts', 'score', 'budget', 'revenue', 'debt'] as const),
  ...(['overdueDays', 'premium', 'quantity', 'employees'] as const),
]);

/** Columns of these hold phone numbers. */
export const PHONE_CONCEPTS: readonly Concept[] = [
  ...(['phone', 'mobile', 'homePhone', 'workPhone', 'fax', 'otherPhone'] as const),
];

/** Whether a column of this meaning holds phone numbers. */
export const isPhoneConcept = (concept: Concept): boolean => PHONE_CONCEPTS.includes(concept);

/** Meanings that are near enough for one to stand for the other when nothing fits better. */
export const NEAR: readonly (readonly [Concept, Concept, number])[] = [
  ['website', 'domain', 0.9],
  ['contract', 'policy', 0.88],
  ['created', 'start', 0.7],
  ['budget', 'debt', 0.62],
  ['budget', 'premium', 0.62],
  ['due', 'renewal', 0.75],
  ['segment', 'tier', 0.6],
  ['comment', 'topic', 0.4],
  ['id', 'contract', 0.8],
  ['id', 'policy', 0.8],
  ['id', 'offer', 0.86],
  ['id', 'order', 0.8],
  ['id', 'uuid', 0.8],
  ['vehicle', 'product', 0.5],
  ['branch', 'city', 0.55],
  ['domain', 'company', 0.3],
];

/** What a value of a cell may mean, where it is a word of a list. */
const VALUE_MEANINGS = [
  ...(['hot', 'warm', 'cold', 'new', 'open', 'won', 'lost', 'closed'] as const),
  ...(['male', 'female', 'yes', 'no', 'vip', 'simple'] as const),
] as const;

export type ValueMeaning = (typeof VALUE_MEANINGS)[number];

const KINDS = [
  ...(['column', 'value', 'zone', 'placeholder', 'salutation', 'legal form', 'country'] as const),
  ...([
    'country zone',
    'neutral',
    'about',
    'others',
    'permission',
    'country name',
    'place',
  ] as const),
] as const;

/** Words with what they are words for. */
export interface Words {
  readonly of: string;
  readonly language: string;
  readonly words: readonly string[];
}

let read: ReadonlyMap<string, readonly Words[]> | undefined;

/** The words of a kind. The file is read when first asked for: the commands that suggest nothing do without. */
export function wordsOf(kind: (typeof KINDS)[number]): readonly Words[] {
  return (read ??= readWords()).get(kind) ?? [];
}

function readWords(): Map<string, Words[]> {
  const kinds = new Map<string, Words[]>(KINDS.map((kind) => [kind, []]));
  const text = readFileSync(new URL('./data/words.tsv', import.meta.url), 'utf8');
  for (const line of text.trimEnd().split('\n')) {
    const [kind = '', of = '', language = '', words = ''] = line.split('\t');
    kinds.get(kind)?.push({ of, language, words: words.split('|') });
  }
  return kinds;
}

const sets = new Map<string, ReadonlySet<string>>();

/** All words of a kind, such as what stands in cells that are meant to be empty. */
export function wordSet(kind: (typeof KINDS)[number]): ReadonlySet<string> {
  const known = sets.get(kind);
  if (known) return known;
  const made = new Set(wordsOf(kind).flatMap(({ words }) => words));
  sets.set(kind, made);
  return made;
}

/** Countries whose lists are written in a language, the largest first. */
export const countriesOfLanguage = (language: Language): readonly string[] =>
  wordsOf('country').find(({ of }) => of === language)?.words ?? [];

/** The zone of a country in which most people live. */
export const zoneOfCountry = (country: string | undefined): string | undefined =>
  wordsOf('country zone').find(({ of }) => of === country)?.words[0];

/** Whether a word names what a cell may mean. */
export const isValueMeaning = (text: string): text is ValueMeaning =>
  VALUE_MEANINGS.some((meaning) => meaning === text);
/** Whether a word names what a column may mean. */
export const isConcept = (text: string): text is Concept =>
  CONCEPTS.some((concept) => concept === text);
