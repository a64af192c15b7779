import { expect, it } from 'vitest';
import type { Outcome } from '../../src/core/outcome.js';
import { headline } from '../../src/report/html/headline.js';
import { RowTally } from '../../src/report/row-tally.js';
import { rowReport, runReport } from './rows.js';

function headlineOf(outcomes: readonly Outcome[]): string {
  const report = runReport([], { mode: 'reconcile' });
  const tally = new RowTally(report);
  for (const [ordinal, outcome] of outcomes.entries()) tally.add(rowReport({ ordinal, outcome }));
  return headline(report, tally);
}

it.each<[Outcome[], string]>([
  [['match', 'match'], 'Every row matches: 2 rows compared'],
  [['match', 'skipped', 'skipped'], 'Every row that was compared matches: 1 row; 2 rows left out'],
  [['skipped'], 'No row was compared: 1 row left out'],
  [[], 'No row was compared'],
  [['match', 'missing', 'skipped'], '1 row does not match'],
])('a comparison says of rows that were left out that they were: %j', (outcomes, words) => {
  expect(headlineOf(outcomes)).toContain(words);
});
