import ExcelJS from 'exceljs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeXlsx } from '../../../src/report/xlsx/report-xlsx.js';
import { temporaryFolder } from './folder.js';
import { rowReport, runReport } from './rows.js';

const folder = await temporaryFolder();

async function written(
  ...[report, limits]: [Parameters<typeof writeXlsx>[1], { rows: number; characters: number }?]
): Promise<ExcelJS.Workbook> {
  const file = join(folder, 'report.xlsx');
  await writeXlsx(file, report, limits);
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.readFile(file);
  return workbook;
}

const valuesOf = (sheet: ExcelJS.Worksheet | undefined): unknown[][] => {
  const rows: unknown[][] = [];
  sheet?.eachRow((row) => rows.push((row.values as unknown[]).slice(1)));
  return rows;
};

const ROWS = [
  rowReport(),
  rowReport({
    ordinal: 1,
    row: 3,
    identifiers: ['+79160000001', '=HYPERLINK("http://x.example","x")'],
    outcome: 'failed',
    createdClientId: null,
    createResult: '=1+1',
    enqueueResult: null,
  }),
  rowReport({ ordinal: 2, row: 4, identifiers: ['007', '1e5'] }),
];

it('has a summary, the rows and the reasons, whose counts are those of the rows', async () => {
  const workbook = await written(runReport(ROWS));
  expect(workbook.worksheets.map(({ name }) => name)).toEqual(['Summary', 'Rows', 'Reasons']);
  const summary = valuesOf(workbook.getWorksheet('Summary'));
  expect(summary).toContainEqual(['run', '20261120-174500-1f3a']);
  expect(summary.slice(-3)).toEqual([
    ['rows', 3],
    ['enqueued', 2],
    ['failed', 1],
  ]);
  expect(valuesOf(workbook.getWorksheet('Reasons'))[1]).toEqual([
    1,
    'failed',
    'contact center',
    undefined,
    undefined,
    '=1+1',
    '3',
  ]);
});

it('keeps the header in sight and lets the rows be filtered', async () => {
  const sheet = (await written(runReport(ROWS))).getWorksheet('Rows');
  expect(sheet?.views[0]).toMatchObject({ state: 'frozen', ySplit: 1 });
  expect(sheet?.autoFilter).toBe('A1:V4');
});

it('leaves texts as they are, and takes none for a formula or a number', async () => {
  const rows = valuesOf((await written(runReport(ROWS))).getWorksheet('Rows'));
  expect(rows[0]?.slice(0, 5)).toEqual(['row', 'sheet', 'uuid', 'offerId', 'offerDomain']);
  expect(rows[1]?.[0]).toBe(2);
  expect(rows[1]?.[3]).toBe(1001);
  const at = (name: string) => rows[0]?.indexOf(name) ?? -1;
  expect(rows[2]?.slice(3, 6)).toEqual([
    '+79160000001',
    '=HYPERLINK("http://x.example","x")',
    'failed',
  ]);
  expect(rows[2]?.[at('createResult')]).toBe('=1+1');
  expect(rows[3]?.slice(3, 5)).toEqual(['007', '1e5']);
});

it('goes on on further sheets, each with the header, where one is full', async () => {
  const rows = Array.from({ length: 7 }, (_, at) => rowReport({ ordinal: at, row: at + 2 }));
  const workbook = await written(runReport(rows), { rows: 4, characters: Infinity });
  const names = ['Summary', 'Rows', 'Rows (2)', 'Rows (3)', 'Reasons'];
  expect(workbook.worksheets.map(({ name }) => name)).toEqual(names);
  const numbers = names
    .slice(1, 4)
    .map((name) => valuesOf(workbook.getWorksheet(name)).map(([first]) => first));
  expect(numbers).toEqual([
    ['row', 2, 3, 4],
    ['row', 5, 6, 7],
    ['row', 8],
  ]);
});

it('shows the rows of some outcomes, and counts them all', async () => {
  const workbook = await written(runReport(ROWS, { only: new Set(['failed']) }));
  expect(valuesOf(workbook.getWorksheet('Rows'))).toHaveLength(2);
  const summary = valuesOf(workbook.getWorksheet('Summary'));
  expect(summary).toContainEqual(['rows', 3]);
  expect(summary).toContainEqual(['rows shown', 'outcome failed']);
});
