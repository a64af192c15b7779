import type { TransformOptions } from '../schema/transform.js';
import type { Kind } from './kind.js';
import { compilePattern } from './pattern.js';
import { onText } from './step.js';

export const replace: Kind<TransformOptions['replace']> = (options, path, context) => {
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
};
