import type { TransformOptions } from '../schema/transform.js';
import type { Kind } from './kind.js';
import { InvalidValue } from './step.js';

/** Takes the place of a value that is missing or that the map or table before it does not know; never of a wrong one. */
export const byDefault: Kind<TransformOptions['default']> = (constant) => {
  const text = String(constant) || null;
  return (value) =>
    value === null || (value instanceof InvalidValue && value.unmapped) ? text : value;
};
