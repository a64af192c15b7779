import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeXlsx } from '../../../src/report/xlsx.js';
import { testFolder } from '../../kit/folder.js';
import { rowReport, runReport } from './rows.js';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { MODES, type Problem } from '../../../src/core/outcome.js';
import type { RowReport } from '../../../src/core/report.js';
import { writeParquet } from '../../../src/report/parquet.js';
import { readFile } from 'node:fs/promises';
import { writeHtml } from '../../../src/report/html.js';
import { reportJsonl, reportText } from '../../../src/report/lines.js';
import ExcelJS from 'exceljs';
import { tablesIn } from '../../kit/tables.js';

const CASES = tablesIn(import.meta.dirname, 'tables.yaml') as Record<string, string>;

const folder = testFolder();

describe('a workbook', () => {
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
});

describe('a file of Parquet', () => {
  async function written(rows: readonly RowReport[], change: Parameters<typeof runReport>[1] = {}) {
    const path = join(folder, 'report.parquet');
    await writeParquet(path, { ...runReport(rows, change), rowsAgain: () => rows });
    const file = await asyncBufferFromFile(path);
    const metadata = await parquetMetadataAsync(file);
    const types = Object.fromEntries(
      metadata.schema
        .slice(1)
        .map(({ name, type, converted_type }) => [name, converted_type ?? type]),
    );
    return { metadata, types, objects: await parquetReadObjects({ file }) };
  }

  it('has the columns of the report with their types, and cells that read back as they were', async () => {
    const { types, objects, metadata } = await written([
      rowReport(),
      rowReport({
        row: 3,
        uuid: null,
        identifiers: [null, '=HYPERLINK("x")'],
        outcome: 'rejected',
        createdClientId: null,
        createResult: null,
        enqueueResult: null,
        problems: [{ column: 'Id', code: 'required', message: 'Fill it in.', value: null }],
      }),
    ]);
    expect(types).toEqual(CASES);
    expect(objects).toMatchObject([
      {
        ...{ row: 2n, sheet: null, offerId: 1001n, outcome: 'enqueued', createdClientId: 17n },
        ...{ problems: null, problemCodes: null, verdict: null, differences: null },
        ...{ file: '/data/leads.csv', run: '20261120-174500-1f3a' },
      },
      { row: 3n, offerId: null, offerDomain: '=HYPERLINK("x")', problems: 'Id: Fill it in.' },
    ]);
    expect(metadata.key_value_metadata).toContainEqual({
      key: 'run',
      value: '20261120-174500-1f3a',
    });
  });

  it.each([
    ['numbers with a fraction', [1, 2.5], 'DOUBLE'],
    ['numbers that are texts in some rows', [1, '007'], 'UTF8'],
    ['nothing', [null, null], 'UTF8'],
  ])('gives identifiers that are %s the type that holds them all', async (_, values, type) => {
    const rows = values.map((value) => rowReport({ identifiers: [value, 'x'] }));
    const { types, objects } = await written(rows);
    expect(types['offerId']).toBe(type);
    const held = values.map((value) => (type === 'UTF8' && value !== null ? String(value) : value));
    expect(objects.map(({ offerId }) => offerId as unknown)).toEqual(held);
  });

  it('has the same columns and types in every mode', async () => {
    const { types } = await written([rowReport()]);
    for (const mode of [...MODES, 'undo', 'reconcile'] as const)
      expect((await written([rowReport()], { mode })).types).toEqual(types);
  });

  it('writes groups of rows as they fill, the last one too, and a whole file of no rows', async () => {
    const rows = Array.from({ length: 20_001 }, (_, at) => rowReport({ ordinal: at, row: at + 2 }));
    const { metadata, objects } = await written(rows);
    expect(metadata.row_groups.map(({ num_rows }) => num_rows)).toEqual([20_000n, 1n]);
    expect(objects.map(({ row }) => Number(row))).toEqual(rows.map(({ row }) => row));
    expect((await written([])).metadata.num_rows).toBe(0n);
  });

  it('holds texts of identifiers of which a run that is under way may still change the type', async () => {
    const { types } = await written([rowReport()], { state: 'running' });
    expect(types).toMatchObject({ row: 'INT64', offerId: 'UTF8' });
  });
});

describe('values that are left out', () => {
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
});
