import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { findEncoding } from '../../../../src/source/csv/encoding/encoding.js';
import { tableDecoder } from '../../../../src/source/csv/encoding/table-decoder.js';
import { openSource } from '../../../../src/source/source.js';
import { testFolder } from '../../files.js';
import { SHORT_WORDS, STORED_IN } from './short-words.js';

const folder = testFolder();

const NOTHING_FAR = {
  firstHigh: () => Promise.resolve(undefined),
  spread: () => Promise.resolve([]),
};
const PLAIN = 'Smith,London\nJones,Paris\nBrown,Rome\n'.repeat(5);

const LANGUAGES = Object.entries(STORED_IN) as [keyof typeof STORED_IN, readonly string[]][];

/** As words of their own, with numbers behind them, or among rows of plain English. */
const LAYOUTS: readonly ((words: readonly string[]) => string)[] = [
  (words) => words.map((word, at) => `${at},${word}\n`).join(''),
  (words) => words.map((word) => `${word}0,1\n${word}1,2\n${word}-2,3\n${word} (3),4\n`).join(''),
  (words) => PLAIN + words.map((word) => `${word},Bonn\n`).join(''),
];

async function outcome(text: string, iconvName: string): Promise<'right' | 'told' | 'wrong'> {
  const bytes = iconv.encode(text, iconvName);
  const found = await findEncoding(bytes, 'auto', NOTHING_FAR);
  if (!found) return 'told';
  if (found.doubt) return 'told';
  const decoder = await tableDecoder(found.label);
  return decoder.decode(bytes) + decoder.end() === text ? 'right' : 'wrong';
}

describe('one to three short words', () => {
  const stored = LANGUAGES.flatMap(([language, names]) =>
    names.map((name) => [language, name] as const),
  );

  it.each(stored)('%s in %s are right or unsure', async (language, name) => {
    const words = SHORT_WORDS[language]
      .split(' ')
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
      const words = SHORT_WORDS[language].split(' ').filter((word) => word.length > 1);
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
