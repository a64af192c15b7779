import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import type { SourceOptions } from '../../../../src/core/table.js';
import { findEncoding } from '../../../../src/source/csv/open.js';
import { tableDecoder } from '../../../../src/source/csv/encoding/table-decoder.js';
import { openSource } from '../../../../src/source/source.js';
import { collect, rowsOf, testFolder } from '../../files.js';
import { encodings, shortWords, storedIn, textsOf } from './texts.js';

const folder = testFolder();

/** How Vietnamese is stored in windows-1258: the tones as marks of their own. */
function withTonesApart(text: string): string {
  return text.replace(/\p{L}/gu, (letter) => {
    const marks = letter.normalize('NFD');
    const tone = /[\u0300\u0301\u0303\u0309\u0323]/.exec(marks)?.[0];
    return tone === undefined ? letter : marks.replace(tone, '').normalize('NFC') + tone;
  });
}

/** Two-column tables of a language: of names and places, of a few of them, and of remarks. */
function tablesOf(language: string): string[][][] {
  const { header, rows, remarks } = textsOf(language);
  const names = rows.map((row) => row.split(','));
  const texts = remarks.map((remark, index) => [String(index + 1), remark.replaceAll(/[,;]/g, '')]);
  return [
    [[...header], ...names, ...names.map(([a = '', b = '']) => [b, a])],
    [[...header], ...names.slice(2, 6)],
    texts,
  ];
}

async function readAs(table: readonly string[][], iconvName: string, label: string) {
  const text = table.map((cells) => `${cells.join(',')}\r\n`).join('');
  const suited = label === 'windows-1258' ? withTonesApart(text) : text.replaceAll('’', "'");
  const bytes = iconv.encode(suited, iconvName);
  expect(iconv.decode(bytes, iconvName), `${label} holds the text`).toBe(suited);
  const source = await openSource(await folder.write(bytes, 'table.csv'), { delimiter: ',' });
  const cells = (await rowsOf(source)).map(([, row]) => row);
  const isRight =
    JSON.stringify(cells) ===
    JSON.stringify(
      suited
        .normalize('NFC')
        .trimEnd()
        .split('\r\n')
        .map((line) => line.split(',')),
    );
  return source.info.encodingDoubt ? 'told' : isRight ? 'right' : 'wrong';
}

describe('encodings without a mark', () => {
  it(`${encodings.length} of them: nine tables of ten are right, and none is wrong in silence`, async () => {
    const outcomes = { right: 0, told: 0, wrong: 0 };
    const wrong: string[] = [];
    for (const [label, iconvName, languages] of encodings)
      for (const language of languages)
        for (const table of tablesOf(language)) {
          const how = await readAs(table, iconvName, label);
          outcomes[how]++;
          if (how === 'wrong') wrong.push(`${label} ${language}`);
        }
    expect(wrong).toEqual([]);
    expect(outcomes.right / (outcomes.right + outcomes.told)).toBeGreaterThan(0.9);
  });

  it('takes zero bytes for nothing', async () => {
    const source = await openSource(await folder.write(`a,b\n1,\0\0\n${'2,x\n'.repeat(20)}`));
    expect((await rowsOf(source))[1]).toEqual([2, ['1', null]]);
  });
});

const PAIRS = [
  ...['ru', 'uk'].map((language) => [language, 'windows-1251'] as const),
  ...([
    ['ru', 'koi8-r'],
    ['el', 'windows-1253'],
    ['tr', 'windows-1254'],
  ] as const),
  ...([
    ['pl', 'windows-1250'],
    ['fr', 'windows-1252'],
    ['he', 'windows-1255'],
  ] as const),
  ...([
    ['ar', 'windows-1256'],
    ['th', 'windows-874'],
  ] as const),
];

const linesOf = (language: string, times: number): string =>
  `id,name,town\n${textsOf(language)
    .rows.map((row, at) => `${at},${row}\n`)
    .join('')}`.repeat(times);

/** Lines of another alphabet or language, which a colleague's program appends. */
const APPENDED: Readonly<Record<string, string>> = { fr: '98,José,Orléans\n99,Renée,Besançon\n' };
const appendedTo = (language: string): string =>
  APPENDED[language] ?? `98,${textsOf(language).rows[2]}\n99,${textsOf(language).rows[4]}\n`;

describe('a file of two encodings', () => {
  /** A file in an encoding, with rows in UTF-8 behind it. */
  const mixed = async (language: string, name: string, times = 1, options: SourceOptions = {}) => {
    const legacy = iconv.encode(linesOf(language, times), name);
    const bytes = Buffer.concat([legacy, Buffer.from(appendedTo(language))]);
    const file = await folder.write(bytes, 'mixed.csv');
    return openSource(file, { delimiter: ',', ...options });
  };

  it.each(PAIRS)(
    '%s in %s with rows in UTF-8 at its end is unsure, and refused at the first of them',
    async (language, name) => {
      const source = await mixed(language, name);
      expect(source.info.encodingDoubt).toMatchObject({ runnerUp: 'utf-8' });
      expect(appendedTo(language)).toContain(source.info.encodingDoubt?.otherWord);
      const problem = { code: 'invalid_text', place: { line: 12 } };
      await expect(source.verify()).rejects.toMatchObject(problem);
      const { rows, error } = await collect(source.batches());
      expect(rows).toHaveLength(11);
      expect(error).toMatchObject(problem);
    },
  );

  it('is read as it is named', async () => {
    const source = await mixed('ru', 'koi8-r', 1, { encoding: 'koi8-r' });
    const { rows, error } = await collect(source.batches());
    expect(error).toBeUndefined();
    expect(rows).toHaveLength(13);
  });

  it.each(PAIRS)('UTF-8 with a row of %s in %s is refused at that row', async (language, name) => {
    const utf8 = Buffer.from(linesOf(language, 1));
    const bytes = Buffer.concat([utf8, iconv.encode(appendedTo(language), name)]);
    const source = await openSource(await folder.write(bytes, 'mixed.csv'), { delimiter: ',' });
    const { info } = source;
    expect(info).toMatchObject({ encoding: 'utf-8' });
    const { rows, error } = await collect(source.batches());
    expect(rows).toHaveLength(11);
    expect(error).toMatchObject({ code: 'invalid_text', place: { line: 12 } });
  });

  it('is refused where rows in UTF-8 stand far from any place that is looked at before', async () => {
    const legacy = iconv.encode(linesOf('ru', 20_000), 'windows-1251');
    const at = legacy.indexOf('\n', Math.floor(legacy.length * 0.4)) + 1;
    const bytes = Buffer.concat([
      legacy.subarray(0, at),
      Buffer.from(appendedTo('ru')),
      legacy.subarray(at),
    ]);
    const source = await openSource(await folder.write(bytes, 'mixed.csv'), { delimiter: ',' });
    expect(source.info).toMatchObject({ encoding: 'windows-1251' });
    const { rows, error } = await collect(source.batches());
    const line = legacy.subarray(0, at).toString('latin1').split('\n').length;
    expect(rows).toHaveLength(line - 1);
    expect(error).toMatchObject({ code: 'invalid_text', place: { line } });
  });

  it('has its last rows looked at, however large it is', async () => {
    const { info } = await mixed('ru', 'windows-1251', 20_000);
    expect(info.encodingDoubt).toMatchObject({ runnerUp: 'utf-8' });
  });

  it('is no file of capitals in windows-1251 that are valid UTF-8 by accident', async () => {
    const bytes = iconv.encode(`${linesOf('uk', 1)}9,ТІНІ,НІ\n10,дії,гії\n`, 'windows-1251');
    const source = await openSource(await folder.write(bytes, 'capitals.csv'), { delimiter: ',' });
    expect(source.info.encodingDoubt).toBeUndefined();
    expect((await collect(source.batches())).rows.at(-1)).toEqual([13, ['10', 'дії', 'гії']]);
  });
});

const PLAIN = 'Smith,London\nJones,Paris\nBrown,Rome\n'.repeat(5);

const LANGUAGES = Object.entries(storedIn);
const wordsOf = (language: string) => (shortWords[language] ?? '').split(' ');

/** As words of their own, with numbers behind them, or among rows of plain English. */
const LAYOUTS: readonly ((words: readonly string[]) => string)[] = [
  (words) => words.map((word, at) => `${at},${word}\n`).join(''),
  (words) => words.map((word) => `${word}0,1\n${word}1,2\n${word}-2,3\n${word} (3),4\n`).join(''),
  (words) => PLAIN + words.map((word) => `${word},Bonn\n`).join(''),
];

async function outcome(text: string, iconvName: string): Promise<'right' | 'told' | 'wrong'> {
  const bytes = iconv.encode(text, iconvName);
  const found = await findEncoding(bytes, 'auto');
  if (!found || found.doubt) return 'told';
  const decoder = await tableDecoder(found.label);
  return decoder.decode(bytes) + decoder.end() === text ? 'right' : 'wrong';
}

describe('one to three short words', () => {
  const stored = LANGUAGES.flatMap(([language, names]) =>
    names.map((name) => [language, name] as const),
  );

  it.each(stored)('%s in %s are right or unsure', async (language, name) => {
    const words = wordsOf(language)
      .filter((word) => iconv.decode(iconv.encode(word, name), name) === word)
      // The bytes of a word of three letters in IBM855 are an everyday ideograph in UTF-8, which has precedence.
      .filter((word) => name !== 'cp855' || !isUtf8(iconv.encode(word, name)));
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.constantFrom(...words), { minLength: 1, maxLength: 3 }),
        fc.constantFrom(...LAYOUTS),
        async (chosen, layout) => {
          expect(await outcome(`id,name\n${layout(chosen)}`, name)).not.toBe('wrong');
        },
      ),
      { numRuns: 30 },
    );
  });

  it.each(LANGUAGES.map(([language]) => language))(
    '%s in UTF-8 are right, single letters aside',
    async (language) => {
      const words = wordsOf(language).filter((word) => word.length > 1);
      for (const layout of LAYOUTS)
        for (const word of words)
          expect(await outcome(`id,name\n${layout([word])}`, 'utf8'), word).toBe('right');
    },
  );

  it.each([
    ['СПб', 'windows-1251'],
    ['ООО', 'windows-1251'],
    ['СПб', 'koi8-r'],
    ['ТОВ', 'windows-1251'],
    ['ΕΠΕ', 'windows-1253'],
  ])('%s in %s with many numbers is the evidence of one word', async (word, name) => {
    const codes = Array.from({ length: 500 }, (_, row) => `${row},${word}${row}\n`).join('');
    const file = await folder.write(iconv.encode(`id,code\n${codes}`, name));
    const { encodingDoubt } = (await openSource(file)).info;
    expect(encodingDoubt).toMatchObject({ runnerUp: expect.any(String) as string });
    expect(encodingDoubt?.word).not.toBe(encodingDoubt?.otherWord);
  });

  it.each([
    ['Иван,Казань\nПётр,Тверь\nОльга,Самара\nДмитрий,Воронеж\n', 'windows-1251'],
    ['Иван,Казань\nПётр,Тверь\nОльга,Самара\nДмитрий,Воронеж\n', 'koi8-r'],
    ['Νίκος,Πάτρα\nΕλένη,Βόλος\nΓιώργος,Λάρισα\n', 'windows-1253'],
  ])('a few names are enough: %j in %s', async (rows, name) => {
    expect(await outcome(`id,name\n${rows}`, name)).toBe('right');
  });
});
