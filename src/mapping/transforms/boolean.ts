import type { TransformOptions } from '../schema/transform.js';
import type { Kind } from './kind.js';
import { InvalidValue, onText } from './step.js';

/** Words that mean yes and no where the mapping names none. */
export const YES = ['true', 'yes', 'y', '1', 'да'];
export const NO = ['false', 'no', 'n', '0', 'нет'];

export const boolean: Kind<TransformOptions['boolean']> = (options, path, context) => {
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
    const word = text.trim().toLowerCase();
    if (yes.has(word)) return 'true';
    return no.has(word) ? 'false' : wrong;
  });
};

function wordsOf(words: readonly (string | number | boolean)[]): Set<string> {
  return new Set(words.map((word) => String(word).trim().toLowerCase()));
}
