import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { commands } from '../../../src/cli/commands/index.js';
import { parsePlaced, flow, quoted } from '../../../src/config/document.js';
import { nearest } from '../../../src/core/text.js';
import { ConfigurationError } from '../../../src/core/errors.js';

describe('the nearest of some names', () => {
  const names = [...new Set(commands.flatMap(({ name, optionNames }) => [name, ...optionNames]))];

  it('finds a name again when one character of it is missing', () => {
    const long = names.filter((name) => name.length > 3);
    fc.assert(
      fc.property(fc.constantFrom(...long), fc.nat(), (name, at) => {
        const position = at % name.length;
        const mistyped = name.slice(0, position) + name.slice(position + 1);
        expect(nearest(mistyped, [name])).toBe(name);
      }),
    );
  });

  it.each([
    ['completely-different', names, undefined],
    ['import', [], undefined],
    // A beginning is taken for the name, unless several have it.
    ['inst', ['installation', 'mapping'], 'installation'],
    ['map', ['mapping file', 'mapping folder'], undefined],
    ['e-mail', ['Phone', 'E Mail'], 'E Mail'],
  ])('to %s is not far, or none', (name, among, found) => {
    expect(nearest(name, among)).toBe(found);
  });
});

describe('a text that is nested', () => {
  const MAX = 100;

  /** The mistake of a text, or `null`. */
  function mistakeOf(text: string) {
    try {
      parsePlaced('deep.yaml', text);
      return null;
    } catch (error) {
      if (error instanceof ConfigurationError) return error.mistakes[0];
      throw error;
    }
  }

  it.each([
    ['brackets', '['.repeat(200_000), 1, MAX + 1],
    ['braces', `a: 1\nb: ${'{a: '.repeat(50_000)}`, 2, 4 * MAX + 4],
    ['lists in one line', '- '.repeat(100_000), 1, 501],
    ['lines further and further in', `a:\n${' '.repeat(501)}b: 1`, 2, 1],
  ])(
    'refuses a text that is nested too deeply, before it is parsed: %s',
    (_, text, line, column) => {
      expect(mistakeOf(text)).toEqual({
        ...{ file: 'deep.yaml', line, column },
        message: 'this is nested too deeply.',
        suggestion: 'Close brackets, and begin lines further left.',
      });
    },
  );

  it('goes by brackets that mean something', () => {
    const many = '[{'.repeat(MAX);
    const text = [
      `a: "${many}"`,
      `b: '${many}'`,
      `# ${many}`,
      'c: |',
      `  ${many}`,
      `d: x${many}`,
      '',
    ];
    expect(parsePlaced('x.yaml', text.join('\n')).value).toMatchObject({ a: many, c: `${many}\n` });
  });

  it('reads whatever is nested less deeply', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2 * MAX }),
        fc.constantFrom(['[', ']'], ['{a: ', '}']),
        fc.integer({ min: 1, max: 3 }),
        (depth, [open = '', close = ''], times) => {
          const text = `${open.repeat(depth)}1${close.repeat(depth)}`;
          const whole = Array.from({ length: times }, () => `- ${text}\n`).join('');
          expect(mistakeOf(whole) === null).toBe(depth <= MAX);
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('text as YAML', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      ...['yes', 'No', 'null', '~', '1e3', '-', '', ' a', "it's", '- x', 'a: b', 'a #b', '?'],
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
});
