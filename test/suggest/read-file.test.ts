import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { describe, expect, it } from 'vitest';
import { readForSuggestion } from '../../src/suggest/read-file.js';
import { testFolder } from '../kit/folder.js';

const folder = testFolder();

const rowsOf = (count: number): string[][] => [
  ['Lead', 'Name'],
  ...Array.from({ length: count }, (_, row) => [`L-${row}`, `Name ${row}`]),
  ['Summe', ''],
];

async function csv(count: number): Promise<string> {
  const file = join(folder, `${count}.csv`);
  await writeFile(file, rowsOf(count).join('\n'));
  return file;
}

async function xlsx(count: number): Promise<string> {
  const file = join(folder, `${count}.xlsx`);
  const book = new ExcelJS.Workbook();
  book.addWorksheet('Leads').addRows(rowsOf(count));
  await book.xlsx.writeFile(file);
  return file;
}

const numberOf = (cells: readonly (string | null)[]): number => Number(cells[0]?.slice(2));

describe('the rows of a file that are looked at', () => {
  it.each([
    ['a CSV file of 1,500 rows', () => csv(1_500), 1_501],
    ['a narrow CSV file of 30,000 rows', () => csv(30_000), 30_001],
    ['a large CSV file', () => csv(60_000), undefined],
    ['a workbook of 1,500 rows', () => xlsx(1_500), 1_501],
  ])('of %s are from all over it, and none of them twice', async (_, made, rows) => {
    const file = await made();
    const { table } = await readForSuggestion(file, {});
    expect(table).toMatchObject({ rows, beginning: undefined });
    const numbers = table.sample.map(numberOf).filter((row) => !Number.isNaN(row));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.length).toBeGreaterThan(950);
    const last = Number(/(\d+)\.\w+$/.exec(file)?.[1]);
    expect(numbers.filter((row) => row > last / 2).length).toBeGreaterThan(300);
    expect(table.last?.at(-1)?.[0]).toBe('Summe');
  });

  it('have the columns of a run where there is no header, whatever a longer row has', async () => {
    const file = join(folder, 'headless.csv');
    const rows = Array.from({ length: 20 }, (_, row) => `${row},Name,+4930123456${10 + row}`);
    await writeFile(file, [...rows, '20,Name,+493012345640,more'].join('\n'));
    const { table } = await readForSuggestion(file, {});
    expect(table).toMatchObject({ headers: ['A', 'B', 'C'], hasNames: false, rows: 21 });
  });

  it('of a large workbook are from its beginning, and it is known from how much of it', async () => {
    const { table } = await readForSuggestion(await xlsx(10_500), {});
    expect(table.rows).toBeUndefined();
    expect(table.sample).toHaveLength(1_000);
    expect(table.beginning).toBeGreaterThan(9_999);
    expect(Math.max(...table.sample.map(numberOf))).toBeGreaterThan(9_000);
  });
});

describe('the header of a list', () => {
  const headed = async (header: readonly string[], row: (at: number) => readonly string[]) => {
    const file = join(folder, 'header.csv');
    const rows = Array.from({ length: 12 }, (_, at) => row(at));
    await writeFile(file, [header, ...rows].map((cells) => cells.join(';')).join('\n'));
    const names = ['customerNo', 'fullName', 'phone'];
    return (await readForSuggestion(file, {}, { names })).table;
  };
  const client = (at: number) => [`K-${at}`, 'Ada Fernhill', `+49301234${100 + at}`];
  const long = 'Which of our offers would you like to hear more about when we call you next time?';
  const counting = (name: string) => Array.from({ length: 30 }, (_, at) => `${name}${at}`);
  const months = Array.from({ length: 12 }, (_, at) => `${at + 1}.2026`);

  it.each([
    ['a long name', [`${long} ${long}`]],
    ['only short names that count', counting('c')],
    ['names that count with a blank', counting('Question ')],
    ['names of months', months],
  ])('is found by the names of the card beside %s', async (_what, others) => {
    const header = ['customerNo', 'fullName', 'phone', ...others];
    const { headers, hasNames } = await headed(header, (at) => [
      ...client(at),
      ...others.map((_, column) => `value ${at * column}`),
    ]);
    expect(hasNames).toBe(true);
    expect(headers).toEqual(header);
  });

  it('is found among names that count alone', async () => {
    const { headers } = await headed(counting('c'), (at) =>
      counting('').map((each) => `${each}${at}`),
    );
    expect(headers).toEqual(counting('c'));
  });

  it('is no row of data that holds words for columns', async () => {
    const { hasNames } = await headed(
      ['K-1', 'Ada Lee', '+49301234567', 'Email', 'Website'],
      (at) => [...client(at), ['Email', 'Phone'][at % 2] ?? '', ['Website', 'Fair'][at % 2] ?? ''],
    );
    expect(hasNames).toBe(false);
  });
});
