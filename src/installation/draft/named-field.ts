import { UsageError } from '../../core/errors.js';
import { suggestion } from '../../config/nearest.js';
import { FIELD_TYPES } from '../schema.js';
import type { DraftField } from './draft-field.js';

/**
 * A card field that a person names: `budget:Number`, or `fullName`, which is a TextField.
 * @throws UsageError when there is no name, or the type is none
 */
export function namedField(text: string): DraftField {
  const at = text.lastIndexOf(':');
  const given = at < 0 ? undefined : text.slice(at + 1).trim();
  const type = FIELD_TYPES.find((one) => one === given);
  if (given !== undefined && type === undefined)
    throw new UsageError(
      `--field ${text}: "${given}" is no type of a field. ${suggestion(given, FIELD_TYPES) ?? ''}`.trim(),
    );
  const name = (at < 0 ? text : text.slice(0, at)).trim();
  if (name === '')
    throw new UsageError(
      `--field takes the name of a card field, such as fullName or budget:Number, but got "${text}".`,
    );
  return { name, type: type ?? 'TextField', sync: false };
}
