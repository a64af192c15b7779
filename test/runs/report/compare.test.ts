import { expect, it } from 'vitest';
import type { Outcome } from '../../../src/core/outcome.js';
import { differences, noCounts, comparisonText } from '../../../src/report/compare.js';
import { rowReport, runReport } from './rows.js';

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
  const found = [...differences(() => EARLIER, LATER, counts)];
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
  const text = comparisonText(
    pair,
    differences(() => EARLIER, LATER, counts),
    counts,
  );
  expect(text).toContain('from first to second');
  expect(text).toMatch(/^changed +1 {2}ended differently$/m);
  expect(text).toContain('failed -> enqueued: 1\n  row 2  b\n');
});

it.each([50, 80])('fits a terminal of %i columns', (width) => {
  const counts = noCounts();
  const pair = {
    earlier: runReport([], { run: '20261120-174500-1f3a', inputs: ['/in/leads of march.csv'] }).run,
    later: runReport([], { run: '20261121-174500-1f3a', inputs: ['/in/leads of april.csv'] }).run,
  };
  const uuid = '5e6c1f6e-6d0f-4b3e-9a57-0c2f6f0a8a11';
  const later = [rowReport({ row: 2, sheet: 'Leads of April', uuid, outcome: 'created' })];
  const found = differences(() => EARLIER, later, counts);
  const lines = comparisonText(pair, found, counts, width).split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
  const text = lines.join(' ').replaceAll(/\s+/g, ' ');
  expect(text).toContain('from 20261120-174500-1f3a to 20261121-174500-1f3a');
  expect(text).toContain(uuid);
});

it('follows rows into the rejects, by their identifiers where the uuid is another', () => {
  const row = (uuid: string, id: string, outcome: Outcome) =>
    rowReport({ uuid, identifiers: [id], outcome });
  const earlier = [row('a', '1', 'created'), row('b', '2', 'rejected'), row('c', '3', 'rejected')];
  const counts = noCounts();
  const found = [...differences(() => earlier, [row('x', '2', 'created')], counts, true)];
  expect(found).toMatchObject([
    { kind: 'changed', uuid: 'b', before: 'rejected', after: 'created' },
    { kind: 'gone', uuid: 'c', before: 'rejected' },
  ]);
  expect(counts).toMatchObject({ new: 0, gone: 1, changed: 1, endedWell: 1 });
});
