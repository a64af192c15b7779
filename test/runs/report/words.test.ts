import { describe, expect, it } from 'vitest';
import { noOutcomes, type Outcome } from '../../../src/core/outcome.js';
import {
  headline,
  REPORT_VERSION,
  summaryTable,
  writeSummary,
} from '../../../src/report/summary.js';
import { RowTally } from '../../../src/report/rows.js';
import { rowReport, runReport } from './rows.js';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RowReport, Summary } from '../../../src/core/report.js';
import { testFolder } from '../../kit/folder.js';
import { ReasonTally } from '../../../src/report/reasons.js';
import { plainWords } from '../../../src/cli/output/import-result.js';
import { tablesIn } from '../../kit/tables.js';

const CASES = tablesIn(import.meta.dirname, 'words.yaml') as {
  readonly comparisons: [Outcome[], string][];
  readonly ends: [Outcome[], Parameters<typeof runReport>[1], string][];
};

const folder = testFolder();

describe('the headline of a page', () => {
  function headlineOf(
    outcomes: readonly Outcome[],
    run: Parameters<typeof runReport>[1] = { mode: 'reconcile' },
    isTakenBack = false,
  ): string {
    const report = { ...runReport([], run), isTakenBack };
    const tally = new RowTally(report);
    for (const [ordinal, outcome] of outcomes.entries()) tally.add(rowReport({ ordinal, outcome }));
    return headline(report, tally);
  }

  it.each(CASES.comparisons)(
    'a comparison says of rows that were left out that they were: %j',
    (outcomes, words) => {
      expect(headlineOf(outcomes)).toContain(words);
    },
  );

  it.each(CASES.ends)(
    'an import or an undo says what happened to the rows: %j %j',
    (outcomes, run, words) => {
      expect(headlineOf(outcomes, run)).toBe(words);
    },
  );

  it('a run that was taken back says that, however its rows had ended', () => {
    expect(headlineOf(['created', 'failed'], {}, true)).toBe('This run was taken back');
  });
});

describe('the summary', () => {
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
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      version: REPORT_VERSION,
      ...summary,
    });
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
});

describe('reasons', () => {
  const tallied = (rows: readonly Partial<RowReport>[], most?: number) => {
    const tally = new ReasonTally(most);
    for (const [ordinal, row] of rows.entries())
      tally.add(rowReport({ ordinal, row: ordinal + 2, ...row }));
    return tally;
  };
  const refused = (createResult: string): Partial<RowReport> => ({
    outcome: 'failed',
    createResult,
  });
  const problem = (column: string, message: string) => ({
    column,
    code: 'bad',
    message,
    value: 'private',
  });

  it('counts rows by what the contact center said and by what was found in them', () => {
    const phone = problem('Phone', 'No phone.');
    const tally = tallied([
      { outcome: 'rejected', problems: [phone, phone] },
      refused('Too old.'),
      refused('Too old.'),
      {},
    ]);
    expect(tally.list()).toMatchObject([
      { outcome: 'failed', from: 'contact center', message: 'Too old.', rows: 2 },
      { outcome: 'rejected', from: 'row', column: 'Phone', rows: 1, examples: [{ row: 2 }] },
    ]);
    expect(tally.list()[1]?.examples).toEqual([
      { input: 0, sheet: null, row: 2, value: 'private' },
    ]);
  });

  it('takes messages that differ in numbers for one reason, and keeps the number that all have', () => {
    const [blacklisted, limit] = tallied([
      refused('Client 17 is known.'),
      refused('Client 4 is known.'),
      refused('Client 5 is known.'),
      refused('At most 25 characters.'),
      refused('At most 25 characters.'),
    ]).list();
    expect(blacklisted).toMatchObject({ message: 'Client … is known.', rows: 3 });
    expect(limit).toMatchObject({ message: 'At most 25 characters.', rows: 2 });
  });

  it('keeps no more reasons and examples than it may, and says how many it left out', () => {
    const letters = Array.from({ length: 20 }, (_, index) => String.fromCharCode(97 + index));
    const tally = tallied(
      [...letters.map(refused), ...Array.from({ length: 9 }, () => refused('a'))],
      4,
    );
    expect(tally.list()).toHaveLength(4);
    expect(tally.list()[0]).toMatchObject({ message: 'a', rows: 10 });
    expect(tally.list()[0]?.examples).toHaveLength(5);
    expect(tally.unlisted).toBe(16);
  });

  it('counts what a comparison found: a field that differs is one reason, whatever its values', () => {
    const different = (sheet: string): Partial<RowReport> => ({
      outcome: 'different',
      inspection: {
        verdict: 'different',
        clientId: 1,
        differences: [{ field: 'fullName', sheet, center: 'B' }],
        application: null,
      },
    });
    const missing: Partial<RowReport> = {
      outcome: 'missing',
      inspection: { verdict: 'missing', clientId: null, differences: [], application: null },
    };
    const tally = tallied([different('A'), missing, different('C')]);
    expect(tally.list()).toMatchObject([
      { outcome: 'different', from: 'comparison', column: 'fullName', rows: 2 },
      { outcome: 'missing', from: 'comparison', column: null, rows: 1, examples: [{ row: 3 }] },
    ]);
  });
});

describe('words of the contact center', () => {
  it.each([
    [
      'Client with identifiers: [offerId=7] is deleted; recovery restores it',
      'Client with identifiers: […] is deleted; recovery restores it',
    ],
    ['Client Anna Sidorova is in blacklist', 'Client … is in blacklist'],
    ["Client doesn't have “a value” (7)", "Client doesn't have “…” (…)"],
    ['Invalid token tk-55.ab_c for anna@example.com', 'Invalid … for …'],
  ])('keeps of %j what no client has', (said, shown) => {
    expect(plainWords(said)).toBe(shown);
  });
});
