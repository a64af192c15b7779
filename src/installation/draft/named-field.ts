import { UsageError } from '../../core/errors/errors.js';
import { FIELD_TYPES } from '../schema.js';
import type { DraftField } from './draft-field.js';

/**
 * A card field that a person names: `budget:Number`, or `fullName`, which is a TextField.
 * @throws UsageError when there is no name
 */
export function namedField(text: string): DraftField {
  const at = text.lastIndexOf(':');
  const type = FIELD_TYPES.find((one) => one === text.slice(at + 1).trim());
  const name = (at < 0 || type === undefined ? text : text.slice(0, at)).trim();
  if (name === '')
    throw new UsageError(
      `--field takes the name of a card field, such as fullName or budget:Number, but got "${text}".`,
    );
  return { name, type: type ?? 'TextField', sync: false };
}
