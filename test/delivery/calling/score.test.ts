import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  QUALITY_PART_NAMES,
  QUALITY_PARTS,
  type QualityPart,
  scoreOf,
  addQuality,
  noQuality,
  type QualityRow,
} from '../../../src/core/quality.js';
import { weightsOf } from '../../../src/run/list.js';
import { addCounts } from '../../../src/run/check.js';

const problem = (code: string) => ({ column: null, code, message: code, value: null });
const CODES = [
  ...QUALITY_PART_NAMES.flatMap((part) => QUALITY_PARTS[part].codes),
  ...['required', 'filtered', 'done_before', 'opens_later'],
];
const row: fc.Arbitrary<QualityRow> = fc
  .record({
    outcome: fc.constantFrom('sent', 'rejected', 'skipped'),
    codes: fc.array(fc.constantFrom(...CODES), { minLength: 1, maxLength: 3 }),
    remarked: fc.array(fc.constantFrom(...CODES), { maxLength: 2 }),
    zoneFrom: fc.constantFrom('phone', 'ambiguous', 'default', undefined),
  })
  .map(({ outcome, codes, remarked, zoneFrom }) => ({
    outcome,
    problems: outcome === 'sent' ? [] : codes.map(problem),
    ...(remarked.length > 0 ? { remarks: remarked.map(problem) } : {}),
    zoneFrom,
  }));
const ALL = weightsOf(new Set(QUALITY_PART_NAMES));

function counted(rows: readonly QualityRow[]) {
  const counts = noQuality();
  for (const one of rows) addQuality(counts, one);
  return counts;
}

describe('the score of a list', () => {
  it('lies between 0 and 100, and is 100 where nothing is wrong alone', () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 40 }), (rows) => {
        const counts = counted(rows);
        const quality = scoreOf(counts, ALL);
        if (counts.rows === 0) expect(quality).toBeNull();
        else {
          const faults = QUALITY_PART_NAMES.reduce((sum, part) => sum + counts.parts[part].rows, 0);
          expect(quality!.score).toBeGreaterThanOrEqual(0);
          expect(quality!.score === 100).toBe(faults === 0);
          expect(quality!.lost).toBeLessThanOrEqual(quality!.rows);
          for (const { points, of, lost, rows: its } of Object.values(quality!.parts)) {
            expect(points).toBeLessThanOrEqual(of);
            expect(lost).toBeLessThanOrEqual(its);
          }
        }
      }),
    );
  });

  it('is the same, however the rows are divided', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 20 }), fc.array(row, { maxLength: 20 }), (a, b) => {
        const sum = counted(a);
        addCounts(sum, counted(b));
        expect(sum).toEqual(counted([...a, ...b]));
      }),
    );
  });

  it('has no part that was not looked at, and shares its points among the others', () => {
    const looked = new Set<QualityPart>(['phones', 'complete']);
    const counts = counted([
      { outcome: 'sent', problems: [] },
      { outcome: 'rejected', problems: [problem('not_a_phone')] },
      { outcome: 'sent', problems: [], remarks: [problem('not_a_phone')] },
      { outcome: 'rejected', problems: [problem('required')] },
    ]);
    const quality = scoreOf(counts, weightsOf(looked, { phones: 30, complete: 10 }), 2.5);
    expect(quality).toEqual({
      score: 56,
      ...{ rows: 4, lost: 2, price: 2.5, cost: 5 },
      parts: {
        phones: { points: 37.5, of: 75, rows: 2, lost: 1 },
        complete: { points: 18.8, of: 25, rows: 1, lost: 1 },
      },
    });
  });

  it('counts what the mapping leaves out neither as good nor as bad', () => {
    const counts = counted([
      { outcome: 'skipped', problems: [problem('filtered')] },
      { outcome: 'skipped', problems: [problem('done_before')] },
      { outcome: 'skipped', problems: [problem('opens_later')] },
      { outcome: 'skipped', problems: [problem('duplicate_phone')] },
    ]);
    expect(counts).toMatchObject({ rows: 3, lost: 1, parts: { unique: { rows: 1, lost: 1 } } });
  });
});
