import { readFileSync } from 'node:fs';
import { digitOf } from '../step.js';

/*
 * Words around phone numbers: rows of `data/beside-numbers.tsv`, which says how they are written. They are compared in lower
 * case, without accents and points.
 */

/** Words by language, with `|` between them. */
type Words = Readonly<Record<string, string>>;

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

const plainApostrophes = (text: string): string => text.replace(APOSTROPHES, "'");

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

/** Would become `No`, which may deny. */
const NUMBER_SIGN = /№|(?<!\p{L})n\.?[ºª]/giu;

/** The same text in the plain signs of ASCII where there is one: digits of any script, full-width signs, dashes, blanks. */
export function plainSigns(written: string): string {
  const text = withoutEntities(written);
  if (!NOT_ASCII.test(text) && !/[\r\t]/.test(text)) return text.trim();
  return plainApostrophes(text)
    .replace(NUMBER_SIGN, ' Nr ')
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, (digit) => String(digitOf(digit.codePointAt(0) ?? 0)))
    .replace(/\p{Cf}/gu, '')
    .replace(/\r\n?|\v|\u2028|\u2029/g, '\n')
    .replace(/[^\S\n]+/gu, ' ')
    .replace(/[\u2010-\u2015\u2212]|(?<!\p{L})\u30fc/gu, '-')
    .replace(/[\u2044\u2215]/g, '/')
    .replace(/(?<=\d)[\u00b7\u2022\u2027\u2219\u22c5](?=\d)/g, '.')
    .replace(/^[\u00ab\u201c-\u201f](?=[+(\d])|(?<=\d)[\u00bb\u201c-\u201f]$/g, '')
    .trim();
}

/* Words of a group, or of a table, in the forms in which they are looked for. */

/** Scripts that put no blanks between words, or add to them. */
export const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Words, and what is looked for within a text. */
export type Forms = ReturnType<typeof formsOf>;

type ByLetter = ReadonlyMap<string, readonly string[]>;

export function formsOf(table: string | Words) {
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
  return {
    words,
    /** Beginnings of words, by their first letter. */
    beginnings: byLetter(beginnings),
    /** Several words, by the first letter; with a blank at the end where the last may not go on. */
    phrases: byLetter(phrases),
    /** Such without blanks between. */
    unspaced,
  };
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

/*
 * When nobody may call: `nicht vor 9 Uhr anrufen`, `call no later than 18`, `не звонить по выходным`. Such limits forbid no
 * calls. Only what is surely an hour or a day counts; `nach Feierabend` and `до 10 мая` do not, nor does `Sonntag`, which is a
 * name as well.
 */

/** What languages put at the end of the hour itself: `9'dan önce`. */
const SUFFIX = '(?:[dt][ae]n|(?:ye|ya) kadar|-?(?:ға|ге|ден|дан|тан|тен))?';
const HOUR = String.raw`(?:0?[1-9]|1\d|2[0-4])(?:(?::|h)[0-5]\d|\.(?:00|15|30|45))?`;

const any = (group: string): string => Object.values(wordTable(group)).map(plainWord).join('|');

function limitsOf(day: string, moreDays: string): RegExp[] {
  const [before, after, not] = [any('limit before'), any('limit after'), any('limit not')];
  const hour = `(?:(?:${any('limit at')})\\.? ?){0,2}${HOUR}`;
  const unit = `(?: ?(?:${any('limit units')})(?!\\p{L}))?`;
  const and = `(?: ?[,/&-] ?| (?:${any('limit and')}|${[...OR].join('|')}) )`;
  const span = `(?:(?:${any('limit between')}) )?${hour} ?(?:${any('limit units')})? ?(?:${any('limit and')}|-) ?${hour}`;
  const behind = `${hour}${unit}${plainWord(SUFFIX)} (?:${any('limit behind hour')})`;
  const limit = (name: string): string =>
    `(?:${name}(?:${before}) ${hour}|(?:${after}) ${hour}|${behind}|(?:${any('limit between')}) ${hour} ?(?:${any('limit units')})? ?(?:${any('limit and')}|-) ${hour}|${span}(?= ?(?:${any('limit units')}))|(?:${day})(?!\\p{L}))`;
  // Several, of which each may be denied again: `nicht vor 9 und nicht nach 18 Uhr`.
  const more = `(?:${and}(?:(?:${not}) )?${limit('')}${unit}|${and}(?:${day}|${moreDays})(?!\\p{L})){0,3}`;
  const first = `(?<limit>${limit('(?<before>)')}${unit}${more})`;
  // A word behind it is looked at: it may be that of a month, or of years.
  const end = `(?=\\s*(?:$|[,;!?)\\]\\n+]|\\.\\s*$|(?<next>\\p{L}+)))`;
  return [
    `(?<!\\p{L})(?:${not})(?<between>(?: [^\\s\\d,;.:!?()[\\]]+){0,4}?) ${first}${end}`,
    `(?<!\\p{L})${first}(?<between>(?: [^\\s\\d,;.:!?()[\\]]+){0,2}?) (?<not>${not})(?!\\p{L})(?=(?<behind>(?: [^\\s\\d,;.:!?()[\\]]+){0,3}))`,
  ].map((pattern) => new RegExp(pattern, 'gu'));
}
const NO_DAY = '(?!)';
const hourLimits = lazily(() => limitsOf(NO_DAY, NO_DAY));
const allLimits = lazily(() => limitsOf(any('limit days'), any('limit more days')));

/** Letters by which a word of the patterns may be told. */
const TELLING = 4;

/** Whether there may be words of groups of patterns: a cheap test before them. */
function mayHold(...groups: readonly string[]): (words: readonly string[]) => boolean {
  const beginnings = lazily(() => {
    const runs = groups.flatMap(
      (group) =>
        any(group)
          .replace(/\[[^\]]*\]/g, ' ')
          .match(/\p{L}+/gu) ?? [],
    );
    return new Set(runs.map((run) => run.slice(0, TELLING)));
  });
  return (words) =>
    words.some((word) =>
      [TELLING, TELLING - 1].some((length) => beginnings().has(word.slice(0, length))),
    );
}
const mayHoldDay = mayHold('limit days');
const mayHoldHour = mayHold('limit before', 'limit after', 'limit behind hour', 'limit between');
const [WORD, SPAN] = [/\p{L}+/gu, /\d ?- ?\d{1,2} ?\p{L}/u];

const holdsNot = lazily(() => new RegExp(`(?<!\\p{L})(?:${any('limit not')})(?!\\p{L})`, 'u'));
/** An hour that is nothing else: with its unit or minutes. */
const sureHour = lazily(
  () => new RegExp(`\\d[:h.]\\d|\\d ?(?:${any('limit units')})(?!\\p{L})`, 'u'),
);
/** Hours that hardly anybody counts calls with. */
const LATE = /(?<!\d)(?:1[2-9]|2\d)(?!\d)/;

const [isCall, isCallNoun] = [among('call'), among('call nouns')];
const [isPolite, isFilling] = [amongWords('polite'), amongWords('limit filling')];
const [isNot, isBan] = [amongWords('limit not'), amongWords('limit bans')];
const [LETTER, DIGIT, NOT_BLANK] = [/\p{L}/u, /\d/, /\S+/gu];
const LAST_WORD = /\p{L}+(?= ?$)/u;
/** Where it is looked for: a search from the beginning takes minutes in a long text of many hours. */
const LONGEST_WORD = 64;
const UNSPACED_UNITS = '(?:[点點时時]|시)半?';

/** Hours of availability beside a number, of which none is a part of one: `bis 20 Uhr`, `9:00-17:00`, `24/7`. */
const hours = lazily(() => {
  const hour = `(?:00?|${HOUR})`;
  // `12 am Empfang` is no hour.
  const end = '(?!\\p{L})(?<!(?<!\\p{L})am(?= \\p{L}))\\.?';
  const sure = (group: string): string =>
    `(?:${hour} ?(?:(${group}${any('limit units')}|${any('limit more units')})${end}|${plainWord(UNSPACED_UNITS)})|(?:0?\\d|1\\d|2[0-4])[:h][0-5]\\d(?!\\d))`;
  const to = `(?: ?[-~] ?| (?:${any('limit and')}) )`;
  // Others before, and a word of one letter: `с 9 до 12 и 14-18 ч`.
  const first = `${hour}${to}${hour}(?: ?[,/&+] ?| (?:${any('limit and')}) )`;
  const span = `(?<from>(?:${first})?(?:${hour}${to})?)${sure('?<unit>')}(?:${to}${sure('?:')})?`;
  return new RegExp(
    `(?<![\\d.:/-])(?:(?<!\\p{L})\\p{L} )?(?:${span}|24 ?/ ?7(?! ?/))(?!:?\\d)`,
    'gu',
  );
});
const MAY_BE_HOURS = /(?<!\d)\d{1,2}(?:[:h.]\d\d)? ?\p{L}|\d:\d|24 ?\/ ?7/u;
/** Digits right before: of a number that ends there, or that may go on. */
const [ENDED_BEFORE, DIGITS_BEFORE] = [/\d{5}[ ([{,;-]*$/, /\d[ ([{-]*$/];
const LONGEST_GAP = 16;
const EMPTY_BRACKETS = /[([{] ?[)\]}]/g;

/**
 * Plain text without hours, and where digits of them may as well be those of a number before, the text with these; `null`
 * where there are none.
 */
export function withoutHours(
  plain: string,
): { readonly text: string; readonly other: string | null } | null {
  if (!MAY_BE_HOURS.test(plain)) return null;
  const [text, other] = [false, true].map((keepsUnclear) =>
    plain.replace(hours(), (all: string, ...rest: unknown[]) => {
      const groups = (rest.at(-1) ?? {}) as Readonly<Record<string, string | undefined>>;
      if (!keepsUnclear) return ' ';
      const at = Number(rest.at(-3));
      const before = plain.slice(Math.max(0, at - LONGEST_GAP), at);
      if (!DIGITS_BEFORE.test(before) || ENDED_BEFORE.test(before)) return ' ';
      if (LABELS.has(groups['unit'] ?? '')) return all;
      return groups['from']?.includes(' ') === true ? `${groups['from']} ` : ' ';
    }),
  );
  if (text === undefined || other === undefined || text === plain) return null;
  return { text: tidy(text), other: other === text ? null : tidy(other) };
}

/** Words right before the digits of a number, from which hours were taken: `ab`, `after`, `μετά τις`, `óra után`. */
const timeWords = lazily(() => {
  const groups = ['before', 'after', 'between', 'and', 'at', 'behind hour', 'units'];
  const words = groups.map((group) => any(`limit ${group}`)).join('|');
  return new RegExp(
    `(?<![\\p{L}\\d])(?:(?:${words}|${plainWord(SUFFIX)})(?!\\p{L})['. :,;-]*)+(?=[+(\\d])`,
    'u',
  );
});

/** Plain text that hours were taken from, without the words that stood around them before the digits. */
export const withoutTimeWords = (text: string): string =>
  /^[^\p{L}]/u.test(text) ? text : text.replace(timeWords(), '');

const tidy = (text: string): string =>
  text
    .replace(EMPTY_BRACKETS, ' ')
    .replace(/^[\s,;:.-]+/, '')
    .trimEnd();

/** Plain text without such limits; `null` where there are none. */
export function withoutTimeLimits(plain: string): string | null {
  if (!LETTER.test(plain)) return null;
  let text = UNSPACED.test(plain) ? plain.replace(unspacedLimits(), ' ') : plain;
  for (const limit of limitsFor(text))
    text = text.replace(limit, (all: string, ...rest: unknown[]) => {
      const groups = (rest.at(-1) ?? {}) as Readonly<Record<string, string | undefined>>;
      const at = Number(rest.at(-3));
      const [before] = LAST_WORD.exec(text.slice(Math.max(0, at - LONGEST_WORD), at)) ?? [];
      return isLimit(groups, before) ? ' ' : all;
    });
  return text === plain ? null : text;
}

function limitsFor(text: string): readonly RegExp[] {
  if (!holdsNot().test(text)) return [];
  const words = text.match(WORD) ?? [];
  if (mayHoldDay(words)) return allLimits();
  return mayHoldHour(words) || SPAN.test(text) ? hourLimits() : [];
}

/** Whether nothing but calls is denied, and the digits are those of an hour: `after 3 calls` are none. */
function isLimit(
  {
    between = '',
    limit = '',
    before,
    next,
    not,
    behind = '',
  }: Readonly<Record<string, string | undefined>>,
  wordBefore = '',
): boolean {
  const isPart: IsOne = (word) => isPolite(word) || isFilling(word) || isNot(word);
  const words = between.match(NOT_BLANK) ?? [];
  const isDay = !DIGIT.test(limit);
  const isSure = isDay || sureHour().test(limit);
  const isLate = isSure || LATE.test(limit);
  if (!words.every((word) => isPart(word) || (isCall(word) && (isLate || not === undefined))))
    return false;
  if (not !== undefined)
    return isBan(not) || [wordBefore, ...words, ...(behind.match(NOT_BLANK) ?? [])].some(isCall);
  if (next === undefined || isPolite(next)) return true;
  if (isCall(next) && !isCallNoun(next)) return before !== undefined || isLate;
  return !isDay && isSure && !OR.has(next);
}

const unspacedLimits = lazily(() => {
  const patterns = rowsOf('limit unspaced').flatMap(([, ...row]) => {
    const [hour, limit, day, call, ban, between] = row.map(plainWord);
    const to = '(?: ?(?:到|至|から|부터|에서|[-~〜]) ?)';
    const time = `(?:${hour}(?:${limit})|${hour}${to}${hour}(?:까지|사이|まで)?|${day})`;
    const times = `${time}(?:${between}(?:和|或|と|や|및)?${between}${time}){0,2}${between}`;
    return [
      `${times}(?:${ban})(?:${call})`,
      `(?:${ban})${between}${times}(?:${call})`,
      `${times}(?:${call})(?:${ban})`,
      `(?:${ban})(?:${call})${between}${times}`,
    ];
  });
  return new RegExp(patterns.join('|'), 'gu');
});
