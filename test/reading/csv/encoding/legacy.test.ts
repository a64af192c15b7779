import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../../../src/source/source.js';
import { rowsOf, testFolder } from '../../files.js';
import { ENCODINGS, TEXTS } from './texts.js';

const folder = testFolder();

type Language = keyof typeof TEXTS;

/** How Vietnamese is stored in windows-1258: the tones as marks of their own. */
function withTonesApart(text: string): string {
  return text.replace(/\p{L}/gu, (letter) => {
    const marks = letter.normalize('NFD');
    const tone = /[\u0300\u0301\u0303\u0309\u0323]/.exec(marks)?.[0];
    return tone === undefined ? letter : marks.replace(tone, '').normalize('NFC') + tone;
  });
}

/** Two-column tables of a language: of names and places, of a few of them, and of remarks. */
function tablesOf(language: Language): string[][][] {
  const { header, rows, remarks } = TEXTS[language];
  const names = rows.map((row) => row.split(','));
  const texts = remarks.map((remark, index) => [String(index + 1), remark.replaceAll(/[,;]/g, '')]);
  return [
    [[...header], ...names, ...names.map(([a = '', b = '']) => [b, a])],
    [[...header], ...names.slice(2, 6)],
    texts,
  ];
}

async function outcome(table: readonly string[][], iconvName: string, label: string) {
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
  it(`${ENCODINGS.length} of them: nine tables of ten are right, and none is wrong in silence`, async () => {
    const outcomes = { right: 0, told: 0, wrong: 0 };
    const wrong: string[] = [];
    for (const [label, iconvName, languages] of ENCODINGS)
      for (const language of languages)
        for (const table of tablesOf(language)) {
          const how = await outcome(table, iconvName, label);
          outcomes[how]++;
          if (how === 'wrong') wrong.push(`${label} ${language}`);
        }
    expect(wrong).toEqual([]);
    expect(outcomes.right / (outcomes.right + outcomes.told)).toBeGreaterThan(0.9);
  });

  it.each([
    ['Rodríguez', 'windows-1252'],
    ['Muñoz\nPeña', 'windows-1252'],
    ['5 €', 'windows-1252'],
    ['a – b', 'windows-1252'],
    ['Dvořák\nŽižka', 'windows-1250'],
    ['Łódź', 'windows-1250'],
  ])('is sure of a few characters in a plain text: %s', async (words, encoding) => {
    const rows = 'Smith,London\nJones,Paris\nBrown,Rome\n'.repeat(5);
    const bytes = iconv.encode(`name,city\n${rows}${words},Here\n`, encoding);
    const { info } = await openSource(await folder.write(bytes));
    expect(info).toMatchObject({ encoding });
    expect(info.encodingDoubt).toBeUndefined();
  });

  it('tells of a word that two encodings make sense of', async () => {
    const { info } = await openSource(
      await folder.write(iconv.encode('Город\nДа\n', 'windows-1251').subarray(6)),
    );
    expect(info).toMatchObject({
      encoding: 'windows-1251',
      encodingDoubt: { runnerUp: expect.any(String) as string, word: 'Да' },
    });
  });

  it('finds ISO-2022-JP by its escape sequences', async () => {
    const bytes = Buffer.from('a,b\n1,\x1b$B4A;z\x1b(B\n', 'latin1');
    const source = await openSource(await folder.write(bytes));
    expect(source.info.encoding).toBe('iso-2022-jp');
    expect((await rowsOf(source)).at(-1)).toEqual([2, ['1', '漢字']]);
  });

  it.each(['utf-16le', 'utf-16be'])('finds %s of Chinese without a mark', async (label) => {
    const bytes = iconv.encode('姓名,城市\n贺晓东,合肥\n欧阳雪,石家庄\n', label, { addBOM: false });
    expect((await openSource(await folder.write(bytes))).info.encoding).toBe(label);
  });

  it('takes zero bytes for nothing', async () => {
    const source = await openSource(await folder.write(`a,b\n1,\0\0\n${'2,x\n'.repeat(20)}`));
    expect((await rowsOf(source))[1]).toEqual([2, ['1', null]]);
  });
});
