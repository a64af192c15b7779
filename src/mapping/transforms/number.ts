import { z } from 'zod';
import { styleOf } from './decimal-sign.js';
import { bareTransform, type TransformContext } from './kind.js';
import { AMBIGUOUS_NUMBER, numberReader, numberText } from './number-text.js';
import { InvalidValue, onText, type Step } from './step.js';

const options = z
  .strictObject({
    decimal: z
      .enum(['.', ','])
      .optional()
      .describe(
        'Decimal sign of the cell. Default: found in each value; one that can be read in two ways is rejected.',
      ),
    thousands: z
      .enum(['.', ',', "'"])
      .optional()
      .describe(
        'Sign between thousands, beside blanks and apostrophes, which are always understood.',
      ),
  })
  .refine(
    ({ decimal, thousands }) => decimal === undefined || decimal !== thousands,
    'decimal and thousands must differ.',
  )
  .describe('Reads a number or an amount of money as people write it: 1 234,50 € becomes 1234.50.');

/** `1 234 567,80 €` becomes `1234567.80`, and `($5)` `-5`. Groups must have three digits, so that `12 34` is not taken for a number. */
export const number = bareTransform(
  options,
  () => ({}),
  ({ decimal, thousands }, _path, context) => {
    if (decimal === undefined && thousands === undefined) return anyStyle(context);
    return oneStyle(styleOf(decimal, thousands), thousands);
  },
);

function oneStyle(decimal: '.' | ',', thousands: '.' | ',' | "'" | undefined): Step {
  const read = numberReader(decimal, thousands);
  const wrong = new InvalidValue(
    'not_a_number',
    `This is not a number. Write digits, with "${decimal}" before decimals.`,
  );
  return onText((text) => read(text) ?? wrong);
}

const NOT_A_NUMBER = new InvalidValue(
  'not_a_number',
  'This is not a number. Write digits, such as 1250 or 12.5.',
);

function anyStyle(context: TransformContext): Step {
  const watch = context.watch(context.label, 'number');
  return onText((text) => {
    watch.see();
    const found = numberText(text.trim());
    if (found === null) return NOT_A_NUMBER;
    if (found.look !== 'none') watch.look(found.look);
    return found.look === 'either' ? AMBIGUOUS_NUMBER : found.text;
  });
}

const SIGN = /[.,]/;

/**
 * Refuses a text that goes into a number as it stands and means two of them. All else passes: whether it is a number is
 * asked where it becomes one.
 */
export function refuseAmbiguous(context: TransformContext): Step {
  const watch = context.watch(context.label, 'number');
  return onText((text) => {
    watch.see();
    if (!SIGN.test(text)) return text;
    const look = numberText(text.trim())?.look ?? 'none';
    if (look !== 'none') watch.look(look);
    if (look === 'comma') watch.look('unread');
    return look === 'either' ? AMBIGUOUS_NUMBER : text;
  });
}
