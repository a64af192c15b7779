import { createContactCenter } from '../../client/contact-center.js';
import type { SyncIdentifiers } from '../../core/client.js';
import {
  ContactCenterError,
  NotAuthorizedError,
  RefusedError,
  UsageError,
} from '../../core/errors.js';
import { systemClock } from '../../core/time.js';
import type { Installation } from '../../installation/installation.js';
import { withRetries } from '../../operations/with-retries.js';

export interface CardQuestion {
  readonly installation: Installation;
  /** Names and values of the synchronization identifiers of a client. */
  readonly pairs: ReadonlyMap<string, string>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/**
 * Names and values of one client's fields (interface.md 4.8). Which identifiers are numbers is not known yet: both
 * forms are tried.
 * @throws UsageError when there is no such client, or something else than a contact center answers
 * @throws ContactCenterError when it cannot be asked
 */
export async function readCard({
  installation,
  pairs,
  env,
  signal,
}: CardQuestion): Promise<Readonly<Record<string, unknown>>> {
  const center = createContactCenter(installation, { env });
  const ask = withRetries({
    center: () => center,
    clock: systemClock,
    random: Math.random,
    signal,
  });
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
  const typed = Object.fromEntries([...pairs].map(([name, text]) => [name, typedOf(text)]));
  const hasNumber = Object.values(typed).some((value) => typeof value === 'number');
  return hasNumber ? [typed, texts] : [texts];
}

function typedOf(text: string): string | number {
  const number = Number(text);
  return /^-?(0|[1-9]\d*)$/.test(text) && Number.isSafeInteger(number) ? number : text;
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
