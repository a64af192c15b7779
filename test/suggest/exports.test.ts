import { describe, expect, it } from 'vitest';
import { allExports, type Export } from './exports.js';
import { figuresOf, suggestFor } from './figures.js';

/** What is asked of the suggestions, as shares. */
const ASKED = { right: 0.95, wrongAndSure: 0.01, rows: 0.9 };

const plain = allExports().filter(({ shape }) => shape === undefined);

const holds = (exports: readonly Export[]): void => {
  const { columns, right, wrongAndSure, complete, accepted, smallestShare, misses } = figuresOf(
    exports.map((each) => [each, suggestFor(each)]),
  );
  const found = { complete, accepted, misses };
  expect(right / columns, misses.join('\n')).toBeGreaterThanOrEqual(ASKED.right);
  expect(wrongAndSure / columns, misses.join('\n')).toBeLessThanOrEqual(ASKED.wrongAndSure);
  expect(found).toEqual({ ...found, accepted: complete });
  expect(smallestShare, misses.join('\n')).toBeGreaterThanOrEqual(ASKED.rows);
};

describe('what is suggested for exports', () => {
  it('has a set that is large enough', () => {
    expect(plain.length).toBeGreaterThanOrEqual(42);
    expect(plain.flatMap(({ columns }) => columns).length).toBeGreaterThanOrEqual(770);
    expect(new Set(plain.map(({ language }) => language)).size).toBe(17);
  });

  it('is what a person would choose', () => {
    holds(plain.filter(({ heldOut }) => !heldOut));
  });

  it('is so as well for those that were held out', () => {
    holds(plain.filter(({ heldOut }) => heldOut));
  });
});
