import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { OUTCOMES } from '../../../src/core/outcome.js';
import { CONCEPTS } from '../../../src/suggest/words.js';
import { catalogueOf, sentenceIn, wordsOf } from '../../../src/web/server/language.js';
import {
  OTHERS,
  type OtherLanguage,
  countingIn,
  fill,
  holesOf,
} from '../../../src/web/shared/page.js';
import { root } from '../../kit/cardline.js';
import { filesIn, sentencesIn, textsIn } from './sentences.js';
import { templatesOfPage } from './templates.js';
import { tablesIn } from '../../kit/tables.js';

const CASES = tablesIn(import.meta.dirname, 'languages.yaml') as {
  readonly rooms: string[];
  readonly data: string[];
};

/** Rooms whose words reach the page. Of `suggest`, only the reasons of its choices do; the rest is a draft's comments. */
const ROOMS = CASES.rooms;

/** What of them the page never shows, and why. */
const NOT_SHOWN: readonly (readonly [file: RegExp, why: string])[] = [
  [
    /^(setup\/(doctor|template|suppress)|run\/(connect|shared|submit)|history\/(compare|erase)|options\/(option|run-options|kept-options))/,
    'commands that the page does not have',
  ],
  [/^run\/trace-run/, 'names of spans'],
  [/^delivery\/limiter/, 'lines of the log'],
  [/^source\/csv\/encoding\/choose/, 'letters of languages'],
  [/^mapping\/transforms\/(phone\/(words|forbidding)|date\/dates)/, 'names'],
  [/^web\/server\/language/, 'other languages'],
];

/** Names of meanings that are listed in one text. */
const isOfMeanings = (text: string): boolean =>
  text.split(' ').every((name) => CONCEPTS.some((concept) => concept === name));

const dataOf = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

/** Texts of files of which others reach the page: names, and sentences of commands, drafts and headers of HTTP. */
const OF_OTHERS = new Set(dataOf('not-shown.txt').replaceAll('\\0', '\0').trimEnd().split('\n'));

/** A part of a sentence stands in the catalogue with or without what is put in at its ends. */
const bare = (text: string): string => text.replaceAll(/^(?:\{\}|[ ,;])+|(?:\{\}|[ .])+$/g, '');
const small = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);

const shown = ROOMS.flatMap(filesIn).filter((file) => !NOT_SHOWN.some(([one]) => one.test(file)));

/** Ways to fill a hole that are no words of a language. */
const WAYS = ['say', 'may', 'list', 'or', 'and', 'parts', 'number', 'field', 'percent', 'size'];

it('ends with one stop, also behind what has one of its own', () => {
  const filled = (template: string): string | undefined => fill(template, () => '1 Sek.');
  expect(['It took {1}.', '{1}. Then', '{1}…', '{1}...', '{1}.csv', '{1}, so'].map(filled)).toEqual(
    [...['It took 1 Sek.', '1 Sek. Then', '1 Sek.…', '1 Sek....', '1 Sek..csv', '1 Sek., so']],
  );
});

/** What they put in is for a command line, or a word such as "is" that other languages need not have. */
const MAY_LOSE = new Set(CASES.data);

const numbersTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

describe.each(OTHERS)('the words of engine and server in another language: %s', (language) => {
  const { sentences, words } = wordsOf(language);
  const inWords = Object.values(words).flatMap((of) => Object.entries(of));

  it('are there for every sentence of the sources', () => {
    const known = new Set(
      [...Object.keys(sentences), ...Object.keys(words['condition'] ?? {})].map(bare),
    );
    const missing = shown
      .flatMap(sentencesIn)
      .filter(
        ({ text }) =>
          !isOfMeanings(text) &&
          !OF_OTHERS.has(text) &&
          !known.has(bare(text)) &&
          !known.has(small(bare(text))),
      );
    expect(missing.map(({ text, at }) => `${at}  ${text}`)).toEqual([]);
  });

  it('are those of sentences that the sources have', () => {
    // What a command line would do is cut off behind a semicolon.
    const texts = new Set(
      shown
        .flatMap(textsIn)
        .flatMap((text) => [text, text.replace(/;[^;]*$/, '')])
        .map(bare)
        .flatMap((text) => [text, small(text)]),
    );
    expect(Object.keys(sentences).filter((english) => !texts.has(bare(english)))).toEqual([]);
  });

  it('name what a column may mean', () => {
    const written = CONCEPTS.map((concept) =>
      concept.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
    );
    expect(Object.keys(words['concept'] ?? {}).sort()).toEqual(written.sort());
  });

  it('take up what the English ones put in, and all of it', () => {
    const lost = [...Object.entries(sentences), ...inWords].filter(([english, text]) => {
      const used = new Set(holesOf(text).map(({ of }) => of));
      const count = english.split('{}').length - 1;
      return !MAY_LOSE.has(english) && [...used].sort().join() !== numbersTo(count).join();
    });
    expect(lost).toEqual([]);
  });
});

describe('the words of the page in other languages', () => {
  let templates: Map<string, string>;
  beforeAll(() => {
    templates = new Map(templatesOfPage().map(({ text, at }) => [text, at]));
  }, 300_000);

  it.each(OTHERS)('are there for each of its messages, and for nothing else: %s', (language) => {
    const { page, outcomes } = wordsOf(language);
    const missing = [...templates].filter(([text]) => !(text in page));
    expect(missing.map(([text, at]) => `${at}  ${text}`)).toEqual([]);
    expect(Object.keys(page).filter((text) => !templates.has(text))).toEqual([]);
    expect(Object.keys(outcomes)).toEqual(OUTCOMES);
  });

  it.each(OTHERS)('have the holes of the English ones, and show them alike: %s', (language) => {
    const others = Object.entries(wordsOf(language).page).filter(
      ([english, text]) => shape(english) !== shape(text),
    );
    expect(others).toEqual([]);
  });

  it('are English where they are not translated, with all forms of a word', () => {
    const { forms } = countingIn('en');
    const counted = [...templates.keys()]
      .flatMap(holesOf)
      .flatMap(({ kind }) => (kind?.includes('|') ? kind : []));
    expect(counted.filter((words) => words.split('|').length !== forms.length)).toEqual([]);
  });
});

/** The holes of a template by their number; whether a word goes with one is a matter of the language. */
const shape = (template: string): string =>
  holesOf(template)
    .map(({ of, kind }) => `${of}${kind === undefined || kind.includes('|') ? '' : kind}`)
    .sort()
    .join();

describe.each(OTHERS)('the file of a language: %s', (language) => {
  const { page, sentences, words } = wordsOf(language);
  const texts = [page, sentences, ...Object.values(words)].flatMap((of) => Object.values(of));

  it('has each entry once, in the order of the alphabet', () => {
    const text = readFileSync(join(root, `src/web/server/data/${language}.json`), 'utf8');
    for (const section of ['page', 'sentences']) {
      const [, lines = ''] = new RegExp(`"${section}": {\n(.*?)\n {2}}`, 's').exec(text) ?? [];
      const keys = [...lines.matchAll(/^ {4}("(?:[^"\\]|\\.)*"):/gm)].map(
        ([, key = '']) => JSON.parse(key) as string,
      );
      expect(keys).toEqual([...new Set(keys)].sort());
    }
  });

  it('has all forms of a word that goes with a number', () => {
    const { forms } = countingIn(language);
    const counted = texts.flatMap(holesOf).flatMap(({ kind }) => (kind?.includes('|') ? kind : []));
    expect(counted.filter((words) => words.split('|').length !== forms.length)).toEqual([]);
    expect(counted.length).toBeGreaterThan(10);
  });

  it('fills holes in ways that there are', () => {
    const kinds = new Set([...WAYS, ...Object.keys(words)]);
    const unknown = texts
      .flatMap(holesOf)
      .filter(({ kind }) => kind !== undefined && !kind.includes('|') && !kinds.has(kind));
    expect(unknown).toEqual([]);
  });
});

/** Sentences in English and in other words; `null`: words of others, which stay. */
type Said = Record<string, [english: string, text: string | null][]>;
const SAID = JSON.parse(dataOf('said.json')) as Said;

it.each(Object.entries(SAID).flatMap(([language, all]) => all.map((one) => [language, ...one])))(
  'a sentence in %s: %s',
  (language, english, text) => {
    const said = catalogueOf(language as OtherLanguage).say(english ?? '');
    expect(said?.replaceAll('\u00a0', ' ')).toBe(text ?? undefined);
  },
);

const LIST = '/home/me/My lists/cardline.lists/0123456789abcdef01';

it.each([
  [`${LIST}/file/leads.csv: the header was found in row 3.`, 'leads.csv: the header'],
  [`${LIST}/file/мои лиды.csv: the header was found in row 3.`, 'мои лиды.csv: the header'],
  [
    `line 3 of "${LIST}/corrections.jsonl" corrects this cell`,
    'line 3 of "corrections.jsonl" corrects',
  ],
  [
    String.raw`C:\Users\me\cardline.lists\0123456789abcdef01\file\leads.csv: the header`,
    'leads.csv: the header',
  ],
  ['/home/me/leads.csv: the header was found in row 3.', '/home/me/leads.csv: the header'],
  [
    `/home/me/dnc.csv: it changed, and ${LIST}/mapping.yaml names it`,
    '/home/me/dnc.csv: it changed, and mapping.yaml names it',
  ],
])('%s names no folder that the page keeps', (sentence, shown) => {
  expect(sentenceIn('en', sentence)).toContain(shown);
  expect(sentenceIn('ru', sentence)).not.toContain('cardline.lists');
});
