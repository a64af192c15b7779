import { comparedWord, lowerCase } from '../../core/cell-text.js';
import { z } from 'zod';
import { scalar } from '../../config/scalar.js';
import { bareTransform } from './kind.js';
import { InvalidValue, onText } from './step.js';

/** Words that mean yes and no where the mapping names none. */
export const YES = ['true', 'yes', 'y', '1', 'да'];
export const NO = ['false', 'no', 'n', '0', 'нет'];

const options = z
  .strictObject({
    true: z
      .array(scalar)
      .min(1)
      .optional()
      .describe('Words that mean yes. Default: true, yes, y, 1, да.'),
    false: z
      .array(scalar)
      .min(1)
      .optional()
      .describe('Words that mean no. Default: false, no, n, 0, нет.'),
  })
  .describe('Reads yes and no in words, in any case of letters: gives true or false.');

export const boolean = bareTransform(
  options,
  () => ({}),
  (options, path, context) => {
    const yes = wordsOf(options.true ?? YES);
    const no = wordsOf(options.false ?? NO);
    for (const word of no) {
      if (yes.has(word)) context.mistake(path, `"${word}" means both true and false.`);
    }
    const wrong = new InvalidValue(
      'not_a_boolean',
      `This is neither yes nor no. Write ${[...yes].join(', ')} or ${[...no].join(', ')}.`,
    );
    return onText((text) => {
      const word = lowerCase(text.trim());
      if (yes.has(word)) return 'true';
      return no.has(word) ? 'false' : wrong;
    });
  },
);

function wordsOf(words: readonly (string | number | boolean)[]): Set<string> {
  return new Set(words.map((word) => lowerCase(comparedWord(word))));
}
