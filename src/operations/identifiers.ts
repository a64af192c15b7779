import type { SyncIdentifiers } from '../core/client.js';
import { syncFields, type Installation } from '../installation/installation.js';
import { suggestion } from '../config/nearest.js';
import { fieldNamed, pairsOf, typedValue, unknownField } from './card-values.js';
import type { AddMistake } from './add-mistake.js';

type Card = Installation['card'];

/** Synchronization identifiers from `name=value` texts, typed by the card configuration (interface.md 2.1). */
export function identifiersOf(
  texts: readonly string[],
  card: Card,
  addMistake: AddMistake,
): SyncIdentifiers {
  const unreadable: string[] = [];
  const pairs = pairsOf(texts, (message, suggestion) => {
    unreadable.push(message);
    addMistake(message, suggestion);
  });
  // What could not be read may have been the identifier that seems to be missing.
  if (unreadable.length === 0) checkNames([...pairs.keys()], card, addMistake);
  const identifiers: Record<string, string | number> = {};
  for (const [name, text] of pairs) {
    const field = fieldNamed(name, card);
    const value = field && typedValue(name, field, text, addMistake);
    if (value !== undefined) identifiers[name] = value;
  }
  return identifiers;
}

/** Adds a mistake for every name that is no synchronization identifier, and of every identifier that is missing. */
export function checkNames(given: readonly string[], card: Card, addMistake: AddMistake): void {
  const known = syncFields(card);
  for (const name of given) {
    if (fieldNamed(name, card) === undefined) addMistake(...unknownField(name, known));
    else if (!known.includes(name)) addMistake(...notSync(name, known));
  }
  // A misspelt name also looks like a missing one; one word about it is enough.
  if (given.some((name) => !known.includes(name))) return;
  for (const name of known.filter((name) => !given.includes(name)))
    addMistake(`the synchronization identifier "${name}" is missing.`);
}

function notSync(name: string, known: readonly string[]): [message: string, hint?: string] {
  const hint = suggestion(name, known);
  const message = `"${name}" is a field of the card, but not a synchronization identifier.`;
  return hint === undefined ? [message] : [message, hint];
}
