import { expect, expectTypeOf, it } from 'vitest';
import * as cardline from '../../src/index.js';
import type {
  ContactCenter,
  ImportResult,
  Mode,
  OperationName,
  Outcome,
  RowReport,
} from '../../src/index.js';

it('names every operation of the interface, with its own types', () => {
  expect(Object.keys(cardline.operations)).toHaveLength(24);
  expectTypeOf<OperationName>().toExtend<keyof ContactCenter>();
  type Task = Awaited<ReturnType<ContactCenter['campaignTask']>>;
  expectTypeOf<Task['taskId']>().toEqualTypeOf<number>();
  type Status = Parameters<ContactCenter['setPhoneStatus']>[0]['body'];
  expectTypeOf<Status['active']>().toEqualTypeOf<boolean>();
  // @ts-expect-error a campaign has a number
  const wrong: Parameters<ContactCenter['startCampaign']>[0] = { params: { campaignId: 'x' } };
  expect(wrong).toBeDefined();
});

it('tells outcomes and modes apart', () => {
  expectTypeOf<'enqueued'>().toExtend<Outcome>();
  expectTypeOf<'success'>().not.toExtend<Outcome>();
  expectTypeOf<'upsert'>().toExtend<Mode>();
  expectTypeOf<RowReport['outcome']>().toEqualTypeOf<Outcome>();
  expectTypeOf<ImportResult['exitCode']>().toEqualTypeOf<0 | 2 | 3 | 64 | 70>();
  expect(cardline.MODES).toContain('rekey');
});

it('takes what an import needs, and refuses what it does not know', () => {
  expectTypeOf(cardline.importFile).parameter(0).toBeString();
  expectTypeOf(cardline.importFile)
    .parameter(1)
    .toExtend<{ readonly mapping: string; readonly installation: string }>();
  expectTypeOf(cardline.importFiles).returns.resolves.toEqualTypeOf<ImportResult>();
  // @ts-expect-error an import needs a mapping
  const missing: Parameters<typeof cardline.importFile>[1] = { installation: 'center.yaml' };
  expect(missing).toBeDefined();
});

it('reports on runs and compares them', () => {
  expectTypeOf(cardline.writeReportFile).returns.resolves.toBeString();
  expectTypeOf<cardline.ReportFormat>().toEqualTypeOf<
    'csv' | 'jsonl' | 'xlsx' | 'html' | 'parquet' | 'text'
  >();
  expectTypeOf(cardline.compareRuns).returns.resolves.toHaveProperty('changed').toBeNumber();
  expectTypeOf<cardline.Verdict>().toExtend<Outcome>();
  // @ts-expect-error a workbook is not printed line by line
  const wrong: Parameters<typeof cardline.reportLines>[0] = { run: 'x', format: 'xlsx' };
  expect(wrong).toBeDefined();
  expect(cardline.REPORT_FORMATS).toContain('parquet');
});

it('has errors that say what the caller can do', () => {
  expectTypeOf<cardline.RefusedError>().toExtend<cardline.ContactCenterError>();
  expectTypeOf<cardline.TryLaterError['retryAfterMs']>().toEqualTypeOf<number | undefined>();
  const error = new cardline.RefusedError('Campaign not found', 'createCallback', 404);
  expect([error.exitCode, error.errorMessage]).toEqual([2, 'Campaign not found']);
});
