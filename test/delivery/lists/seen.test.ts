import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { TemporaryFileError } from '../../../src/core/errors.js';
import { KEY_WORDS } from '../../../src/core/prepared.js';
import { createSeenKeys } from '../../../src/lists/seen.js';
import { keyOf } from '../../kit/chunks.js';

test.each([
  ['that holds most back', 4096],
  ['that is full', 64],
])('finds exactly the keys that were added, behind a filter %s', (_, filterBytes) => {
  fc.assert(
    fc.property(fc.array(fc.nat(300), { maxLength: 400 }), (ids) => {
      // Room for 16 keys in memory: most of them have to move.
      const seen = createSeenKeys(16, filterBytes);
      const expected = new Map<number, { input: number; row: number }>();
      for (const [row, id] of ids.entries()) {
        const keys = Uint32Array.from([...keyOf('other'), ...keyOf(String(id))]);
        expect(seen.find(keys, KEY_WORDS)).toEqual(expected.get(id) ?? null);
        if (expected.has(id)) continue;
        seen.add(keys, KEY_WORDS, row % 3, row);
        expected.set(id, { input: row % 3, row });
      }
      seen.close();
    }),
    { numRuns: 40 },
  );
});

test('keeps keys apart that share words', () => {
  const seen = createSeenKeys(2);
  const keys = Uint32Array.from([1, 2, 3, 1, 2, 4, 1, 5, 3, 6, 2, 3]);
  for (let key = 0; key < 4; key++) seen.add(keys, key * KEY_WORDS, 0, key);
  for (let key = 0; key < 4; key++)
    expect(seen.find(keys, key * KEY_WORDS)).toEqual({ input: 0, row: key });
  seen.close();
});

test.each([
  ['several pages', 2000],
  ['several pages, merged and not', 110],
])(
  'finds keys in runs of %s, also where many begin alike or with the greatest words',
  (_, memory) => {
    const count = 5000;
    const seen = createSeenKeys(memory);
    const keys = new Uint32Array(count * KEY_WORDS);
    const early: number[] = [];
    for (let key = 0; key < count; key++) {
      const first = [7, -1 - (key % 50), Math.imul(key, 0x9e3779b1)][key % 3] ?? 0;
      keys.set([first, key, ~key], key * KEY_WORDS);
      if (seen.find(keys, key * KEY_WORDS) !== null) early.push(key);
      seen.add(keys, key * KEY_WORDS, key % 4, key);
    }
    expect(early).toEqual([]);
    const all = Array.from({ length: count }, (_key, key) => key);
    const found = all.map((key) => seen.find(keys, key * KEY_WORDS));
    expect(found).toEqual(all.map((key) => ({ input: key % 4, row: key })));
    seen.close();
  },
);

test('says which folder takes no more keys', () => {
  const seen = createSeenKeys(2);
  const add = (id: string): void => {
    seen.add(Uint32Array.from(keyOf(id)), 0, 0, Number(id));
  };
  add('1');
  add('2');
  vi.stubEnv('TMPDIR', '/nowhere/at/all');
  let thrown: unknown;
  try {
    add('3');
  } catch (error) {
    thrown = error;
  }
  vi.unstubAllEnvs();
  seen.close();
  expect(thrown).toBeInstanceOf(TemporaryFileError);
  expect(String(thrown)).toMatch(/\/nowhere\/at\/all.*ENOENT.*TMPDIR/);
});
