import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as SheetJs from '@e965/xlsx';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cardline } from '../kit/cardline.js';

// What is read into memory whole is read in a thread, which the built program alone starts.
const ROWS = 1_000;
let folder: string;
const at = (name: string): string => join(folder, name);
const cells = (row: number): [string, number] => [`Name ${row}`, 79_160_000_000 + row];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardline-thread-'));
  const table = Array.from({ length: ROWS }, (_, row) => cells(row));
  const workbook = SheetJs.utils.book_new();
  const sheet = SheetJs.utils.aoa_to_sheet([['Name', 'Mobile'], ...table]);
  SheetJs.utils.book_append_sheet(workbook, sheet, 'Leads');
  for (const [name, bookType] of [
    ['leads.xls', 'biff8'],
    ['leads.xlsb', 'xlsb'],
  ] as const)
    await writeFile(
      at(name),
      new Uint8Array(SheetJs.write(workbook, { type: 'buffer', bookType }) as Buffer),
    );
  const columnData = ['Name', 'Mobile'].map((name, column) => ({
    name,
    data: table.map((row) => String(row[column])),
    type: 'STRING' as const,
  }));
  await writeFile(at('leads.parquet'), new Uint8Array(parquetWriteBuffer({ columnData })));
});
afterAll(() => rm(folder, { recursive: true }));

it.each(['leads.xls', 'leads.xlsb', 'leads.parquet'])('prints all rows of %s', async (name) => {
  const { code, stdout } = await cardline(['rows', at(name)]);
  expect(code).toBe(0);
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { cells: string[] }).cells);
  expect(rows).toEqual([
    ['Name', 'Mobile'],
    ...Array.from({ length: ROWS }, (_, row) => cells(row).map(String)),
  ]);
});

it('ends when no more rows are wanted', async () => {
  const { code, stdout } = await cardline(['rows', at('leads.xlsb'), '--limit', '2']);
  expect(code).toBe(0);
  expect(stdout.trim().split('\n')).toHaveLength(2);
});

it('says what is wrong with a file as it does elsewhere', async () => {
  const { code, stderr } = await cardline(['rows', at('leads.xlsb'), '--sheet', 'Nowhere']);
  expect(code).toBe(64);
  expect(stderr).toContain('there is no sheet "Nowhere". Its sheets are: "Leads".');
  const refused = await cardline(['rows', at('leads.parquet'), '--sheet', '1']);
  expect(refused.stderr).toContain('has no sheets');
});
