import { comparedWord } from '../../core/cell-text.js';
import { z } from 'zod';
import { scalar } from '../../config/scalar.js';
import { transform } from './kind.js';
import { InvalidValue, onText } from './step.js';

/** Longest list of values that a message still spells out. */
const SHOWN = 12;

const options = z
  .record(z.string(), scalar)
  .refine((map) => Object.keys(map).length > 0, 'it must hold at least one pair.')
  .describe('Value of the cell to value of the card; a value that is a result already stays.');

/**
 * Replaces a value by what the map says. A value that is one of the results already stays, so that a column may hold
 * both. Any other value is unknown: the default takes its place, or the row is rejected.
 */
export const map = transform(options, (pairs) => {
  const results = new Map(
    Object.entries(pairs).map(([key, result]) => [comparedWord(key), String(result)]),
  );
  for (const result of [...results.values()]) {
    if (!results.has(result)) results.set(result, result);
  }
  const known = Object.keys(pairs).slice(0, SHOWN);
  const wrong = new InvalidValue(
    'not_in_map',
    `The mapping does not know this value. It knows: ${known.join(', ')}${
      Object.keys(pairs).length > SHOWN ? ', …' : ''
    }.`,
    true,
  );
  return onText((text) => results.get(text.trim()) ?? wrong);
});
