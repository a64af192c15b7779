import type { OperationName } from '../contract/operations.js';
import type { Installation } from '../installation/installation.js';
import { cardFieldsOf } from './card-values.js';
import type { Complain } from './complaint.js';
import { criterionOf } from './criteria.js';
import type { Field } from './fields.js';
import { identifiersOf } from './identifiers.js';
import { suggestion } from '../config/nearest.js';

/** What a person says for a field, before it is understood. */
export type SaidValue = string | boolean | readonly string[];

/** What a person says for an operation. */
export interface Said {
  readonly operation: OperationName;
  /** By the names of the operation's fields. */
  readonly values: Readonly<Record<string, SaidValue | undefined>>;
  /** How the person calls each field, such as `--id`, for what is said of it. */
  readonly labels: Readonly<Record<string, string>>;
  /** In place of the field of a task: the campaign that it belongs to, by id or name. */
  readonly taskOf?: string | undefined;
}

/** A campaign as a person gives it: digits are an id, anything else is a name. */
export type CampaignGiven = { readonly id: number } | { readonly name: string };

/** What a field means; `undefined` when it cannot be understood, which was complained of. */
export function understood(
  field: Field,
  said: SaidValue,
  card: Installation['card'],
  complain: Complain,
): unknown {
  const texts = typeof said === 'object' ? said : [String(said)];
  const [text = ''] = texts;
  switch (field.kind) {
    case 'integer':
    case 'task':
      return wholeNumber(text, complain);
    case 'boolean':
      return said === true || said === 'true';
    case 'choice':
      return chosen(text, field.choices ?? [], complain);
    case 'identifiers':
      return identifiersOf(texts, card, complain);
    case 'clients':
      return [{ clientIdentifiers: identifiersOf(texts, card, complain) }];
    case 'card':
      return cardFieldsOf(texts, card, complain);
    case 'criteria':
      return texts.map((one) => criterionOf(one, card, complain));
    case 'text':
    case 'campaign':
    case 'nested':
      return text;
  }
}

function wholeNumber(text: string, complain: Complain): number | undefined {
  const number = Number(text);
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(number)) return number;
  complain(`takes a whole number, but got "${text}".`);
  return undefined;
}

function chosen(text: string, choices: readonly string[], complain: Complain): string | undefined {
  if (choices.includes(text)) return text;
  complain(`takes one of ${choices.join(', ')}, but got "${text}".`, suggestion(text, choices));
  return undefined;
}

/** The campaign that is meant. */
export function campaignGiven(text: string, complain: Complain): CampaignGiven | undefined {
  const id = Number(text);
  if (!/^\d+$/.test(text)) {
    if (text.trim() !== '') return { name: text };
    complain('takes the id or the name of a campaign.');
  } else if (id >= 1 && Number.isSafeInteger(id)) return { id };
  else complain(`an id is a whole number from 1, but got "${text}".`);
  return undefined;
}
