import { parsePlaced } from '../config/document.js';
import {
  UsageError,
  interruption,
  ContactCenterError,
  NotAuthorizedError,
  RefusedError,
} from '../core/errors.js';
import {
  draftCard,
  draftHeader,
  draftText,
  type Draft,
  type DraftField,
  namedField,
} from '../installation/draft.js';
import type { Installation } from '../installation/installation.js';
import { checkInstallation } from '../installation/load.js';
import { FIELD_TYPES, installationSchema } from '../installation/schema.js';
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
