import { expect, it } from 'vitest';
import { plainWords } from '../../../src/cli/output/import-result.js';

it.each([
  [
    'Client with identifiers: [offerId=7] is deleted; recovery restores it',
    'Client with identifiers: […] is deleted; recovery restores it',
  ],
  ['Client Anna Sidorova is in blacklist', 'Client … is in blacklist'],
  ["Client doesn't have “a value” (7)", "Client doesn't have “…” (…)"],
  ['Invalid token tk-55.ab_c for anna@example.com', 'Invalid … for …'],
])('keeps of %j what no client has', (said, shown) => {
  expect(plainWords(said)).toBe(shown);
});
