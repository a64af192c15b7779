import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPace } from '../../src/pipeline/pace.js';
import { DEFAULT_PATIENCE, isHopeless, retryDelay } from '../../src/pipeline/retry-timing.js';

test('a retry waits within its span, and never less than the contact center asks for', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.option(fc.nat(100_000), { nil: undefined }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (attempt, after, random) => {
        const delay = retryDelay(attempt, after, random);
        expect(delay).toBeGreaterThanOrEqual(after ?? 0);
        expect(delay).toBeLessThanOrEqual((after ?? 20_000) + 200);
      },
    ),
  );
  expect(retryDelay(1, undefined, 0.5)).toBe(100);
  expect(retryDelay(3, undefined, 0.5)).toBe(400);
});

test('a run gives up soon when nothing ever worked, and late when something did', () => {
  expect(isHopeless(10_001, 0, null, DEFAULT_PATIENCE)).toBe(true);
  expect(isHopeless(10_001, 0, 0, DEFAULT_PATIENCE)).toBe(false);
  expect(isHopeless(900_001, 0, 0, DEFAULT_PATIENCE)).toBe(true);
});

test('no second holds more than is permitted', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(400), { minLength: 1, maxLength: 80 }),
      fc.integer({ min: 1, max: 50 }),
      (gaps, requestsPerSecond) => {
        const pace = createPace({ requestsPerSecond });
        let now = 0;
        const leaves = gaps.map((gap) => (now += gap) + pace.reserve(now, 1));
        for (const from of leaves) {
          const within = leaves.filter((at) => at >= from && at < from + 1000 - 1e-6);
          expect(within.length).toBeLessThanOrEqual(requestsPerSecond);
        }
      },
    ),
  );
  const pace = createPace({ clientsPerSecond: 100 });
  expect(pace.reserve(0, 200)).toBe(0);
  expect(pace.reserve(0, 1)).toBe(2000);
});
