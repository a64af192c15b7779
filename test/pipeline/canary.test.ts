import { expect, test } from 'vitest';
import { unchangedSince } from '../../src/core/duplicates/done-by.js';
import { sentBefore } from '../../src/pipeline/canary.js';

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
