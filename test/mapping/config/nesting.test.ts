import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parsePlaced } from '../../../src/config/document.js';
import { ConfigurationError } from '../../../src/core/errors.js';

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
])('refuses a text that is nested too deeply, before it is parsed: %s', (_, text, line, column) => {
  expect(mistakeOf(text)).toEqual({
    ...{ file: 'deep.yaml', line, column },
    message: 'this is nested too deeply.',
    suggestion: 'Close brackets, and begin lines further left.',
  });
});

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
