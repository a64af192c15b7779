import type { CardField } from '../installation/installation.js';
import { isBlank } from './validate-value.js';
import { invalid } from './refusal.js';

/** Value of a card field as it is kept: numbers for Number fields, text for the others; `null` when unset. */
export type CardValue = string | number | null;

const NUMBER = /^[+-]?\d+(\.\d+)?$/;

/**
 * A given value in the form in which it is kept. A number may come as text (`"42"`), since query parameters always do,
 * and text may come as a number; a blank value unsets the field.
 * @throws Refusal when the value does not fit the field's type or is not among its values.
 */
export function cardValue(name: string, field: CardField, value: unknown): CardValue {
  if (isBlank(value)) return null;
  return field.type === 'Number' ? numberOf(name, value) : textOf(name, field, value);
}

/** The number that a value means, exactly; `undefined` when it means none. */
export function exactNumber(value: unknown): number | undefined {
  const given = typeof value === 'string' && NUMBER.test(value.trim()) ? Number(value) : value;
  if (typeof given !== 'number' || !Number.isFinite(given)) return undefined;
  return Number.isInteger(given) && !Number.isSafeInteger(given) ? undefined : given;
}

function numberOf(name: string, value: unknown): number {
  const given = exactNumber(value);
  if (given === undefined) throw invalid(`Field [${name}] must be a number.`);
  return given;
}

function textOf(name: string, field: CardField, value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    throw invalid(`Field [${name}] must be text.`);
  }
  const text = String(value);
  if (field.type !== 'TextField' && field.values && !field.values.includes(text)) {
    throw invalid(`Field [${name}] must be one of ${field.values.join(', ')}.`);
  }
  return text;
}
