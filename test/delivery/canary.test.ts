import { expect, test } from 'vitest';
import { unchangedSince } from '../../src/core/duplicates.js';
import { canaryBefore, sentBefore } from '../../src/delivery/failures.js';

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
