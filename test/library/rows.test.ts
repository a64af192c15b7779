import exceljs from 'exceljs';
import { createReadStream } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { InputError, readRows, type ReadRowsOptions, type TableRow } from '../../src/index.js';
import { testFolder } from '../kit/folder.js';

const folder = testFolder();
const at = (name: string): string => join(folder, name);
beforeAll(async () => {
  await writeFile(at('leads.csv'), ' Name ;Phone\nAnn;1\n\nBob;2;more\n');
  await writeFile(
    at('titled.csv'),
    'List of March,\nName,Phone\nAnn,79160000001\nBob,79160000002\n',
  );
  await writeFile(at('leads.jsonl'), '{"Name":"Ann","Phone":"1"}\n{"Name":"Bob"}\n');
});

async function rowsOf(options: ReadRowsOptions): Promise<TableRow[]> {
  const rows: TableRow[] = [];
  for await (const row of readRows(options)) rows.push(row);
  return rows;
}

it('gives data rows with their header, and the numbers that a person sees', async () => {
  const header = ['Name', 'Phone'];
  expect(await rowsOf({ file: at('leads.csv') })).toEqual([
    { sheet: null, row: 2, cells: ['Ann', '1'], header },
    { sheet: null, row: 4, cells: ['Bob', '2', 'more'], header },
  ]);
});

it('reads a stream of bytes as it reads a file', async () => {
  const rows = await rowsOf({ file: createReadStream(at('leads.csv')) });
  expect(rows).toEqual(await rowsOf({ file: at('leads.csv') }));
});

it('finds the header below a title, takes it from the row that is named, or from none', async () => {
  const file = at('titled.csv');
  const header = ['Name', 'Phone'];
  for (const headerRow of [{}, { headerRow: 2 }])
    expect(await rowsOf({ file, ...headerRow })).toEqual([
      { sheet: null, row: 3, cells: ['Ann', '79160000001'], header },
      { sheet: null, row: 4, cells: ['Bob', '79160000002'], header },
    ]);
  const all = await rowsOf({ file, headerRow: 'none' });
  expect(all.map(({ row, header: names }) => [row, names])).toEqual(
    [1, 2, 3, 4].map((row) => [row, ['A', 'B']]),
  );
});

it('gives every row of a file of any size once, and the same with its header named', async () => {
  for (const count of [0, 1, 99, 100, 101, 250]) {
    const lines = Array.from({ length: count }, (_, at) => `Ann,${at}\n`);
    const file = at('many.csv');
    await writeFile(file, `Name,Number\n${lines.join('')}`);
    const rows = await rowsOf({ file, headerRow: 1 });
    expect(rows.map(({ row, cells }) => [row, cells[1]])).toEqual(
      lines.map((_, index) => [index + 2, String(index)]),
    );
    if (count > 1) expect(await rowsOf({ file })).toEqual(rows);
  }
});

it('has the names of a format that names its columns, whatever row is asked for', async () => {
  for (const headerRow of [1, 5, 'none'] as const) {
    const rows = await rowsOf({ file: at('leads.jsonl'), headerRow });
    expect(rows.map(({ header }) => header)).toEqual([
      ['Name', 'Phone'],
      ['Name', 'Phone'],
    ]);
  }
});

it('takes the options of a source, and a header for each sheet', async () => {
  const workbook = new exceljs.Workbook();
  workbook.addWorksheet('March').addRows([
    ['Name', 'Phone'],
    ['Ann', '79160000001'],
    ['Bob', '2'],
  ]);
  workbook.addWorksheet('April').addRows([['List of April'], ['Lead', 'City'], ['Eve', 'Kazan']]);
  const file = at('sheets.xlsx');
  await workbook.xlsx.writeFile(file);
  const [march, april] = [
    ['Name', 'Phone'],
    ['Lead', 'City'],
  ];
  expect(await rowsOf({ file, source: { allSheets: true } })).toEqual([
    { sheet: 'March', row: 2, cells: ['Ann', '79160000001'], header: march },
    { sheet: 'March', row: 3, cells: ['Bob', '2'], header: march },
    { sheet: 'April', row: 3, cells: ['Eve', 'Kazan'], header: april },
  ]);
  expect(await rowsOf({ file, source: { sheet: 'April' } })).toEqual([
    { sheet: 'April', row: 3, cells: ['Eve', 'Kazan'], header: april },
  ]);
});

it('says where a header is missing', async () => {
  const missing = rowsOf({ file: at('leads.csv'), headerRow: 3 });
  await expect(missing).rejects.toThrow(InputError);
  await expect(missing).rejects.toMatchObject({ code: 'no_header', place: { row: 3 } });
});

it('frees the file when somebody has seen enough', async () => {
  for await (const row of readRows({ file: at('leads.csv') })) {
    expect(row.row).toBe(2);
    break;
  }
  await rm(at('leads.csv'));
});
