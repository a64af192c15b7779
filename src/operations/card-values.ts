import type { FieldValue } from '../core/client.js';
import type { CardField, Installation } from '../installation/installation.js';
import { toField } from '../mapping/compile/convert.js';
import { suggestion } from '../config/nearest.js';
import { InvalidValue } from '../mapping/transforms/step.js';
import type { AddMistake } from './add-mistake.js';

/** `name=value` texts as names and values. The first `=` parts them. */
export function pairsOf(texts: readonly string[], addMistake: AddMistake): Map<string, string> {
  const pairs = new Map<string, string>();
  for (const text of texts) {
    const at = text.indexOf('=');
    const name = text.slice(0, at).trim();
    if (at < 0 || name === '') addMistake(`takes name=value, but got "${text}".`);
    else if (pairs.has(name)) addMistake(`"${name}" is given twice.`, 'Keep one of them.');
    else pairs.set(name, text.slice(at + 1));
  }
  return pairs;
}

/** A value typed by the card configuration: a number for a Number, else text that the field allows. */
export function typedValue(
  name: string,
  field: CardField,
  text: string,
  addMistake: AddMistake,
): string | number | undefined {
  if (text.trim() === '' && (field.sync || field.required)) {
    addMistake(`"${name}" must not be blank.`);
    return undefined;
  }
  // An empty value unsets a field, of whatever type.
  if (text === '') return text;
  const value = toField(field)(text);
  if (!(value instanceof InvalidValue)) return value;
  addMistake(`"${name}": ${value.message}`);
  return undefined;
}

/** Custom card fields from `name=value` texts, typed by the card configuration. */
export function cardFieldsOf(
  texts: readonly string[],
  card: Installation['card'],
  addMistake: AddMistake,
): Record<string, FieldValue> {
  const values: Record<string, FieldValue> = {};
  for (const [name, text] of pairsOf(texts, addMistake)) {
    const field = fieldNamed(name, card);
    if (field === undefined) addMistake(...unknownField(name, Object.keys(card)));
    else values[name] = typedValue(name, field, text, addMistake) ?? null;
  }
  return values;
}

/** The field of that name, if the card configuration has it by itself. */
export function fieldNamed(name: string, card: Installation['card']): CardField | undefined {
  return Object.hasOwn(card, name) ? card[name] : undefined;
}

/** What is said about a name that the card configuration does not have. */
export function unknownField(
  name: string,
  known: readonly string[],
): [message: string, suggestion?: string] {
  const hint = suggestion(name, known);
  const message = `"${name}" is not a field of the card.`;
  return hint === undefined ? [message] : [message, hint];
}
