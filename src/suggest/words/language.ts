/** Languages whose column names are known. */
export const LANGUAGES = [
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
  'ja',
  'vi',
  'hi',
] as const;

export type Language = (typeof LANGUAGES)[number];

/**
 * The names of one thing, by language, with `|` between them. `exports` are names that well-known programs give their
 * columns. Case, accents, separators and camel case do not matter.
 */
type Words = Readonly<Partial<Record<Language | 'exports', string>>>;

/** Names of things, of which a type knows what they are names of. */
export const wordsOf = <Thing extends string>(
  names: Readonly<Record<Thing, Words>>,
): Readonly<Record<Thing, Words>> => names;
