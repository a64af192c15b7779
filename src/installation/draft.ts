import { quoted } from '../config/document.js';
import { UsageError } from '../core/errors.js';
import { suggestion } from '../core/text.js';
import { FIELD_TYPES } from './schema.js';
import type { FieldType } from './installation.js';

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
    ...(card.leftOut.length === 0
      ? []
      : [
          `  # Left out: ${card.leftOut.map(quoted).join(', ')}. These belong to every client, and a mapping has other places for them.`,
        ]),
    '',
    ...REST,
  ].join('\n')}\n`;
}

function headerLines(headers: readonly DraftHeader[]): string[] {
  if (headers.length === 0)
    return [
      '# Check: no header with credentials was given. ${NAME} is taken from the environment:',
      "# headers: { Authorization: 'Bearer ${CC_TOKEN}' }",
    ];
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

function fieldLine({ name, type, sync, required = false, remark }: DraftField): string {
  const marks = Object.entries({ sync, required }).flatMap(([mark, isSet]) =>
    isSet ? [mark] : [],
  );
  const options = [`type: ${type}`, ...marks.map((mark) => `${mark}: true`)].join(', ');
  return `  ${quoted(name)}: { ${options} }${remark === undefined ? '' : ` # ${remark}`}`;
}

/** A header of every request: its value holds credentials as `${NAME}` alone. */
interface DraftHeader {
  readonly name: string;
  readonly value: string;
}

/** Headers whose values are credentials, whatever they look like. */
const OF_CREDENTIALS = /auth|token|key|secret|cookie|passw|session|credential|signature/i;
const PLACEHOLDER = /\$\{[A-Za-z_]\w*\}/;
/** A placeholder, also as `name=${NAME}`, in quotes or with a sign around it. */
const HOLDS_NO_SECRET = /^([\w.-]+=)?["']?\$\{[A-Za-z_]\w*\}(:\$\{[A-Za-z_]\w*\})?["']?$/;
/** How the first word of a value names the kind of credentials. */
const SCHEME = /^[A-Za-z][A-Za-z-]{0,19}$/;
/** Long text of letters and digits without a space: nobody types such a value except to prove who they are. */
const LOOKS_SECRET = /(?=\S*\d)(?=\S*[A-Za-z])[\w.~+/=-]{16,}/;

/**
 * Reads a header as a person writes it: `Authorization: Bearer ${CC_TOKEN}`.
 * @throws UsageError when it is no header, or holds a credential itself; the message does not repeat the value
 */
export function draftHeader(text: string): DraftHeader {
  const at = text.indexOf(':');
  const name = text.slice(0, Math.max(0, at)).trim();
  const value = text.slice(at + 1).trim();
  if (name === '' || value === '')
    throw new UsageError(
      "--header takes a name and a value, such as 'Authorization: Bearer ${CC_TOKEN}'.",
    );
  if (holdsCredential(name, value)) throw new UsageError(refusal(name, value));
  return { name, value };
}

function holdsCredential(name: string, value: string): boolean {
  if (!OF_CREDENTIALS.test(name)) return LOOKS_SECRET.test(value.replace(PLACEHOLDER, ''));
  const parts = value.split(/[\s;,]+/).filter((part) => part !== '');
  const behindScheme = parts.length > 1 && SCHEME.test(parts[0] ?? '') ? parts.slice(1) : parts;
  return !behindScheme.every((part) => HOLDS_NO_SECRET.test(part));
}

function refusal(name: string, value: string): string {
  const scheme = /^(Basic|Bearer|Digest|Token|ApiKey|JWT|OAuth)(?=\s|$)/i.exec(value)?.[1];
  const example = `${name}: ${scheme === undefined ? '' : `${scheme} `}\${CC_TOKEN}`;
  return `--header: the value of ${name} holds a credential, which must not stand in a file. Put it into a variable of the environment, such as CC_TOKEN, and name that in single quotes, so that your shell leaves it alone: --header '${example}'`;
}

interface KnownCard {
  /** Names of the synchronization identifiers, in the order in which they were given. */
  readonly identifiers: readonly string[];
  /** Names and values of one client's fields, as the contact center shows them (interface.md 4.8). */
  readonly values?: Readonly<Record<string, unknown>> | undefined;
  /** Fields that a person named, with their types. */
  readonly named?: readonly DraftField[] | undefined;
}

interface DraftCard {
  readonly fields: readonly DraftField[];
  /** Names that the contact center shows and that are no custom fields, or cannot be written. */
  readonly leftOut: readonly string[];
}

/** What 4.8 shows of every client beside its custom fields. */
const OF_EVERY_CLIENT: ReadonlySet<string> = new Set(['id', 'clientType', 'timeZone']);

/**
 * Drafts the card configuration: the identifiers first, then the fields that a client shows, then those that a person
 * named. Types come from the values; the values themselves are personal data and go nowhere.
 */
export function draftCard({ identifiers, values = {}, named = [] }: KnownCard): DraftCard {
  const fields = new Map<string, DraftField>();
  for (const name of identifiers) fields.set(name, { ...drafted(name, values), sync: true });
  const leftOut: string[] = [];
  for (const name of Object.keys(values)) {
    if (fields.has(name)) continue;
    if (OF_EVERY_CLIENT.has(name) || !canBeWritten(name)) leftOut.push(name);
    else fields.set(name, drafted(name, values));
  }
  for (const field of named)
    fields.set(field.name, { ...field, sync: fields.get(field.name)?.sync ?? field.sync });
  return { fields: [...fields.values()], leftOut };
}

const canBeWritten = (name: string): boolean => name.trim() !== '' && name !== '__proto__';

function drafted(name: string, values: Readonly<Record<string, unknown>>): DraftField {
  const field = { name, sync: false };
  if (!Object.hasOwn(values, name))
    return { ...field, type: 'TextField', remark: 'Check the type: it is a guess.' };
  const value = values[name];
  if (typeof value === 'number') return { ...field, type: 'Number' };
  if (typeof value === 'string' && value !== '') return { ...field, type: 'TextField' };
  return { ...field, type: 'TextField', remark: remarkOn(value) };
}

function remarkOn(value: unknown): string {
  return value === null || value === ''
    ? 'Check the type: the field is empty for this client.'
    : `Check the type: the contact center shows ${Array.isArray(value) ? 'a list' : `a ${typeof value}`}.`;
}

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

/** A card field as far as it is known, and what a person has to check about it. */
export interface DraftField {
  readonly name: string;
  readonly type: FieldType;
  readonly sync: boolean;
  /** @default false */
  readonly required?: boolean;
  /** Written beside the field as a comment. */
  readonly remark?: string | undefined;
}
