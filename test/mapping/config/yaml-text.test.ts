import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { flow, quoted } from '../../../src/config/yaml-text.js';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(
    'yes',
    'No',
    'null',
    '~',
    '1e3',
    '-',
    '',
    ' a',
    "it's",
    '- x',
    'a: b',
    'a #b',
    '?',
  ),
);

it('writes text so that YAML gives it back, as a key and as a value', () => {
  fc.assert(
    fc.property(text, text, (key, value) => {
      fc.pre(key !== '<<');
      const block = parse(`${quoted(key)}: ${quoted(value)}\n`) as object;
      expect(Object.entries(block)).toEqual([[key, value]]);
      const line = parse(`a: ${flow({ [key]: [value, 1, true] })}\n`) as { a: object };
      expect(Object.entries(line.a)).toEqual([[key, [value, 1, true]]]);
    }),
  );
});

it('leaves what needs no quotes as it is', () => {
  const plain = ['Phone 2 (home)', 'Имя', 'https://cc.example.com:8080/api'];
  expect(plain.map(quoted)).toEqual(plain);
});
