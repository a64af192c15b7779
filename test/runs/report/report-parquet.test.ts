import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MODES } from '../../../src/core/mode.js';
import type { RowReport } from '../../../src/core/report.js';
import { writeParquet } from '../../../src/report/parquet/report-parquet.js';
import { temporaryFolder } from './folder.js';
import { rowReport, runReport } from './rows.js';

const folder = await temporaryFolder();

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
  expect(types).toEqual({
    row: 'INT64',
    sheet: 'UTF8',
    uuid: 'UTF8',
    offerId: 'INT64',
    offerDomain: 'UTF8',
    outcome: 'UTF8',
    verdict: 'UTF8',
    createdClientId: 'INT64',
    createResult: 'UTF8',
    enqueueResult: 'UTF8',
    changeResult: 'UTF8',
    clientId: 'INT64',
    applicationStatus: 'UTF8',
    callsMade: 'INT64',
    nextCall: 'UTF8',
    callback: 'UTF8',
    differences: 'UTF8',
    problems: 'UTF8',
    problemCodes: 'UTF8',
    remarks: 'UTF8',
    file: 'UTF8',
    run: 'UTF8',
  });
  expect(objects).toMatchObject([
    {
      ...{ row: 2n, sheet: null, offerId: 1001n, outcome: 'enqueued', createdClientId: 17n },
      ...{ problems: null, problemCodes: null, verdict: null, differences: null },
      ...{ file: '/data/leads.csv', run: '20261120-174500-1f3a' },
    },
    { row: 3n, offerId: null, offerDomain: '=HYPERLINK("x")', problems: 'Id: Fill it in.' },
  ]);
  expect(metadata.key_value_metadata).toContainEqual({ key: 'run', value: '20261120-174500-1f3a' });
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
  const rows = Array.from({ length: 45_000 }, (_, at) => rowReport({ ordinal: at, row: at + 2 }));
  const { metadata, objects } = await written(rows);
  expect(metadata.row_groups.map(({ num_rows }) => num_rows)).toEqual([20_000n, 20_000n, 5_000n]);
  expect(objects.map(({ row }) => Number(row))).toEqual(rows.map(({ row }) => row));
  expect((await written([])).metadata.num_rows).toBe(0n);
});

it('holds texts of identifiers of which a run that is under way may still change the type', async () => {
  const { types } = await written([rowReport()], { state: 'running' });
  expect(types).toMatchObject({ row: 'INT64', offerId: 'UTF8' });
});
