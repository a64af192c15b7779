import { expect, it } from 'vitest';
import { openSource } from '../../../src/source/source.js';
import { rowsOf, testFolder } from '../files.js';
import { cell, chart, END, latin, number, record, u16, u32, workbook } from './records.js';

const folder = testFolder();
const read = async (bytes: Uint8Array) => rowsOf(await openSource(await folder.write(bytes)));

const TEXT = 0x0204;
const SHARED = 0x00fd;

it('reads cells in their places in whatever order they were written', async () => {
  const cells = [number(1, 1, 4), number(0, 1, 2), number(1, 0, 3), number(0, 0, 1)];
  expect(await read(workbook(cells))).toEqual([
    [1, ['1', '2']],
    [2, ['3', '4']],
  ]);
});

it('takes the last of several cells in one place', async () => {
  const cells = [number(0, 0, 1), number(0, 1, 2), number(0, 0, 9)];
  expect(await read(workbook(cells))).toEqual([[1, ['9', '2']]]);
});

it('reads several short numbers of one record: whole, in hundredths, and with a fraction', async () => {
  const half = Buffer.alloc(8);
  half.writeDoubleLE(0.5);
  const pairs = [
    [...u16(0), ...u32((-7 << 2) | 2)],
    [...u16(0), ...u32((1234 << 2) | 3)],
    [...u16(0), ...half.subarray(4)],
  ];
  const numbers = record(0x00bd, u16(0), u16(1), ...pairs, u16(3));
  expect(await read(workbook([numbers]))).toEqual([[1, [null, '-7', '12.34', '0.5']]]);
});

it('reads what formulas gave, and passes over what stands between one and its text', async () => {
  const formula = (column: number, ...value: number[]) =>
    cell(0x0006, 0, column, value, u16(0xffff), u16(0), u32(0), u16(0));
  const cells = [
    formula(0, 0, 0, 0, 0, 0, 0),
    record(0x04bc, u16(0)),
    record(0x0207, latin('Anna')),
    formula(1, 1, 0, 1, 0, 0, 0),
    formula(2, 2, 0, 0x2a, 0, 0, 0),
    formula(3, 3, 0, 0, 0, 0, 0),
    number(0, 4, 5),
  ];
  expect(await read(workbook(cells))).toEqual([[1, ['Anna', 'true', '#N/A', null, '5']]]);
});

it('does not take the cells of a chart for those of its sheet', async () => {
  const cells = [number(0, 0, 1), chart(number(0, 1, 99)), number(1, 0, 2)];
  expect(await read(workbook(cells))).toEqual([
    [1, ['1']],
    [2, ['2']],
  ]);
});

it('reads texts that go on in another record, in other letters, with what follows them', async () => {
  const wide = (text: string) => Buffer.from(text, 'utf16le');
  const shared = [
    // One text that is cut within its letters, one with formats and phonetics, one that begins the next record.
    record(0x00fc, u32(3), u32(3), u16(8), [0], Buffer.from('Anna')),
    record(0x003c, [1], wide('Анна'), u16(2), [0x0d], u16(1), u32(2), wide('Ян'), u32(0), [0, 0]),
    record(0x003c, latin('Eve')),
  ];
  const cells = [0, 1, 2].map((index) => cell(SHARED, 0, index, u32(index)));
  expect(await read(workbook(cells, { globals: shared }))).toEqual([
    [1, ['AnnaАнна', 'Ян', 'Eve']],
  ]);
});

it('shows dates by the format of their cells', async () => {
  const globals = [
    record(0x041e, u16(164), latin('dd/mm/yyyy hh:mm')),
    record(0x00e0, u16(0), u16(164), Buffer.alloc(16)),
  ];
  const date = number(0, 0, 45292.75);
  // The second cell format of the workbook.
  date.writeUInt16LE(1, 8);
  expect(await read(workbook([date], { globals }))).toEqual([[1, ['2024-01-01T18:00:00']]]);
});

it.each([
  ['a sheet without its end', workbook([number(0, 0, 1)], { end: Buffer.alloc(0) })],
  ['a text that is not there', workbook([cell(SHARED, 0, 0, u32(7))])],
  ['a text that is longer than its record', workbook([cell(TEXT, 0, 0, u16(90), [0, 65])])],
  ['a cell beyond the last column', workbook([number(0, 300, 1)])],
])('refuses %s', async (_, bytes) => {
  await expect(read(bytes)).rejects.toMatchObject({ code: 'broken_workbook' });
});

it('says that a workbook is encrypted', async () => {
  const bytes = workbook([number(0, 0, 1)], { globals: [record(0x002f, u16(0), u32(0))] });
  await expect(read(bytes)).rejects.toMatchObject({ code: 'encrypted' });
});

it('gives the rows before the place where a workbook is damaged', async () => {
  const cells = [number(0, 0, 1), number(1, 0, 2), cell(SHARED, 2, 0, u32(7)), END];
  const source = await openSource(await folder.write(workbook(cells)));
  const rows: number[] = [];
  const reading = async () => {
    for await (const batch of source.batches()) rows.push(...batch.map(({ row }) => row));
  };
  await expect(reading()).rejects.toMatchObject({ code: 'broken_workbook' });
  expect(rows).toEqual([1, 2]);
});
