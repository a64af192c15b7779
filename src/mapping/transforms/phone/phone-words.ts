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

const DIGIT = /\p{Nd}/u;
/** Would become `No`, which may deny. */
const NUMBER_SIGN = /№|(?<!\p{L})n\.?[ºª]/giu;

/** The same text in the plain signs of ASCII where there is one: digits of any script, full-width signs, dashes, blanks. */
export function plainSigns(written: string): string {
  const text = withoutEntities(written);
  if (!NOT_ASCII.test(text) && !/[\r\t]/.test(text)) return text.trim();
  return plainApostrophes(text)
    .replace(NUMBER_SIGN, ' Nr ')
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, (digit) => String(valueOf(digit)))
    .replace(/\p{Cf}/gu, '')
    .replace(/\r\n?|\v|\u2028|\u2029/g, '\n')
    .replace(/[^\S\n]+/gu, ' ')
    .replace(/[\u2010-\u2015\u2212]|(?<!\p{L})\u30fc/gu, '-')
    .replace(/[\u2044\u2215]/g, '/')
    .replace(/(?<=\d)[\u00b7\u2022\u2027\u2219\u22c5](?=\d)/g, '.')
    .replace(/^[\u00ab\u201c-\u201f](?=[+(\d])|(?<=\d)[\u00bb\u201c-\u201f]$/g, '')
    .trim();
}

/** Digits of a script stand in a row from its zero. */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && DIGIT.test(String.fromCodePoint(code - value - 1))) value++;
  return value;
}

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

/* `No.`, which denies, or stands for "number". */

const [isOwner, isPhoneLabel] = [amongWords('number owners'), amongWords('phone labels')];

/**
 * `No.` right before digits stands for "number" and denies nothing where it is the first word, or right behind whose number
 * it is: `Phone No. 030…`. Behind anything else it answers: `call: no +49…`.
 */
const NO_BEFORE_DIGITS = /(?<!\p{L})no(?!\p{L})(?=[\s.:#+(]*\d)/gu;
/** The same before its label, as in Malay. */
const FIRST_SIGN =
  /^[^\p{L}\d]*no(?:[\s.:]+(?=(?:telefon|telepon|telpon|telp|tlp|tel|hp|wa|handphone|fax)[\s.:#+(]*\d)|[.:]\s*(?=(?:phone|telephone|mobile|contact)[\s.:#+(]*\d))/u;

/** Letters of its owner at most, with what stands behind them. */
const OWNER_LENGTH = 40;
const OWNER = /(\p{L}+)(?:[\s.]*|\.?-)$/u;
/** Behind a label, `No.` with its point stands for "number" where a colon divides them, or no digits follow. */
const LABELLED_SIGN = /(?<!\p{L})(\p{L}+)([\s.]*[:-]\s*|[\s.]+)no\.(?=[\s)\],;]*(?:$|[+(\d]))/gu;

/** The plain text without `No.` where it stands for "number". */
export function withoutNumberSigns(plain: string): string {
  const text = plain
    .replace(FIRST_SIGN, ' ')
    .replace(LABELLED_SIGN, (all, label: string, between: string) =>
      isPhoneLabel(label) || (isOwner(label) && !/[:-]/.test(between)) ? `${label} ` : all,
    );
  const first = text.search(/[\p{L}\d]/u);
  return text.replace(NO_BEFORE_DIGITS, (sign, at: number) => {
    const owner = OWNER.exec(text.slice(Math.max(0, at - OWNER_LENGTH), at))?.[1];
    const isNumber = owner === undefined ? first >= at : isOwner(owner);
    return isNumber ? ' ' : sign;
  });
}
