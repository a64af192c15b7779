import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FrequentValues } from '../../../src/run/problems.js';

const values = fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }).map(String), fc.boolean()), {
  maxLength: 300,
});

it('never counts a value too often, and says where it may have counted too few', () => {
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 40 }), (added, max) => {
      const counts = new FrequentValues(max);
      for (const [value, alone] of added) counts.add(value, alone);
      const top = counts.top(100);
      expect(top.length).toBeLessThanOrEqual(2 * max);
      for (const { value, rows, alone, isMin } of top) {
        const all = added.filter(([one]) => one === value);
        if (!isMin) expect(rows).toBe(all.length);
        expect(rows).toBeLessThanOrEqual(all.length);
        expect(alone).toBeLessThanOrEqual(rows);
      }
      expect(top.map(({ rows }) => rows)).toEqual(
        top.map(({ rows }) => rows).toSorted((a, b) => b - a),
      );
    }),
  );
});

it('keeps what occurs often among much that occurs once', () => {
  const counts = new FrequentValues(10);
  for (let at = 0; at < 10_000; at++) counts.add(at % 3 === 0 ? 'none' : `one ${at}`, true);
  expect(counts.top(1)).toEqual([{ value: 'none', rows: 3334, alone: 3334, isMin: false }]);
  expect(counts.hasMoreThan(1)).toBe(true);
});
