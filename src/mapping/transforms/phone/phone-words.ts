import { readFileSync } from 'node:fs';

/*
 * Words around phone numbers: rows of `data/beside-numbers.tsv`, which says how they are written. They are compared in lower
 * case, without accents and points.
 */

/** Words by language, with `|` between them. */
export type Words = Readonly<Record<string, string>>;

const NOT_ASCII = /[^\0-\x7f]/;
/** Apostrophes, and what is typed or read for one: accents, quotation marks, minutes, letters of a few scripts. */
const APOSTROPHE = /['`´‘’‛′‵＇ʹʻʼʽˈ՚΄᾽᾿ꞌ]/;
const APOSTROPHES = new RegExp(APOSTROPHE, 'g');
/** Accents and points; a circle with a stroke says something by itself. */
const MARKS = /[^\P{M}\u20e0]/gu;
const ELISION = /(?<![\p{L}\d])(?:[nmldjstc]|qu)'(?=\p{L})/giu;

let known: ReadonlyMap<string, readonly (readonly string[])[]> | undefined;

/** The rows of a group: language, and what the group has. */
export function rowsOf(group: string): readonly (readonly string[])[] {
  const rows = (known ??= readWords()).get(group);
  if (rows) return rows;
  throw new Error(`There are no words for "${group}".`);
}

function readWords(): Map<string, string[][]> {
  const groups = new Map<string, string[][]>();
  const text = readFileSync(new URL('./data/beside-numbers.tsv', import.meta.url), 'utf8');
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [group = '', ...row] = line.split('\t');
    const rows = groups.get(group);
    if (rows) rows.push(row);
    else groups.set(group, [row]);
  }
  return groups;
}

/** The words of a group by language. */
export const wordTable = (group: string): Words =>
  Object.fromEntries(rowsOf(group).map(([language = '', words = '']) => [language, words]));

/** @param words a group of the file, or words themselves */
export function wordsOf(words: string | Words): string[] {
  const table = typeof words === 'string' ? wordTable(words) : words;
  return Object.values(table).flatMap((list) => plainWord(list).split('|'));
}

export const setOf = (words: string | Words): ReadonlySet<string> => new Set(wordsOf(words));

/** Lower case, without accents, points and apostrophes; words that are written together in some places stay so. */
export function plainWord(text: string): string {
  const apart = withoutApostrophes(text);
  if (!NOT_ASCII.test(apart)) return apart.toLowerCase();
  return (
    apart
      // Signs that would become letters, and those words: `Nº` is no `No`.
      .replace(/[№ºª°™℠©®]/g, ' ')
      .normalize('NFKD')
      .replace(MARKS, '')
      .toLowerCase()
      .replaceAll('ß', 'ss')
      .replaceAll('ł', 'l')
      .replaceAll('ı', 'i')
  );
}

/** A French word before an apostrophe is one of its own: `n'appelez`. */
function withoutApostrophes(text: string): string {
  if (!APOSTROPHE.test(text)) return text;
  return plainApostrophes(text)
    .replace(ELISION, (word) => (/^n/i.test(word) ? 'ne ' : `${word.slice(0, -1)} `))
    .replaceAll("'", '');
}

export const plainApostrophes = (text: string): string => text.replace(APOSTROPHES, "'");

const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,5}));/gi;
const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', apos: "'", quot: '"', lt: '<', gt: '>', nbsp: ' ' },
  ...{ lsquo: "'", rsquo: "'", ndash: '-', mdash: '-' },
};

/** The text with what HTML writes for signs in their place. */
export function withoutEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ENTITY, (entity, decimal?: string, hex?: string, name = '') => {
    const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
    if (code <= 0x10ffff) return String.fromCodePoint(code);
    return NAMED_ENTITIES[String(name).toLowerCase()] ?? entity;
  });
}

/** The words of a text, in their plain form. */
export function plainWords(text: string): string[] {
  return plainWord(text)
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '');
}

export const [COUNTED, LABELS, NUMBERS] = [setOf('counted'), setOf('labels'), setOf('numbers')];
export const [OR, UNITS] = [setOf('or'), setOf('units')];
export const EXTENSIONS: readonly string[] = wordsOf('extensions');
