import { expect, it } from 'vitest';
import type { Outcome } from '../../../src/core/outcome.js';
import { trendPoints, trendsOf } from '../../../src/report/trend.js';
import { trendText } from '../../../src/report/trend-text.js';
import { rowReport, runReport } from './rows.js';

const DAY = 24 * 3600 * 1000;

function points(run: string, day: number, inputs: string[], outcomes: Outcome[][]) {
  const rows = outcomes.flatMap((its, input) =>
    its.map((outcome, at) =>
      rowReport({
        ordinal: at,
        input,
        outcome,
        problems:
          outcome === 'rejected'
            ? [{ column: 'Phone', code: 'bad', message: 'No phone.', value: 'private' }]
            : [],
      }),
    ),
  );
  return trendPoints(runReport(rows, { run, inputs, createdAt: day * DAY }).run, rows);
}

const POINTS = [
  ...points(
    'later',
    2,
    ['/in/vendor-20261102.csv'],
    [['enqueued', 'rejected', 'failed', 'rejected']],
  ),
  ...points(
    'early',
    1,
    ['/in/vendor-20261101.csv', '/in/other.csv'],
    [['enqueued', 'enqueued', 'skipped', 'rejected'], ['created']],
  ),
];

it('puts the files of a vendor in one row of time, whatever the date in their names', () => {
  const trends = trendsOf(POINTS);
  expect(trends.map(({ source }) => source)).toEqual(['vendor-#.csv', 'other.csv']);
  expect(trends[0]?.points).toMatchObject([
    { run: 'early', rows: 4, rejectRate: 0.25, badRate: 0.25 },
    {
      run: 'later',
      rows: 4,
      rejectRate: 0.5,
      badRate: 0.75,
      rejects: [{ column: 'Phone', rows: 2 }],
    },
  ]);
});

it('shows the decline', () => {
  const text = trendText('leads.yaml', trendsOf(POINTS));
  expect(text).toMatch(/later +4 +50\.0 % +\+25\.0 +75\.0 %\n +2 {2}Phone: No phone\.\n/);
});

it('holds no values of rows', () => {
  const trends = trendsOf(POINTS);
  expect(trendText('leads.yaml', trends) + JSON.stringify(trends)).not.toContain('private');
});

it.each([40, 74, 75, 80, 120])('fits a terminal of %i columns', (width) => {
  const long = points(
    '20261120-174500-1f3a',
    3,
    ['/in/a-list-of-a-vendor-with-a-long-name-of-its-own-for-every-region.csv'],
    [['rejected', 'enqueued']],
  ).map((point) => ({
    ...point,
    rejects: point.rejects.map((reason) => ({
      ...reason,
      message: 'No phone number of it. '.repeat(9),
    })),
  }));
  const trends = trendsOf([...POINTS, ...long]);
  const name = `${'mappings/of/a/vendor/'.repeat(5)}leads.yaml`;
  const lines = trendText(name, trends, width).split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
  const text = lines.join(' ').replaceAll(/\s+/g, ' ');
  for (const part of [
    '20261120-174500-1f3a',
    '50.0 %',
    '+25.0',
    '75.0 %',
    'No phone number of it.',
  ])
    expect(text).toContain(part);
  expect(trendText(name, trends)).toContain(name);
});
