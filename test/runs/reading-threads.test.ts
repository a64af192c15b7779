import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readerThreads, threadsForTexts } from '../../src/prepare/threads.js';
import { cardline } from '../kit/cardline.js';
import { zip } from '../kit/zip.js';
import { testFolder } from '../kit/folder.js';

const LARGE = 100_000_000;

it.each([
  ['a check on one processor', { purpose: 'check', processors: 1, bytes: LARGE }, 1],
  ['a check on two', { purpose: 'check', processors: 2, bytes: 2_000_000 }, 2],
  ['a small check', { purpose: 'check', processors: 64, bytes: 1024 * 1024 }, 0],
  ['a check on many', { purpose: 'check', processors: 64, bytes: LARGE }, 2],
  ['an import on two processors', { purpose: 'send', processors: 2, bytes: LARGE }, 1],
  ['an import on four', { purpose: 'send', processors: 4, bytes: LARGE }, 2],
  ['an import of some size on four', { purpose: 'send', processors: 4, bytes: 2_000_000 }, 1],
  ['a small import', { purpose: 'send', processors: 4, bytes: 1024 * 1024 }, 0],
] as const)('%s has threads as it is worth', (_name, texts, threads) => {
  expect(threadsForTexts(texts)).toBe(threads);
});

const folder = testFolder();

const threadsFor = async (...contents: readonly (string | Buffer)[]): Promise<number> => {
  const files = contents.map((content, index) => ({ content, path: join(folder, `${index}.in`) }));
  for (const { path, content } of files) await writeFile(path, content);
  return readerThreads(
    files.map(({ path }) => ({ path, name: path })),
    'check',
  );
};

describe('without a thread', () => {
  const half = 'Id\n'.padEnd(512 * 1024, '1\n');

  it('are small files of text, taken together', async () => {
    expect(await threadsFor(half, half)).toBe(0);
    expect(await threadsFor('')).toBe(0);
    expect(await threadsFor(half, half, 'Id\n')).not.toBe(0);
  });

  it('is a workbook whose parts unpack to little, and no other', async () => {
    const workbook = (rows: string): Buffer =>
      zip([
        { name: '[Content_Types].xml', data: '<Types/>' },
        { name: 'xl/worksheets/sheet1.xml', data: rows },
      ]);
    expect(await threadsFor(workbook('<row/>'))).toBe(0);
    expect(await threadsFor(workbook(' '.repeat(500 * 1024)), half)).toBe(0);
    expect(await threadsFor(workbook(' '.repeat(1024 * 1024)))).toBe(1);
    expect(await threadsFor(workbook(' '.repeat(600 * 1024)), half)).not.toBe(0);
  });

  it('is a file that cannot be read, which whoever opens it reports', async () => {
    expect(
      await readerThreads([{ path: join(folder, 'none.csv'), name: 'none.csv' }], 'send'),
    ).toBe(0);
  });

  it.each([
    ['a workbook that is cut off', Buffer.from('504b0304', 'hex')],
    ['a workbook of Excel 97', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
    ['a file of Parquet', Buffer.from('PAR1')],
    ['packed text', gzipSync('Id\n1\n')],
  ])('is not %s, however small', async (_name, content) => {
    expect(await threadsFor(content)).toBe(1);
    expect(await threadsFor('Id\n1\n', content)).toBe(1);
  });
});

describe('a check', () => {
  /** What a check of a file says and writes, with `rows.csv` for its name. */
  async function checked(name: string): Promise<readonly string[]> {
    const rejects = join(folder, 'out', 'rejects.csv');
    await rm(rejects, { force: true });
    const args = ['check', name, '-m', 'mapping.yaml', '-o', 'out', '--json'];
    const { stdout, stderr } = await cardline(args, { cwd: folder });
    const said = [stdout, stderr].map((text) =>
      text
        .replaceAll(name, 'rows.csv')
        .replace('CSV (gzip)', 'CSV')
        .replace(/"(bytes|gzip|seconds|rowsPerSecond)":[^,}]*/g, ''),
    );
    return [...said, await readFile(rejects, 'utf8').catch(() => '')];
  }

  it('says the same of a text that has a thread and of one that has none', async () => {
    await writeFile(
      join(folder, 'mapping.yaml'),
      `client:
  clientRoleId: { value: 1 }
  timeZone: { value: Europe/Moscow }
  fields: { id: { column: Id, transform: [number] }, name: Name }
  phones: [{ value: '79161234567', type: MOB }]
`,
    );
    const rows = Array.from({ length: 1100 }, (_, n) => `${n % 7 ? n % 900 : 'none'},Имя ${n}\n`);
    for (const text of [
      ['Id,Name\n', ...rows].join(''),
      ['Id,Name\n', ...rows, '1,"never closed\n'].join(''),
      'Id,Id\n1,2\n',
      '',
    ]) {
      await writeFile(join(folder, 'rows.csv'), text);
      await writeFile(join(folder, 'rows.csv.gz'), gzipSync(text));
      const [plain, packed] = [await checked('rows.csv'), await checked('rows.csv.gz')];
      expect(plain).toEqual(packed);
      if (text.length > 20 && !text.includes('never'))
        expect(plain[2]).toContain('none,Имя 7,rejected');
    }
  });
});
