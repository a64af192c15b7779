import { quoted } from '../../config/yaml-text.js';
import type { DraftCard } from './draft-card.js';
import type { DraftField } from './draft-field.js';
import type { DraftHeader } from './draft-header.js';

/** What an installation file is drafted of. */
export interface Draft {
  readonly name: string;
  readonly baseUrl: string;
  readonly headers: readonly DraftHeader[];
  readonly card: DraftCard;
  /** Whether the card was read from a client. */
  readonly isRead: boolean;
}

/** An installation file in YAML, with comments on what the interface does not show. */
export function draftText({ name, baseUrl, headers, card, isRead }: Draft): string {
  return `${[
    '# Drafted by cardline init. What it could not know is marked with "Check".',
    `name: ${quoted(name)}`,
    `baseUrl: ${quoted(baseUrl)}`,
    ...headerLines(headers),
    '',
    ...(isRead ? READ : NOT_READ),
    ...CARD,
    'card:',
    ...card.fields.map(fieldLine),
    ...leftOutLines(card.leftOut),
    '',
    ...REST,
  ].join('\n')}\n`;
}

function headerLines(headers: readonly DraftHeader[]): string[] {
  if (headers.length === 0)
    return [
      '# Check: no header with credentials was given. ${NAME} is taken from the environment:',
    ].concat("# headers: { Authorization: 'Bearer ${CC_TOKEN}' }");
  return [
    '# ${NAME} is taken from the environment. Credentials do not belong into this file.',
    'headers:',
    ...headers.map(({ name, value }) => `  ${quoted(name)}: ${quoted(value)}`),
  ];
}

const READ = [
  '# The fields of one client, as the contact center shows them; their types come from its values. What is not shown',
  '# stands in the card configuration of the contact center:',
];
const NOT_READ = ['# The contact center was not asked. Its card configuration says:'];

const CARD = [
  '# Check: which other fields are synchronization identifiers (column "Sync")? All of them have "sync: true".',
  '# Check: which fields must every client have? They have "required: true".',
  '# Check: which fields offer a choice? They have the type ComboBox or StatusField, and what they allow:',
  '#   segment: { type: ComboBox, values: [cold, warm] }',
];

const REST = [
  '# Check: which client roles exist? Without this line any is taken.',
  '# clientRoles: [1]',
  '',
  "# Check: what do the contact center's owners permit? Without limits the pace is found while a run goes.",
  '# limits: { clientsPerRequest: 500, concurrency: 8, requestsPerSecond: 50, hours: 20:00-06:00 Europe/Moscow }',
];

function fieldLine({ name, type, sync, remark }: DraftField): string {
  const options = sync ? `type: ${type}, sync: true` : `type: ${type}`;
  return `  ${quoted(name)}: { ${options} }${remark === undefined ? '' : ` # ${remark}`}`;
}

function leftOutLines(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [
    `  # Left out: ${names.map((name) => quoted(name)).join(', ')}. These belong to every client, and a mapping has other places for them.`,
  ];
}
