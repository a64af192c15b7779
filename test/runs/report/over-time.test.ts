import { describe, expect, it } from 'vitest';
import { Timeline } from '../../../src/report/rows.js';
import type { Outcome } from '../../../src/core/outcome.js';
import {
  comparisonText,
  comparisonSteps,
  noCounts,
  trendPoints,
  trendsOf,
  trendText,
} from '../../../src/history/compare.js';
import { rowReport, runReport } from './rows.js';

describe('a timeline', () => {
  const START = 1_000_000;
  const answer = (at: number, milliseconds: number, status = 201) => ({
    at: START + at,
    milliseconds,
    status,
  });

  it('tells how many requests were under way, and how long they took', () => {
    const timeline = new Timeline(START);
    timeline.add(answer(100, 100));
    timeline.add(answer(199, 199));
    const [first, second] = timeline.points();
    // Both from 0 to 100; the second one alone from 100 to 199.
    expect(first).toMatchObject({ second: 0, concurrency: 2, meanLatency: null });
    expect(second).toMatchObject({ second: 0.1, concurrency: 1, meanLatency: 149.5 });
    expect(second?.longestLatency).toBe(199);
  });

  it('widens its slots for long runs, and loses no answer', () => {
    const timeline = new Timeline(START, 10);
    for (let at = 50; at <= 60_000; at += 50) timeline.add(answer(at, 50));
    const points = timeline.points();
    expect(points.length).toBeGreaterThan(4);
    expect(points.length).toBeLessThanOrEqual(10);
    const width = points[1]!.second;
    const whole = points.slice(0, -1);
    for (const { concurrency } of whole) expect(concurrency).toBeCloseTo(1, 5);
    // The last slot is only begun: what it has, the others lack.
    const carried = whole.reduce(
      (sum, { completedPerSecond }) => sum + completedPerSecond * width,
      0,
    );
    expect(carried).toBeGreaterThan(0.9);
    expect(carried).toBeLessThanOrEqual(1);
  });

  it('counts no rows for answers that carried none', () => {
    const timeline = new Timeline(START);
    timeline.add(answer(40, 10, 503));
    timeline.add(answer(50, 10, 429));
    expect(timeline.points()).toMatchObject([{ completedPerSecond: 0, meanLatency: 10 }]);
  });

  it('takes answers of which only the sums are known as if they had come evenly', () => {
    const timeline = new Timeline(START);
    const sums = { answers: 4, milliseconds: 160, longest: 70, within: 300, status: 200 };
    timeline.addSeveral({ ...sums, at: START + 399 });
    timeline.addSeveral({
      answers: 1,
      milliseconds: 9,
      longest: 9,
      within: 0,
      status: 200,
      at: START + 399,
    });
    const points = timeline.points();
    expect(points).toHaveLength(4);
    expect(Math.max(...points.map(({ longestLatency }) => longestLatency ?? 0))).toBe(70);
    const carried = points.reduce(
      (sum, { completedPerSecond }) => sum + completedPerSecond / 10,
      0,
    );
    expect(carried).toBeCloseTo(1, 1);
  });

  it('tells the first changes of the limits, and how many there were beyond', () => {
    const timeline = new Timeline(START);
    const change = { concurrency: 6, batchSize: 500, reason: 'answers come as quickly' };
    for (let at = 0; at < 502; at++) timeline.addChange({ ...change, at: START + at });
    const { changes, left } = timeline.result();
    expect(changes).toHaveLength(500);
    expect(changes[1]).toEqual({ ...change, second: 0.001 });
    expect(left).toBe(2);
  });
});

describe('a comparison of two runs', () => {
  const rowsOf = (...rows: [uuid: string | null, outcome: Outcome][]) =>
    rows.map(([uuid, outcome], ordinal) => rowReport({ ordinal, row: ordinal + 2, uuid, outcome }));
  const EARLIER = rowsOf(
    ['a', 'enqueued'],
    ['b', 'failed'],
    ['c', 'unknown'],
    [null, 'rejected'],
    ['a', 'skipped'],
  );
  const LATER = rowsOf(['b', 'enqueued'], ['a', 'enqueued'], ['d', 'failed'], ['d', 'skipped']);

  it('tells rows that are new, gone and ended differently, each once', () => {
    const counts = noCounts();
    const found = [...comparisonSteps(() => EARLIER, LATER, counts)].filter(Boolean);
    expect(found).toMatchObject([
      { kind: 'changed', uuid: 'b', before: 'failed', after: 'enqueued', place: { row: 2 } },
      { kind: 'new', uuid: 'd', before: null, after: 'failed', place: { row: 4 } },
      { kind: 'gone', uuid: 'c', before: 'unknown', after: null, place: { row: 4 } },
    ]);
    expect(counts).toEqual({
      new: 1,
      gone: 1,
      changed: 1,
      same: 1,
      endedWell: 0,
      withoutUuid: [1, 0],
    });
  });

  it('says in words how many and which', () => {
    const counts = noCounts();
    const pair = {
      earlier: runReport([], { run: 'first' }).run,
      later: runReport([], { run: 'second' }).run,
    };
    const steps = comparisonSteps(() => EARLIER, LATER, counts);
    const text = comparisonText(pair, steps, counts);
    expect(text).toContain('from first to second');
    expect(text).toMatch(/^changed +1 {2}ended differently$/m);
    expect(text).toContain('failed -> enqueued: 1\n  row 2  b\n');
  });

  it.each([50, 80])('fits a terminal of %i columns', (width) => {
    const counts = noCounts();
    const pair = {
      earlier: runReport([], { run: '20261120-174500-1f3a', inputs: ['/in/leads of march.csv'] })
        .run,
      later: runReport([], { run: '20261121-174500-1f3a', inputs: ['/in/leads of april.csv'] }).run,
    };
    const uuid = '5e6c1f6e-6d0f-4b3e-9a57-0c2f6f0a8a11';
    const later = [rowReport({ row: 2, sheet: 'Leads of April', uuid, outcome: 'created' })];
    const found = comparisonSteps(() => EARLIER, later, counts);
    const lines = comparisonText(pair, found, counts, width).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
    const text = lines.join(' ').replaceAll(/\s+/g, ' ');
    expect(text).toContain('from 20261120-174500-1f3a to 20261121-174500-1f3a');
    expect(text).toContain(uuid);
  });

  it('follows rows into the rejects, by their identifiers where the uuid is another', () => {
    const row = (uuid: string, id: string, outcome: Outcome) =>
      rowReport({ uuid, identifiers: [id], outcome });
    const earlier = [
      row('a', '1', 'created'),
      row('b', '2', 'rejected'),
      row('c', '3', 'rejected'),
    ];
    const counts = noCounts();
    const later = [row('x', '2', 'created')];
    const found = [...comparisonSteps(() => earlier, later, counts, true)].filter(Boolean);
    expect(found).toMatchObject([
      { kind: 'changed', uuid: 'b', before: 'rejected', after: 'created' },
      { kind: 'gone', uuid: 'c', before: 'rejected' },
    ]);
    expect(counts).toMatchObject({ new: 0, gone: 1, changed: 1, endedWell: 1 });
  });
});

describe('a trend', () => {
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
});
