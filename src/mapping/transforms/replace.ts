import { z } from 'zod';
import { someText } from '../../config/scalar.js';
import { transform } from './kind.js';
import { compilePattern } from './pattern.js';
import { onText } from './step.js';

const options = z
  .strictObject({
    pattern: someText
      .optional()
      .describe(
        'Regular expression in RE2 syntax (linear time, no look-around, no back-references).',
      ),
    text: someText.optional().describe('Plain text to look for, in place of a pattern.'),
    with: z
      .string()
      .default('')
      .describe('What takes its place; $1 is the first group of a pattern. Default: nothing.'),
  })
  .refine(
    ({ pattern, text }) => (pattern === undefined) !== (text === undefined),
    'give either "pattern" (a regular expression) or "text" (plain text).',
  )
  .describe('Replaces every occurrence.');

export const replace = transform(options, (options, path, context) => {
  const { pattern, text, with: put } = options;
  if (text !== undefined) return onText((value) => value.replaceAll(text, () => put));
  const expression = compilePattern(pattern ?? '', [...path, 'pattern'], context);
  const groups = expression.groupCount();
  for (const [reference, number] of put.matchAll(/\$(\d+)/g)) {
    if (Number(number) > groups) {
      context.mistake(
        [...path, 'with'],
        `${reference} names a group that the pattern does not have.`,
      );
    }
  }
  return onText((value) =>
    expression.test(value) ? expression.matcher(value).replaceAll(put) : value,
  );
});
