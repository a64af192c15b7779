import { expect, test } from 'vitest';
import { unchangedSince } from '../../src/core/duplicates.js';
import { canaryBefore, sentBefore } from '../../src/delivery/failures.js';
import { StopRun } from '../../src/core/errors.js';
import { startRun } from '../../src/run/watch.js';

test('rows for which nothing was sent are no part of a canary', () => {
  const asBefore = unchangedSince({ run: 'r', what: 'sent', on: '2026-11-20' });
  const rows = [
    { outcome: 'unchanged', problems: [asBefore] },
    { outcome: 'skipped', problems: [] },
    { outcome: 'unchanged', problems: [] },
    { outcome: 'failed', problems: [] },
    { outcome: 'updated', problems: [] },
  ] as const;
  expect(sentBefore(rows, 2)).toEqual(['unchanged', 'failed']);
  expect(sentBefore(rows.slice(0, 2), 2)).toEqual([]);
});

test('one that was sent as a whole is decided on, where the process that sent it died', async () => {
  const sent = (count: number) => ({
    rows: () =>
      Promise.resolve(Array.from({ length: count }, () => ({ outcome: 'failed', problems: [] }))),
  });
  const before = (count: number, brokeOff: boolean) =>
    canaryBefore({ ...sent(count), continued: true, brokeOff } as never, 3);
  expect(await before(3, true)).toMatchObject({ isUndecided: true });
  expect(await before(3, false)).toMatchObject({ isUndecided: false });
  expect(await before(2, true)).toMatchObject({ isUndecided: false });
  const { outcomes, isUndecided } = await before(4, true);
  expect([outcomes.length, isUndecided]).toEqual([3, false]);
});

test('one of a run that is watched is decided on alike', async () => {
  const failed = { outcome: 'failed', problems: [] };
  const ledger = { continued: true, brokeOff: true, rows: () => Promise.resolve([failed]) };
  const run = startRun(async ({ watcher }) => {
    const before = await canaryBefore(watcher.watched(ledger as never), 1);
    throw new StopRun(`undecided: ${before.isUndecided}`);
  });
  await expect(run.result).rejects.toThrow('undecided: true');
});
