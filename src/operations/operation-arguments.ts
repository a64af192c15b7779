import type { OperationName } from '../contract/operations.js';
import type { Installation } from '../installation/installation.js';
import { cardFieldsOf } from './card-values.js';
import type { AddMistake } from './add-mistake.js';
import { criterionOf } from './criteria.js';
import type { Field } from './fields.js';
import { identifiersOf } from './identifiers.js';
import { suggestion } from '../config/nearest.js';

/** What a person says for a field, before it is understood. */
export type ArgumentValue = string | boolean | readonly string[];

/** What a person says for an operation. */
export interface OperationArguments {
  readonly operation: OperationName;
  /** By the names of the operation's fields. */
  readonly values: Readonly<Record<string, ArgumentValue | undefined>>;
  /** How the person calls each field, such as `--id`, for messages about it. */
  readonly labels: Readonly<Record<string, string>>;
  /** In place of the field of a task: the campaign that it belongs to, by id or name. */
  readonly taskOf?: string | undefined;
}

/** A campaign as a person gives it: digits are an id, anything else is a name. */
export type CampaignGiven = { readonly id: number } | { readonly name: string };

/** What a field means; `undefined` when it cannot be understood, which was added as a mistake. */
export function parseArgument(
  field: Field,
  given: ArgumentValue,
  card: Installation['card'],
  addMistake: AddMistake,
): unknown {
  const texts = typeof given === 'object' ? given : [String(given)];
  const [text = ''] = texts;
  switch (field.kind) {
    case 'integer':
    case 'task':
      return wholeNumber(text, addMistake);
    case 'boolean':
      return given === true || given === 'true';
    case 'choice':
      return chosen(text, field.choices ?? [], addMistake);
    case 'identifiers':
      return identifiersOf(texts, card, addMistake);
    case 'clients':
      return [{ clientIdentifiers: identifiersOf(texts, card, addMistake) }];
    case 'card':
      return cardFieldsOf(texts, card, addMistake);
    case 'criteria':
      return texts.map((one) => criterionOf(one, card, addMistake));
    case 'text':
    case 'campaign':
    case 'nested':
      return text;
  }
}

function wholeNumber(text: string, addMistake: AddMistake): number | undefined {
  const number = Number(text);
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(number)) return number;
  addMistake(`takes a whole number, but got "${text}".`);
  return undefined;
}

function chosen(
  text: string,
  choices: readonly string[],
  addMistake: AddMistake,
): string | undefined {
  if (choices.includes(text)) return text;
  addMistake(`takes one of ${choices.join(', ')}, but got "${text}".`, suggestion(text, choices));
  return undefined;
}

/** The campaign that is meant. */
export function campaignGiven(text: string, addMistake: AddMistake): CampaignGiven | undefined {
  const id = Number(text);
  if (!/^\d+$/.test(text)) {
    if (text.trim() !== '') return { name: text };
    addMistake('takes the id or the name of a campaign.');
  } else if (id >= 1 && Number.isSafeInteger(id)) return { id };
  else addMistake(`an id is a whole number from 1, but got "${text}".`);
  return undefined;
}
