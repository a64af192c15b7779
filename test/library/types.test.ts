import { expect, expectTypeOf, it } from 'vitest';
import * as cardline from '../../src/index.js';
import type {
  ContactCenter,
  Mode,
  OperationName,
  Outcome,
  Result,
  RowReport,
  RunResult,
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
  expectTypeOf<Result['exitCode']>().toEqualTypeOf<0 | 2 | 3 | 64 | 70>();
  expect(cardline.MODES).toContain('rekey');
});

it('takes what an import needs, and refuses what it does not know', () => {
  expectTypeOf(cardline.importFiles).parameter(0).toExtend<{
    readonly files: readonly string[];
    readonly mapping: string;
    readonly installation: string;
  }>();
  // @ts-expect-error an import needs a mapping
  const missing: cardline.ImportFilesOptions = { files: ['x.csv'], installation: 'center.yaml' };
  expect(missing).toBeDefined();
});

it('answers with one shape, whatever is done with rows', () => {
  type OnRows = 'importFiles' | 'reconcileFiles' | 'undoRun' | 'reconcileRun' | 'resumeRun';
  type Resolved = Awaited<ReturnType<(typeof cardline)[OnRows]>>;
  expectTypeOf<Resolved>().toEqualTypeOf<RunResult>();
  expectTypeOf<RunResult>().toExtend<Result>();
  expectTypeOf<cardline.CheckResult>().toExtend<Result>();
  expectTypeOf<RunResult['run']>().toBeString();
  type Shared = 'run' | 'mode' | 'rows' | 'outcomes';
  expectTypeOf<Pick<RunResult, Shared>>().toExtend<Pick<cardline.RunRecord, Shared>>();
});

it('takes one object of options in every function that works on files or runs', () => {
  const apart = new Set(['loadInstallation', 'createContactCenter', 'openApiDocument']);
  const functions = Object.entries(cardline).filter(
    ([name, value]) => typeof value === 'function' && /^[a-z]/.test(name) && !apart.has(name),
  );
  expect(functions.length).toBeGreaterThan(12);
  for (const [name, value] of functions)
    expect([name, (value as () => unknown).length]).toEqual([name, expect.toBeOneOf([0, 1])]);
});

it('reports on runs and compares them', () => {
  expectTypeOf(cardline.reportRun).returns.resolves.toHaveProperty('file').toBeString();
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
