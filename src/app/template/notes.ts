import type { Installation } from '../../installation/installation.js';
import type { ColumnTarget, ColumnUse } from '../../mapping/columns/column-uses.js';
import { stepNamed } from './steps.js';

/** What is known of a column, for its note. */
export interface Noted {
  readonly uses: readonly ColumnUse[];
  readonly isRequired: boolean;
  /** Columns of which at least one has to be filled in. */
  readonly oneOf: readonly string[];
  readonly choices: readonly string[];
  readonly isOpen: boolean;
  readonly datePatterns: readonly string[];
}

/** Longest list of choices that a note spells out. */
const SHOWN = 12;

/** What a person who fills in a column has to know. */
export function noteOf(noted: Noted, card: Installation['card']): string {
  return [
    needText(noted),
    ...noted.uses.flatMap((use) => useText(use, card)),
    ...choiceText(noted),
    ...(noted.datePatterns.length > 0 ? [`Date as ${noted.datePatterns.join(' or ')}.`] : []),
    ...noted.uses.flatMap(hints),
  ]
    .filter((line, index, lines) => lines.indexOf(line) === index)
    .join('\n');
}

function needText({ isRequired, oneOf }: Noted): string {
  if (isRequired) return 'Required.';
  return oneOf.length > 1
    ? `At least one has to be filled in: ${oneOf.join(', ')}.`
    : 'May be left empty.';
}

const TARGET_TEXTS: Readonly<Record<Exclude<ColumnTarget, 'field'>, string>> = {
  clientRoleId: 'The role of the client.',
  type: 'The type of the client.',
  timeZone: 'The time zone of the client, such as Europe/Berlin.',
  phone: 'A phone number.',
  email: 'An e-mail address.',
  address: 'A postal address.',
  'phone type': 'The kind of phone.',
  'address type': 'The kind of address.',
  flag: 'Yes or no.',
  uuid: 'The id of the row: a different one in each.',
  'client id': 'The internal id of the client, a whole number.',
  'operator id': 'The operator, a whole number.',
  'call at': 'When the client is called.',
  text: 'Text of the callback.',
  filter: 'Decides whether the row is imported.',
  received: 'When the lead came in: old ones may be left out.',
  shown: 'Shown in the report.',
};

function useText({ target, field }: ColumnUse, card: Installation['card']): string[] {
  if (target !== 'field') return [TARGET_TEXTS[target]];
  const own = field === undefined ? undefined : card[field];
  const kind = own?.type === 'Number' ? ', a number' : '';
  return [
    `Card field ${field ?? ''}${kind}${own?.sync === true ? '; identifies the client' : ''}.`,
  ];
}

function choiceText({ choices, isOpen }: Noted): string[] {
  if (choices.length === 0) return [];
  const shown = choices.slice(0, SHOWN).join(', ') + (choices.length > SHOWN ? ', …' : '');
  return [isOpen ? `Known values: ${shown}.` : `One of: ${shown}.`];
}

function hints(use: ColumnUse): string[] {
  const { value } = use;
  const phone = stepNamed(use, 'phone');
  const fallback = value?.default;
  const without =
    phone?.country === undefined ? ', always with it' : `; without it: ${phone.country}`;
  return [
    ...(phone === undefined ? [] : [`With "+" and the country code${without}.`]),
    ...(value?.split !== undefined && value.part === undefined
      ? [`Several with "${value.split}" between them.`]
      : []),
    ...(fallback === undefined ? [] : [`Empty: ${String(fallback)}.`]),
  ];
}
