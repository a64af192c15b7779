import { setOf, wordsOf, type Words } from './phone-words.js';

/* Words of a group, or of a table, in the forms in which they are looked for. */

/** Scripts that put no blanks between words, or add to them. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Words, and what is looked for within a text. */
export interface Forms {
  readonly words: ReadonlySet<string>;
  /** Beginnings of words, by their first letter. */
  readonly beginnings: ByLetter;
  /** Several words, by the first letter; with a blank at the end where the last may not go on. */
  readonly phrases: ByLetter;
  /** Such without blanks between. */
  readonly unspaced: readonly string[];
}

type ByLetter = ReadonlyMap<string, readonly string[]>;

export function formsOf(table: string | Words): Forms {
  const words = new Set<string>();
  const [beginnings, phrases, unspaced] = [[] as string[], [] as string[], [] as string[]];
  for (const written of wordsOf(table)) {
    const [, stem = written, endings] = /^([^(]*)\((.*)\)$/.exec(written) ?? [];
    const wholes = (endings ?? '').split('/').map((ending) => stem + ending);
    if (stem.endsWith('*')) beginnings.push(stem.slice(0, -1));
    else if (UNSPACED.test(stem)) unspaced.push(stem);
    else if (!/[^\p{L}]/u.test(stem)) for (const whole of wholes) words.add(whole);
    else if (endings === undefined) phrases.push(stem);
    else for (const whole of wholes) phrases.push(`${whole} `);
  }
  return { words, beginnings: byLetter(beginnings), phrases: byLetter(phrases), unspaced };
}

export function byLetter(texts: readonly string[]): ByLetter {
  const found = new Map<string, string[]>();
  for (const text of texts) {
    const same = found.get(text.charAt(0));
    if (same) same.push(text);
    else found.set(text.charAt(0), [text]);
  }
  return found;
}

export type IsOne = (word: string) => boolean;

export const isOneOf =
  ({ words, beginnings }: Forms): IsOne =>
  (word) =>
    words.has(word) ||
    beginnings.get(word.charAt(0))?.some((beginning) => word.startsWith(beginning)) === true;

/** Made when it is first asked for: most runs never do. */
export function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

export function lazyTest(make: () => IsOne): IsOne {
  const made = lazily(make);
  return (word) => made()(word);
}

export const among = (table: string | Words): IsOne => lazyTest(() => isOneOf(formsOf(table)));
/** Words alone, without endings. */
export const amongWords = (table: string | Words): IsOne =>
  lazyTest(() => {
    const words = setOf(table);
    return (word) => words.has(word);
  });
