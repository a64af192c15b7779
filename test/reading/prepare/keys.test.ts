import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KEY_WORDS } from '../../../src/core/prepared.js';
import { duplicatesBy, kindOfKey, keysOf } from '../../../src/core/duplicates.js';
import {
  type ComparedClient,
  keysBy,
  phonesText,
  WordWriter,
} from '../../../src/prepare/client-columns.js';

const BY_PHONE = duplicatesBy('phone');
const BY_BOTH = duplicatesBy('sync', 'phone');
const OVER_TIME = { ...BY_BOTH, within: 'runs' } as const;

const client = (compared: ComparedClient['compared']): ComparedClient => ({
  ...{ uuid: 'ce778ce6-87bf-5eac-8655-4d2526cabe8f', identifiers: [7, 'shop'], compared },
});

function keys(rule: typeof BY_PHONE, of: ComparedClient, derivedUuid = true): Uint32Array {
  const words = new WordWriter();
  keysBy(rule, derivedUuid, true)(words, of);
  return words.take();
}

/** Numbers as they are: up to 15 digits. */
const numbers = fc.oneof(
  fc.integer({ min: 79_000_000_000, max: 79_000_000_900 }),
  fc.maxSafeNat().map((number) => number % 1e15),
);

test.each([
  ['a file', BY_PHONE],
  ['runs', { ...BY_PHONE, within: 'runs' } as const],
])(
  'within %s, phones have the same key where they are the same number, and only there',
  (_, rule) => {
    fc.assert(
      fc.property(numbers, numbers, (one, other) => {
        const [a, b] = [one, other].map((number) => keys(rule, client([number])).slice(-KEY_WORDS));
        expect(a!.join() === b!.join()).toBe(one === other);
      }),
    );
  },
);

test('the first two words of a number are those of no other one', () => {
  const words = new Set<string>();
  for (let number = 79_160_000_000; number < 79_160_030_000; number++)
    words.add(
      keys(BY_PHONE, client([number]))
        .slice(0, 2)
        .join(),
    );
  expect(words.size).toBe(30_000);
});

test('a key says what it is of, and what is no number has a key as well', () => {
  for (const rule of [BY_BOTH, OVER_TIME])
    for (const derived of [true, false]) {
      const found = keys(rule, client([79160000001, 'ext. 12']), derived);
      const kinds = [0, 1, 2].map((key) => kindOfKey(found, key * KEY_WORDS));
      expect(kinds).toEqual(['sync', 'phone', 'phone']);
      expect(found).toHaveLength(3 * KEY_WORDS);
    }
});

test('over time, keys depend on nothing but identifiers and numbers', () => {
  const one = keys(OVER_TIME, client([79160000001]));
  const other = { ...client([79160000001]), uuid: 'another', identifiers: ['7', 'shop'] };
  expect(keys(OVER_TIME, other, false)).toEqual(one);
});

test('the text for the ledger has the phones alone, and gives their keys again', () => {
  const found = keys(OVER_TIME, client([79160000001, 4930123456]));
  const text = phonesText(found);
  expect(text).toHaveLength(32);
  expect(keysOf(text)).toEqual(found.slice(KEY_WORDS));
  expect(phonesText(found.slice(0, KEY_WORDS))).toBe('');
});
