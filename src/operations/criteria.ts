import type { z } from 'zod';
import { FILTER_OPERATORS, FILTER_VALUES, type criterion } from '../contract/applications.js';
import type { Installation } from '../installation/installation.js';
import { nearest } from '../config/nearest.js';
import { fieldNamed } from './card-values.js';
import type { AddMistake } from './add-mistake.js';

/** The filters of interface.md 4.11, as a person writes them: `key operator value`. */

export type Criterion = z.output<typeof criterion>;
type Card = Installation['card'];

const PHONE = 'phones.phoneNumber';
/** The internal client id, unless the card configuration has a field of this name. */
const CLIENT_ID = 'id';

/** An operator in signs needs no blanks around it; one in letters does. A doubled or negated sign is read whole. */
const FILTER = /^\s*(.+?)\s*(?:\s(NOT\s+LIKE|LIKE)\s|([=!<>~]+))\s*(.*?)\s*$/is;
const THREE_PARTS = /^\s*(\S+)\s+(\S+)(?:\s|$)/;

/** A criterion from its text; `undefined` when it could not be read, which was added as a mistake. */
export function criterionOf(
  text: string,
  card: Card,
  addMistake: AddMistake,
): Criterion | undefined {
  const [, key = '', word, signs, value = ''] = FILTER.exec(text) ?? [];
  const operator = (word ?? signs)?.toUpperCase().replace(/\s+/g, ' ');
  if (operator === undefined) {
    addMistake(...unreadable(text));
    return undefined;
  }
  if (!isOperator(operator)) {
    addMistake(...unknownOperator(operator));
    return undefined;
  }
  const made = { key, operator, value: typed(key, operator, unquoted(value), card) };
  checkCriterion(made, card, addMistake);
  return made;
}

/** Adds a mistake for a key that does not exist and of a value that the key cannot have. */
export function checkCriterion(
  { key, operator, value }: Criterion,
  card: Card,
  addMistake: AddMistake,
): void {
  const known = [
    ...new Set([...Object.keys(FILTER_VALUES), PHONE, ...Object.keys(card), CLIENT_ID]),
  ];
  if (!known.includes(key)) {
    addMistake(`there is no filter key "${key}".`, choice(key, known));
    return;
  }
  if (value === '') addMistake(`"${key} ${operator}" needs a value.`);
  const field = fieldNamed(key, card);
  const fixed = fixedValues(key);
  const allowed = field ? field.values : fixed;
  if (allowed && !allowed.includes(String(value)) && (fixed !== undefined || operator === '='))
    addMistake(`"${key}" cannot be "${String(value)}".`, choice(String(value), allowed));
  const number = field ? field.type === 'Number' : key === CLIENT_ID;
  if (number && operator === '=' && !isNumber(value))
    addMistake(`"${key}" is compared with a number, but got "${String(value)}".`);
}

const fixedValues = (key: string): readonly string[] | undefined =>
  Object.entries(FILTER_VALUES).find(([name]) => name === key)?.[1];

const isOperator = (word: string): word is Criterion['operator'] =>
  (FILTER_OPERATORS as readonly string[]).includes(word);

/** Integers are written without quotes, strings with quotes (4.11): a number's own digits are an integer. */
function typed(key: string, operator: string, text: string, card: Card): string | number {
  const field = fieldNamed(key, card);
  const number = field ? field.type === 'Number' : key === CLIENT_ID;
  if (!number) return text;
  const whole = operator === '=' ? /^-?\d+$/.test(text) : String(Number(text)) === text;
  return whole && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

const isNumber = (value: Criterion['value']): boolean =>
  typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value));

const unquoted = (text: string): string => /^(["'])(.*)\1$/s.exec(text)?.[2] ?? text;

function unreadable(text: string): [message: string, suggestion?: string] {
  const [, , second] = THREE_PARTS.exec(text) ?? [];
  if (second !== undefined && !/^(?:NOT|LIKE)$/i.test(second))
    return unknownOperator(second.toUpperCase());
  return [
    `takes "key operator value", but got "${text}".`,
    `Such as "application.status = FAILED".`,
  ];
}

const unknownOperator = (word: string): [message: string, suggestion: string] => [
  `"${word}" is not an operator.`,
  // What looks most like "!=" is "=", its very opposite: only words are guessed.
  choice(/^[A-Z]/.test(word) ? word : '', FILTER_OPERATORS),
];

/** The nearest, and the list. */
function choice(given: string, allowed: readonly string[]): string {
  const near = given === '' ? undefined : nearest(given, allowed);
  const guess = near === undefined ? '' : `Did you mean "${near}"? `;
  return `${guess}There is: ${allowed.join(', ')}.`;
}
