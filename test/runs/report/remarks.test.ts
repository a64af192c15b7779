import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { expect, it } from 'vitest';
import type { Problem } from '../../../src/core/problem.js';
import { writeHtml } from '../../../src/report/html/report-html.js';
import { reportJsonl } from '../../../src/report/jsonl/report-jsonl.js';
import { reportText } from '../../../src/report/text/report-text.js';
import { writeXlsx } from '../../../src/report/xlsx/report-xlsx.js';
import { temporaryFolder } from './folder.js';
import { rowReport, runReport } from './rows.js';

const folder = await temporaryFolder();

const remark = (column: string, value: string): Problem => ({
  ...{ column, code: 'not_a_phone', message: 'Left out: This is not a phone number.', value },
});
const rows = () => [
  rowReport({ remarks: [remark('Alt', 'n/a'), remark('Home', '-')] }),
  rowReport({ ordinal: 1, row: 3, remarks: [remark('Alt', '<b>')] }),
  rowReport({
    ordinal: 2,
    row: 4,
    outcome: 'failed',
    createResult: 'No',
    remarks: [remark('Alt', 'x')],
  }),
  rowReport({ ordinal: 3, row: 5 }),
];
const COUNTED = '4 values were left out: Alt 3, Home 1';

it('text counts what was left out, and takes none of it for a reason', () => {
  const text = [...reportText(runReport(rows()))].join('');
  expect(text).toContain(`${COUNTED}\n`);
  expect(text).not.toContain('not a phone');
});

it('the page counts it, and shows it beside the reason of a row that did not end well', async () => {
  const file = join(folder, 'report.html');
  await writeHtml(file, {
    ...runReport(rows()),
    timeline: () => Promise.resolve(null),
    chosenColumns: () => null,
  });
  const page = await readFile(file, 'utf8');
  expect(page).toContain(COUNTED);
  expect(page).toContain('No; Alt: Left out: This is not a phone number. (x)');
});

it('a workbook has it by column, and with its row', async () => {
  const file = join(folder, 'report.xlsx');
  await writeXlsx(file, runReport(rows()));
  const workbook = new ExcelJS.Workbook();
  await workbook.xlsx.readFile(file);
  const cells = (sheet: string): unknown[] =>
    (workbook.getWorksheet(sheet)?.getSheetValues() ?? []).flatMap((row) => row as unknown[]);
  expect(cells('Summary')).toEqual(
    expect.arrayContaining(['left out: Alt', 3, 'left out: Home', 1]),
  );
  expect(cells('Rows')).toContain('Alt: Left out: This is not a phone number. (<b>)');
});

it('a line of JSON has it as objects', () => {
  const lines = [...reportJsonl(runReport(rows()))].join('').trim().split('\n');
  const found = lines.map((line) => (JSON.parse(line) as { remarks: unknown }).remarks);
  expect(found[0]).toEqual([remark('Alt', 'n/a'), remark('Home', '-')]);
  expect(found[3]).toEqual([]);
});
