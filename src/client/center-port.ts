import type { AbsentClient, ClientChanges, CenterPort } from '../core/center.js';
import { OutcomeUnknownError, RefusedError, meaningOf } from '../core/errors.js';
import type { SyncIdentifiers } from '../core/client.js';
import { shortenedMessage } from '../core/text.js';
import type { ContactCenter } from './contact-center.js';

type Center = Pick<ContactCenter, 'sendPrepared' | 'readClient' | 'listApplications'>;

export interface CenterPortOptions {
  /** Query parameters of every creation. */
  readonly query?: Readonly<Record<string, string | number | boolean>> | undefined;
}

/** The import's way to a contact center: bodies that are JSON already, and only what it needs of the answers. */
export function createCenterPort(center: Center, { query }: CenterPortOptions = {}): CenterPort {
  const extras = query && { query };
  return {
    addClients: async (body, signal) =>
      (await center.sendPrepared('addClients', {}, body, { signal, extras })).createResult,
    addApplications: async (campaignId, body, signal) => {
      const params = { campaigId: campaignId };
      return (
        (await center.sendPrepared('addApplications', { params }, body, { signal })).errors ?? []
      );
    },
    findClient: (identifiers) =>
      unlessAbsent(
        async () => {
          const fields = await cardOf(center, identifiers);
          if (Object.keys(fields).length === 0)
            throw new OutcomeUnknownError(NO_CARD, 'readClient');
          return { id: fields.id ?? null };
        },
        () => null,
      ),
    findCampaigns: (identifiers) =>
      unlessAbsent(
        async () =>
          (await applicationsOf(center, identifiers)).map((one) => one.telemarketCampaignId),
        () => [],
      ),
  };
}

/** The way of changes to single clients. */
export function createClientChanges(center: Center): ClientChanges {
  return {
    change: async ({ operation, params, body }) => {
      await center.sendPrepared(operation, params ? { params } : {}, Buffer.from(body));
    },
    readCard: (identifiers) =>
      unlessAbsent(async () => {
        const fields = await cardOf(center, identifiers);
        return { id: fields.id ?? null, fields };
      }, absent),
    readApplications: (identifiers) =>
      unlessAbsent(
        async () =>
          (await applicationsOf(center, identifiers)).map((application) => ({
            campaignId: application.telemarketCampaignId,
            hasRecall: application.hasRecall === true,
            status: shortenedMessage(application.status),
            calledCount: application.calledCount ?? null,
            nextCall: application.nextCall ?? null,
          })),
        absent,
      ),
  };
}

async function cardOf(center: Center, identifiers: string) {
  const body = Buffer.from(`{"clientSyncIdentifiers":${identifiers}}`);
  return (await center.sendPrepared('readClient', {}, body)).clientFieldsToValues;
}

/** The identifiers were written by the mapping of this run: their shape is not checked again. */
const applicationsOf = (center: Center, identifiers: string) =>
  center.listApplications({ query: JSON.parse(identifiers) as SyncIdentifiers });

function absent({ errorMessage }: RefusedError): AbsentClient {
  return { absent: errorMessage };
}

const NO_CARD = 'readClient: the answer shows nothing of a card';
const NO_CLIENTS = /^No clients with identifiers/;

/** The interface shows an absent client by an error (7). */
async function unlessAbsent<T, A>(
  ask: () => Promise<T>,
  otherwise: (refusal: RefusedError) => A,
): Promise<T | A> {
  try {
    return await ask();
  } catch (error) {
    const isAbsent =
      error instanceof RefusedError &&
      (NO_CLIENTS.test(error.errorMessage) ||
        (meaningOf(error.status ?? 0) === 'not_found' && !/^HTTP /.test(error.errorMessage)));
    if (isAbsent) return otherwise(error);
    throw error;
  }
}
