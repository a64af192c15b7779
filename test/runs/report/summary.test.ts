import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { noOutcomes } from '../../../src/core/outcome.js';
import type { Summary } from '../../../src/core/report.js';
import { REPORT_VERSION, summaryTable, writeSummary } from '../../../src/report/summary.js';
import { temporaryFolder } from './folder.js';

const folder = await temporaryFolder();

const summary: Summary = {
  mode: 'create',
  run: '20261120-180000-a1b2',
  rows: 1200,
  outcomes: { ...noOutcomes(), enqueued: 1163, rejected: 36, unknown: 1 },
  requests: 14,
  retries: 1,
  seconds: 2.345,
  rowsPerSecond: 511.7,
  state: 'finished',
  inputs: ['leads.csv'],
  campaignId: 1,
  ledger: '/data/cardline.db',
};

it('is written as JSON for its owner alone', async () => {
  const file = join(folder, 'summary.json');
  await writeSummary(file, summary);
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ version: REPORT_VERSION, ...summary });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it('is a table for the terminal', () => {
  expect(summaryTable(summary)).toBe(
    [
      'run 20261120-180000-a1b2 finished',
      'rows        1,200',
      '  enqueued  1,163    96.9 %',
      '  rejected     36     3.0 %  see report.csv',
      '  unknown       1   < 0.1 %  see report.csv',
      'requests       14  1 retry among them',
      'seconds       2.3  512 rows/s',
      '',
    ].join('\n'),
  );
});

it('divides by no row', () => {
  const empty = { ...summary, rows: 0, outcomes: noOutcomes(), rowsPerSecond: 0 };
  expect(summaryTable(empty)).not.toMatch(/NaN|Infinity/);
});
