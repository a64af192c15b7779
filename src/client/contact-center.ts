import {
  operations,
  type OperationInput,
  type OperationName,
  type OperationOutput,
} from '../contract/operations.js';
import type { Installation } from '../installation/installation.js';
import { buildRequest, wrapBody, type RawInput } from './request.js';
import { createSender, type CallOptions, type Sender, type SenderOptions } from './sender.js';
import type { AbsentClient, ClientChanges, CenterPort } from '../core/center.js';
import { OutcomeUnknownError, RefusedError, meaningOf } from '../core/errors.js';
import type { SyncIdentifiers } from '../core/client.js';
import { shortenedMessage } from '../core/text.js';

export type ContactCenterOptions = SenderOptions;
export type { CallOptions, ExchangeEvent } from './sender.js';
/* What else others need of the room: nobody imports past this file. */
export { handshake, warmTransport } from './connection.js';
export { type RequestExtras, USER_AGENT, buildRequest, missingSecrets } from './request.js';

/** One method for each operation of the contract's table. */
export type Methods = {
  readonly [N in OperationName]: (
    input: OperationInput<N>,
    options?: CallOptions,
  ) => Promise<OperationOutput<N>>;
};

/**
 * A contact center over HTTP: one method for each operation of the interface. Each checks its input (InvalidInputError)
 * and its answer, and rejects with a ContactCenterError that says what the caller can do.
 */
export interface ContactCenter extends Methods {
  /** Sends a body that is JSON already, unchecked; all else is as with the operation's own method. */
  sendPrepared<N extends OperationName>(
    name: N,
    input: Omit<OperationInput<N>, 'body'>,
    body: Uint8Array,
    options?: CallOptions,
  ): Promise<OperationOutput<N>>;
  /** Waits for the requests under way and closes the connections. */
  close(): Promise<void>;
}

/**
 * Makes the client of one contact center. Nothing is sent before the first call.
 * @throws ConfigurationError when an address, a header, a variable of the environment or a certificate is wrong.
 */
export function createContactCenter(
  installation: Installation,
  options: ContactCenterOptions = {},
): ContactCenter {
  const sender = createSender(installation, options);
  return {
    ...methods(sender),
    sendPrepared: (async (name, input, body, call) =>
      sender.send(
        name,
        wrapBody(name, input, body, call?.extras?.query),
        call,
      )) as ContactCenter['sendPrepared'],
    close: () => sender.close(),
  };
}

/**
 * `new ContactCenter(installation)`, for whoever expects a class: a function that is called with `new` and returns an
 * object gives that object. @throws ConfigurationError as `createContactCenter` does
 */
export const ContactCenter = function (installation: Installation, options?: ContactCenterOptions) {
  return createContactCenter(installation, options);
} as unknown as new (installation: Installation, options?: ContactCenterOptions) => ContactCenter;

/** Derives the methods by iterating over the table; its types are read off the same table, so they agree. */
function methods(sender: Sender): Methods {
  const names = Object.keys(operations) as OperationName[];
  const entries = names.map((name) => [
    name,
    async (input: RawInput, call?: CallOptions) =>
      sender.send(name, buildRequest(name, input, call?.extras), call),
  ]);
  return Object.fromEntries(entries) as Methods;
}

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
