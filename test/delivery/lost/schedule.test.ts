import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lostRequest, nextLookup } from '../../../src/delivery/sending.js';

function lookups(firstMs: number, deadlineMs: number): number[] {
  const lost = lostRequest(1000, deadlineMs);
  const at: number[] = [];
  for (let lookedAt = -Infinity; lookedAt < lost.until;) {
    lookedAt = nextLookup(lost, firstMs, lookedAt);
    at.push(lookedAt - lost.at);
  }
  return at;
}

test('what was lost is looked up soon, at growing intervals, and at the deadline', () => {
  expect(lookups(2000, 60_000)).toEqual([2000, 6000, 14_000, 30_000, 60_000]);
  expect(lookups(2000, 2000)).toEqual([2000]);
  expect(lookups(2000, 500)).toEqual([500]);
  expect(lookups(2000, 0)).toEqual([0]);
});

test('what has surely ended is looked up at once, and once', () => {
  expect(nextLookup(lostRequest(1000, 0), 2000, -Infinity)).toBe(1000);
});

test('lookups come to an end, and never after the deadline', () => {
  fc.assert(
    fc.property(fc.nat(5000), fc.nat(600_000), (firstMs, deadlineMs) => {
      const at = lookups(firstMs, deadlineMs);
      expect(at.at(-1)).toBe(deadlineMs);
      expect(at).toEqual([...new Set(at)].toSorted((a, b) => a - b));
      expect(at.length).toBeLessThan(25);
    }),
  );
});

test('a lookup that took long is not followed by those that it has passed', () => {
  const lost = lostRequest(0, 60_000);
  expect(nextLookup(lost, 2000, 20_000)).toBe(30_000);
  expect(nextLookup(lost, 2000, 45_000)).toBe(60_000);
});
