import { tablesIn } from '../../../kit/tables.js';

/** A language: people and places, a row each, and remarks of a kind that agents write. */
interface Texts {
  readonly header: readonly [string, string];
  readonly rows: readonly string[];
  readonly remarks: readonly string[];
}

export const { texts, encodings, shortWords, storedIn } = tablesIn(
  import.meta.dirname,
  'texts.yaml',
) as {
  texts: Readonly<Record<string, Texts>>;
  encodings: readonly (readonly [label: string, iconv: string, languages: readonly string[]])[];
  shortWords: Readonly<Record<string, string>>;
  storedIn: Readonly<Record<string, readonly string[]>>;
};

export const textsOf = (language: string): Texts => {
  const own = texts[language];
  if (!own) throw new Error(`there are no texts of ${language}`);
  return own;
};
