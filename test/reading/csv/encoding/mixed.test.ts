import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../../../src/source/source.js';
import { collect, testFolder } from '../../files.js';
import { TEXTS } from './texts.js';

const folder = testFolder();

type Language = keyof typeof TEXTS;

const PAIRS = [
  ['ru', 'windows-1251', 'windows-1251'],
  ['ru', 'koi8-r', 'koi8-r'],
  ['uk', 'windows-1251', 'windows-1251'],
  ['el', 'windows-1253', 'windows-1253'],
  ['tr', 'windows-1254', 'windows-1254'],
  ['pl', 'windows-1250', 'windows-1250'],
  ['fr', 'windows-1252', 'windows-1252'],
  ['he', 'windows-1255', 'windows-1255'],
  ['ar', 'windows-1256', 'windows-1256'],
  ['th', 'windows-874', 'windows-874'],
] as const satisfies readonly (readonly [Language, string, string])[];

const linesOf = (language: Language, times: number): string =>
  `id,name,town\n${TEXTS[language].rows.map((row, at) => `${at},${row}\n`).join('')}`.repeat(times);

/** Lines of another alphabet or language, which a colleague's program appends. */
const APPENDED: Partial<Record<Language, string>> = { fr: '98,José,Orléans\n99,Renée,Besançon\n' };
const appendedTo = (language: Language): string =>
  APPENDED[language] ?? `98,${TEXTS[language].rows[2]}\n99,${TEXTS[language].rows[4]}\n`;

describe('a file of two encodings', () => {
  it.each(PAIRS)('%s in %s with rows in UTF-8 at its end is unsure', async (language, name) => {
    const legacy = iconv.encode(linesOf(language, 1), name);
    const bytes = Buffer.concat([legacy, Buffer.from(appendedTo(language))]);
    const source = await openSource(await folder.write(bytes, 'mixed.csv'), { delimiter: ',' });
    expect(source.info.encodingDoubt).toMatchObject({ runnerUp: 'utf-8' });
    expect(appendedTo(language)).toContain(source.info.encodingDoubt?.otherWord);
  });

  it.each(PAIRS)(
    '%s in %s with rows in UTF-8 is refused at the first of them',
    async (language, name) => {
      const legacy = iconv.encode(linesOf(language, 1), name);
      const bytes = Buffer.concat([legacy, Buffer.from(appendedTo(language))]);
      const source = await openSource(await folder.write(bytes, 'mixed.csv'), { delimiter: ',' });
      const problem = { code: 'invalid_text', place: { line: 12 } };
      await expect(source.verify()).rejects.toMatchObject(problem);
      const { rows, error } = await collect(source.batches());
      expect(rows).toHaveLength(11);
      expect(error).toMatchObject(problem);
    },
  );

  it('is read as it is named', async () => {
    const legacy = iconv.encode(linesOf('ru', 1), 'koi8-r');
    const bytes = Buffer.concat([legacy, Buffer.from(appendedTo('ru'))]);
    const options = { delimiter: ',', encoding: 'koi8-r' };
    const source = await openSource(await folder.write(bytes, 'mixed.csv'), options);
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
    const legacy = iconv.encode(linesOf('ru', 20_000), 'windows-1251');
    const bytes = Buffer.concat([legacy, Buffer.from(appendedTo('ru'))]);
    const { info } = await openSource(await folder.write(bytes, 'mixed.csv'), { delimiter: ',' });
    expect(info.encodingDoubt).toMatchObject({ runnerUp: 'utf-8' });
  });

  it('is no file of capitals in windows-1251 that are valid UTF-8 by accident', async () => {
    const bytes = iconv.encode(`${linesOf('uk', 1)}9,ТІНІ,НІ\n10,дії,гії\n`, 'windows-1251');
    const source = await openSource(await folder.write(bytes, 'capitals.csv'), { delimiter: ',' });
    expect(source.info.encodingDoubt).toBeUndefined();
    expect((await collect(source.batches())).rows.at(-1)).toEqual([13, ['10', 'дії', 'гії']]);
  });
});
