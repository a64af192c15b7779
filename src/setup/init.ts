import { quoted, parsePlaced } from '../config/document.js';
import {
  UsageError,
  interruption,
  ContactCenterError,
  NotAuthorizedError,
  RefusedError,
} from '../core/errors.js';
import { suggestion } from '../core/text.js';
import {
  FIELD_TYPES,
  type CardField,
  type Installation,
  checkInstallation,
  installationSchema,
} from '../installation/installation.js';
import { writePieces } from '../report/files.js';
import { outputPlace } from '../options/places.js';
import { createContactCenter } from '../client/contact-center.js';
import type { SyncIdentifiers } from '../core/client.js';
import type { ListedCampaign } from '../operations/operation.js';
import { readFile } from 'node:fs/promises';
import { operations, SUCCESS } from '../contract/operations.js';

/** What an installation file is drafted from, as a person gives it. */
export interface InitRequest {
  /** Address of the contact center. */
  readonly url: string;
  /** Headers of every request, such as `Authorization: Bearer ${CC_TOKEN}`. */
  readonly headers: readonly string[];
  /** Synchronization identifiers of a client, `name=value` each; names alone when no client is to be read. */
  readonly ids: readonly string[];
  /** Card fields beside those that are read, such as `budget:Number`. */
  readonly fields: readonly string[];
  /** Path of the file. */
  readonly out: string;
  /** Whether a file that is there is replaced. */
  readonly force: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborted to stop at once. */
  readonly signal: AbortSignal;
}

export interface InitResult {
  /** Whether there was a file, which was replaced. */
  readonly replaced: boolean;
  /** How many fields its card has. */
  readonly fields: number;
  /** Whether the card was read from a client. */
  readonly isRead: boolean;
}

/**
 * Drafts an installation file, and makes sure that it can be used.
 * @throws UsageError, ConfigurationError, ContactCenterError, StopRun; then nothing is written
 */
export async function initInstallation(request: InitRequest): Promise<InitResult> {
  const { out, env, signal } = request;
  const { file, isThere } = outputPlace(out, request.force);
  const center = describedAs(request);
  const named = request.fields.map((text) => namedField(text));
  const pairs = identifierPairs(request.ids);
  const identifiers = [...pairs.keys()];
  // Checked before the contact center is asked, since a wrong header would not reach it.
  const first = { ...center, card: draftCard({ identifiers, named }), isRead: false };
  const installation = checkedDraft(out, first);
  const isRead = [...pairs.values()].some((value) => value !== '');
  const values = isRead ? await readCard(installation, pairs, env, signal) : undefined;
  const draft = { ...center, card: draftCard({ identifiers, values, named }), isRead };
  checkedDraft(out, draft);
  if (signal.aborted) throw interruption(signal);
  await writePieces(file, [draftText(draft)]);
  return { replaced: isThere, fields: draft.card.fields.length, isRead };
}

/**
 * Writes the installation file of what a person has described, unless there is one.
 * @throws UsageError, ConfigurationError; then nothing is written
 */
export async function writeInstallation(
  center: Pick<InitRequest, 'url' | 'headers' | 'out'> & { readonly fields: readonly DraftField[] },
): Promise<void> {
  const { out, fields } = center;
  const { file } = outputPlace(out, false);
  const draft = { ...describedAs(center), card: { fields, leftOut: [] }, isRead: false };
  checkedDraft(out, draft);
  await writePieces(file, [draftText(draft)]);
}

/**
 * The fields of a card, as a client that exists shows them. Nothing is changed or written.
 * @throws UsageError, ConfigurationError, ContactCenterError
 */
export async function fieldsOfClient(
  question: Pick<InitRequest, 'url' | 'headers' | 'env' | 'signal'> & {
    /** Names and values of the synchronization identifiers of a client. */
    readonly ids: ReadonlyMap<string, string>;
  },
): Promise<readonly DraftField[]> {
  const { ids, env, signal } = question;
  const identifiers = [...ids.keys()];
  const draft = { ...describedAs(question), card: draftCard({ identifiers }), isRead: false };
  const installation = checkedDraft('installation', draft);
  const values = await readCard(installation, ids, env, signal);
  return draftCard({ identifiers, values }).fields;
}

/** A contact center by its address and headers. @throws UsageError where one of them is none */
function describedAs({ url, headers }: Pick<InitRequest, 'url' | 'headers'>) {
  const baseUrl = checkedUrl(url);
  return {
    ...{ name: new URL(baseUrl).host, baseUrl },
    headers: headers.map((text) => draftHeader(text)),
  };
}

const checkedDraft = (out: string, draft: Draft): Installation =>
  checkInstallation(parsePlaced(out, draftText(draft)));

/** @throws UsageError when it is not the address of a contact center */
export function checkedUrl(url: string): string {
  const checked = installationSchema.shape.baseUrl.safeParse(url.trim());
  if (checked.success) return checked.data;
  throw new UsageError(`--url: ${checked.error.issues.map(({ message }) => message).join(' ')}`);
}

/** A name with the type of a field behind it, as `--field` takes it. */
const HAS_TYPE = new RegExp(`:\\s*(?:${FIELD_TYPES.join('|')})\\s*$`);

/**
 * Identifiers by their names; without a value the text is empty.
 * @throws UsageError when there are none, one has no name, or only some have values
 */
export function identifierPairs(ids: readonly string[]): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  for (const text of ids) {
    const [, name = '', value = ''] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
    if (name.trim() === '')
      throw new UsageError(`--id takes name=value, such as offerId=7, but got "${text}".`);
    if (HAS_TYPE.test(name))
      throw new UsageError(
        `--id takes a name, or name=value, but got "${text}". Give its type with --field as well, such as --id dealId --field dealId:Number.`,
      );
    if (pairs.has(name.trim())) throw new UsageError(`--id: "${name.trim()}" is given twice.`);
    pairs.set(name.trim(), value.trim());
  }
  if (pairs.size === 0) throw new UsageError('Give the synchronization identifiers with --id.');
  const blank = [...pairs].filter(([, value]) => value === '').map(([name]) => name);
  if (blank.length > 0 && blank.length < pairs.size)
    throw new UsageError(
      `--id: ${blank.join(', ')} has no value. Give all values to have a client read, or none.`,
    );
  return pairs;
}

/**
 * Names and values of one client's fields (interface.md 4.8). Which identifiers are numbers is not known yet: both
 * forms are tried.
 * @throws UsageError when there is no such client, or something else than a contact center answers
 * @throws ContactCenterError when it cannot be asked
 */
async function readCard(
  installation: Installation,
  pairs: ReadonlyMap<string, string>,
  env: InitRequest['env'],
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const center = createContactCenter(installation, { env });
  const { withRetries } = await import('../operations/operation.js');
  const ask = withRetries({ center: () => center, signal });
  try {
    let refused: unknown;
    for (const clientSyncIdentifiers of formsOf(pairs)) {
      try {
        const answer = await ask('readClient', { body: { clientSyncIdentifiers } });
        return answer.clientFieldsToValues;
      } catch (error) {
        if (!isRefusal(error)) throw inOwnWords(error, installation);
        refused ??= error;
      }
    }
    throw inOwnWords(refused, installation);
  } finally {
    await center.close();
  }
}

/** The identifiers with whole numbers as such, and with everything as text. */
function formsOf(pairs: ReadonlyMap<string, string>): SyncIdentifiers[] {
  const texts = Object.fromEntries(pairs);
  const typed = [...pairs].map(([name, text]): [string, string | number] => {
    const isWhole = /^-?(0|[1-9]\d*)$/.test(text) && Number.isSafeInteger(Number(text));
    return [name, isWhole ? Number(text) : text];
  });
  const hasNumber = typed.some(([, value]) => typeof value === 'number');
  return hasNumber ? [Object.fromEntries(typed), texts] : [texts];
}

/** Whether the contact center itself does not find the client by these identifiers. */
const isRefusal = (error: unknown): boolean =>
  error instanceof RefusedError && causeOf(error).seen === undefined && !lacksRights(error);

const lacksRights = (error: ContactCenterError): boolean =>
  causeOf(error) instanceof NotAuthorizedError;

/** Retries put an error into other words, and keep the first one as its cause. */
const causeOf = (error: ContactCenterError): ContactCenterError =>
  error.cause instanceof ContactCenterError ? error.cause : error;

function inOwnWords(error: unknown, { baseUrl }: Installation): unknown {
  if (!(error instanceof ContactCenterError)) return error;
  const { seen } = causeOf(error);
  if (seen !== undefined)
    return new UsageError(
      `${baseUrl} does not answer as a contact center does (HTTP ${seen.status}, ${seen.words}). Check --url: the paths of the interface, such as /api/v1/clients, begin behind it.`,
    );
  if (lacksRights(error)) return new UsageError(`${error.message} Check --header.`);
  if (error instanceof RefusedError)
    return new UsageError(
      `${error.message}\nGive every synchronization identifier of a client that exists, each with an --id of its own.`,
    );
  return error;
}

/**
 * Brings an empty contact center into the state that the demo begins with: some clients, and a campaign that runs.
 * @returns the campaign
 */
export async function prepareDemo(request: {
  readonly installation: Installation;
  /** Address of an empty contact center. */
  readonly baseUrl: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly campaign: string;
  /** JSON file with clients that exist already: the sample holds some of them again. */
  readonly existingClients: string;
}): Promise<ListedCampaign> {
  const { installation, baseUrl, env } = request;
  const center = createContactCenter(installation, { baseUrl, env });
  try {
    const written: unknown = JSON.parse(await readFile(request.existingClients, 'utf8'));
    const body = operations.addClients.body.parse(written);
    const { createResult } = await center.addClients({ body });
    const refused = createResult.find(({ result }) => result !== SUCCESS);
    if (refused) throw new Error(`an existing client of the demo was refused: ${refused.result}`);
    const { startNewCampaign } = await import('../operations/operation.js');
    return await startNewCampaign(center, request.campaign);
  } finally {
    await center.close();
  }
}

/** What an installation file is drafted of. */
interface Draft {
  readonly name: string;
  readonly baseUrl: string;
  readonly headers: readonly DraftHeader[];
  readonly card: { readonly fields: readonly DraftField[]; readonly leftOut: readonly string[] };
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

/** What 4.8 shows of every client beside its custom fields. */
const OF_EVERY_CLIENT: ReadonlySet<string> = new Set(['id', 'clientType', 'timeZone']);

/**
 * Drafts the card configuration: the identifiers first, then the fields that a client shows, then those that a person
 * named. Types come from the values; the values themselves are personal data and go nowhere. `leftOut`: names that the
 * contact center shows and that are no custom fields, or cannot be written.
 */
export function draftCard({ identifiers, values = {}, named = [] }: KnownCard) {
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
interface DraftField {
  readonly name: string;
  readonly type: CardField['type'];
  readonly sync: boolean;
  /** @default false */
  readonly required?: boolean;
  /** Written beside the field as a comment. */
  readonly remark?: string | undefined;
}
