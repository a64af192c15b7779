import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, it } from 'vitest';
import { openSource } from '../../src/source/source.js';
import { rowsOf, testFolder } from './files.js';

const folder = testFolder();

const oneGroup = (rows: number, columns: number, valueOf: (row: number) => number): Buffer => {
  const data = Array.from({ length: rows }, (_, row) => valueOf(row));
  const columnData = Array.from({ length: columns }, (_, at) => ({
    name: `c${at}`,
    data,
    type: 'INT32' as const,
  }));
  return Buffer.from(parquetWriteBuffer({ columnData, rowGroupSize: rows }));
};

it(
  'reads a row group of more cells than are read together, each row once',
  { tags: 'depth' },
  async () => {
    const [rows, columns] = [55_000, 40];
    const source = await openSource(await folder.write(oneGroup(rows, columns, (row) => row)));
    const found = await rowsOf(source);
    expect(found).toHaveLength(rows + 1);
    const isRight = ([row, cells]: (typeof found)[number]) =>
      cells.length === columns && cells.every((cell) => cell === String(row - 1));
    expect(found.slice(1).filter((each) => !isRight(each))).toEqual([]);
  },
);

it('refuses a row group of too many cells before a row is given, and says what to do', async () => {
  const bytes = oneGroup(10_000, 100, () => 1);
  // 10,000 and 1,048,575 as the description of the file at its end has them.
  const [written, claimed] = [Buffer.from('a09c01', 'hex'), Buffer.from('feff7f', 'hex')];
  const from = bytes.length - 8 - bytes.readUInt32LE(bytes.length - 8);
  for (let at = bytes.indexOf(written, from); at >= 0; at = bytes.indexOf(written, at + 3))
    claimed.copy(bytes, at);
  await expect(openSource(await folder.write(bytes))).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringMatching(
      /row group 1 of 1 .* has 1048575 rows of 100 columns, and the limit is 50000000 cells\. Write it/,
    ) as unknown,
  });
});
