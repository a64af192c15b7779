import { describe, expect, it } from 'vitest';
import { allExports, type Export } from './exports.js';
import { figuresOf, suggestFor } from './figures.js';

/** As many rows of an export are looked at: more take longer, and are understood no better. */
const ROWS = 100;
/** What is asked of the suggestions, as shares. */
const ASKED = { right: 0.95, wrongAndSure: 0.01, rows: 0.9 };

const plain = allExports().filter(({ shape }) => shape === undefined);

const expectWhatIsAsked = (exports: readonly Export[]): void => {
  const { columns, right, wrongAndSure, complete, accepted, smallestShare, misses } = figuresOf(
    exports.map((each) => [each, suggestFor({ ...each, rows: each.rows.slice(0, ROWS) })]),
  );
  expect(right / columns, misses.join('\n')).toBeGreaterThanOrEqual(ASKED.right);
  expect(wrongAndSure / columns, misses.join('\n')).toBeLessThanOrEqual(ASKED.wrongAndSure);
  // A set without complete exports would show nothing of the drafts.
  expect(complete).toBeGreaterThan(exports.length / 2);
  expect(accepted, misses.join('\n')).toBe(complete);
  expect(smallestShare, misses.join('\n')).toBeGreaterThanOrEqual(ASKED.rows);
};

describe('what is suggested for exports', () => {
  it('has a set that is large enough', () => {
    expect(plain.length).toBeGreaterThanOrEqual(42);
    expect(plain.flatMap(({ columns }) => columns).length).toBeGreaterThanOrEqual(770);
    expect(new Set(plain.map(({ language }) => language)).size).toBe(17);
  });

  it('is what a person would choose', () => {
    expectWhatIsAsked(plain.filter(({ heldOut }) => !heldOut));
  });

  it('is so as well for those that were held out', () => {
    expectWhatIsAsked(plain.filter(({ heldOut }) => heldOut));
  });
});
