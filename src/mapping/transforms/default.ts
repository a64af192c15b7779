import { scalar } from '../../config/scalar.js';
import { transform } from './kind.js';
import { InvalidValue } from './step.js';

const options = scalar.describe(
  'Used where there is no value, or none in the map or table before it.',
);

/** Takes the place of a value that is missing or that the map or table before it does not know; never of a wrong one. */
export const byDefault = transform(options, (constant) => {
  const text = String(constant) || null;
  return (value) =>
    value === null || (value instanceof InvalidValue && value.unmapped) ? text : value;
});
