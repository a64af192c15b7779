import { expect, it } from 'vitest';
import { threadsForTexts } from '../../src/app/inputs/reader-threads.js';

const LARGE = 100_000_000;

it.each([
  ['a check on one processor', { purpose: 'check', processors: 1, bytes: LARGE }, 1],
  ['a check on two', { purpose: 'check', processors: 2, bytes: 100 }, 2],
  ['a check on many', { purpose: 'check', processors: 64, bytes: LARGE }, 2],
  ['an import on two processors', { purpose: 'send', processors: 2, bytes: LARGE }, 1],
  ['an import on four', { purpose: 'send', processors: 4, bytes: LARGE }, 2],
  ['a small import on four', { purpose: 'send', processors: 4, bytes: 1_000_000 }, 1],
] as const)('%s has threads as it is worth', (_name, texts, threads) => {
  expect(threadsForTexts(texts)).toBe(threads);
});
