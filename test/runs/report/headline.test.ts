import { expect, it } from 'vitest';
import type { Outcome } from '../../../src/core/outcome.js';
import { headline } from '../../../src/report/html/headline.js';
import { RowTally } from '../../../src/report/rows.js';
import { rowReport, runReport } from './rows.js';

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

it.each<[Outcome[], string]>([
  [['match', 'match'], 'Every row matches: 2 rows compared'],
  [['match', 'skipped', 'skipped'], 'Every row that was compared matches: 1 row; 2 rows left out'],
  [['skipped'], 'No row was compared: 1 row left out'],
  [[], 'No row was compared'],
  [['match', 'missing', 'skipped'], '1 row does not match'],
])('a comparison says of rows that were left out that they were: %j', (outcomes, words) => {
  expect(headlineOf(outcomes)).toContain(words);
});

it.each<[Outcome[], Parameters<typeof runReport>[1], string]>([
  [['created', 'created'], {}, 'No row needs you: 2 rows ended well'],
  [['created', 'skipped'], {}, 'No row needs you: 1 row ended well, 1 left out'],
  [['skipped', 'skipped'], {}, 'Nothing was sent: 2 rows left out'],
  [[], {}, 'There are no rows'],
  [[], { state: 'stopped' }, 'No row has ended yet'],
  [['undone', 'undone'], { mode: 'undo' }, 'No row needs you: 2 rows taken back'],
  [['undone', 'skipped'], { mode: 'undo' }, 'No row needs you: 1 row taken back, 1 left out'],
  [['skipped'], { mode: 'undo' }, 'Nothing was taken back: 1 row left out'],
])('an import or an undo says what happened to the rows: %j %j', (outcomes, run, words) => {
  expect(headlineOf(outcomes, run)).toBe(words);
});

it('a run that was taken back says that, however its rows had ended', () => {
  expect(headlineOf(['created', 'failed'], {}, true)).toBe('This run was taken back');
});
