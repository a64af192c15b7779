import { z } from 'zod';
import {
  type OperationInput,
  type OperationName,
  type OperationOutput,
  operations,
  CAMPAIGN_DEFAULTS,
  CAMPAIGN_FIELDS,
  weekDaysOf,
  MESSAGES,
  SUCCESS,
} from '../contract/operations.js';
import {
  invalid,
  notFound,
  conflict,
  Refusal,
  tooLarge,
  type ContactKind,
  validateClient,
  requiredText,
  type CardValues,
  type Card,
  contactKey,
} from './card.js';
import type { SyncIdentifiers } from '../core/client.js';
import { isRecord } from '../core/text.js';
import { SQL, type StoredApplication, type StoredClient, type Store, parsed } from './store.js';

/** Bodies of the operations that validate each client by itself: only the frame is checked for the whole request. */
export const FRAMES = {
  addClients: z.object({
    clients: z.array(z.unknown()),
    recovery: operations.addClients.body.shape.recovery,
  }),
  addApplications: operations.addApplications.body.extend({ clients: z.array(z.unknown()) }),
} as const satisfies Partial<Record<OperationName, z.ZodType>>;

type Frames = typeof FRAMES;

/** What a handler is given: the checked parameters, query and body of its operation. */
type Input<N extends OperationName> = N extends keyof Frames
  ? Omit<OperationInput<N>, 'body'> & { body: z.output<Frames[N]> }
  : OperationInput<N>;

/**
 * A handler for each operation of the contract. What it does is kept when it returns, a `Refusal` included, and undone
 * when it throws. `undefined` becomes the operation's acknowledgement.
 */
export type Handlers = {
  readonly [N in OperationName]: (input: Input<N>) => OperationOutput<N> | Refusal;
};

/** What every handler works with. */
export interface Center {
  readonly card: Card;
  readonly store: Store;
  readonly clientRoles: readonly number[] | undefined;
  /** Maximum clients in one request of 4.1 and 4.9. */
  readonly clientsPerRequest: number | undefined;
  /** Phone keys that may not be called. */
  readonly blacklist: ReadonlySet<string>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export function handlersOf(center: Center): Handlers {
  return {
    ...clientHandlers(center),
    ...contactHandlers(center),
    ...applicationHandlers(center),
    ...campaignHandlers(center),
  };
}

/**
 * The client with these identifiers.
 * @throws Refusal when an identifier is missing or blank, or there is no such client that is not deleted
 */
function needClient({ card, store }: Center, identifiers: SyncIdentifiers): StoredClient {
  card.needIdentifiers(identifiers);
  const found = store.client('identity', card.identity(identifiers));
  if (!found || found.deleted) throw notFound(MESSAGES.noClient(card.describe(identifiers)));
  return found;
}

const isCampaign = ({ store }: Center, id: number): boolean => store.has(SQL.campaign, id);

/** @throws Refusal when there is no such campaign */
function needCampaign(center: Center, campaignId: number): void {
  if (!isCampaign(center, campaignId)) throw notFound(MESSAGES.noCampaign(campaignId));
}

/** Why identifiers cannot be used: another client has them. */
function taken({ card }: Center, deleted: boolean, fields: Readonly<Record<string, unknown>>) {
  const who = `Client with identifiers: [${card.describe(fields)}]`;
  return conflict(deleted ? `${who} is deleted; recovery restores it` : `${who} already exists`);
}

/** @throws Refusal of the whole request when it holds more clients than the installation permits */
function withinClientLimit({ clientsPerRequest }: Center, clients: readonly unknown[]): void {
  if (clientsPerRequest !== undefined && clients.length > clientsPerRequest) {
    throw tooLarge(
      `The request holds ${clients.length} clients; at most ${clientsPerRequest} are permitted.`,
    );
  }
}

/** 4.1, 4.2 and 4.6c to 4.8: client cards. */
function clientHandlers(center: Center) {
  const { card, store } = center;
  return {
    /** Clients are validated one by one; what is wrong with one does not touch the others. */
    addClients: ({ body }) => {
      withinClientLimit(center, body.clients);
      const seen = new Set<string>();
      const createResult = body.clients.map((client) =>
        resultOf(center, client, seen, body.recovery === true),
      );
      return { createResult };
    },

    changeClient: ({ body }) => {
      const client = needClient(center, body.syncIdentifiers);
      const changes = card.values(body.fieldsToUpdate);
      const emptied = Object.keys(changes).find(
        (name) => changes[name] === null && card.mustNotBeBlank(name),
      );
      if (emptied !== undefined) throw invalid(MESSAGES.fieldRequired(emptied));
      setFields(center, client, changes);
      return undefined;
    },

    changeSyncIdentifiers: ({ params, body }) => {
      const client = store.client('id', params.clientId);
      if (!client || client.deleted) throw notFound(MESSAGES.noClient(`id=${params.clientId}`));
      const stranger = Object.keys(body.clientSyncIdentifiers).find(
        (name) => !card.syncNames.includes(name),
      );
      if (stranger !== undefined) {
        throw invalid(`Field [${stranger}] is not a synchronization identifier.`);
      }
      card.needIdentifiers(body.clientSyncIdentifiers);
      setFields(center, client, card.values(body.clientSyncIdentifiers));
      return undefined;
    },

    deleteClient: ({ body }) => {
      const { id } = needClient(center, body.syncIdentifiers);
      store.run(SQL.deleteClient, id);
      return undefined;
    },

    readClient: ({ body }) => {
      const { id, type, timeZone, fields } = needClient(center, body.clientSyncIdentifiers);
      const values = Object.fromEntries(card.names.map((name) => [name, fields[name] ?? null]));
      return { clientFieldsToValues: { ...values, id, clientType: type, timeZone } };
    },
  } satisfies Partial<Handlers>;
}

function resultOf(
  center: Center,
  given: unknown,
  seen: Set<string>,
  recovery: boolean,
): OperationOutput<'addClients'>['createResult'][number] {
  const own = isRecord(given) ? given.uuid : undefined;
  // A number is no uuid either, but its digits show the sender whose result it is.
  const uuid = typeof own === 'string' || typeof own === 'number' ? String(own) : '';
  try {
    const createdClientId = addOne(center, given, seen, recovery);
    return { uuid, result: SUCCESS, createdClientId };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { uuid, result: error.message };
  }
}

function addOne(center: Center, given: unknown, seen: Set<string>, recovery: boolean): number {
  const { card, store } = center;
  if (!isRecord(given)) throw invalid('A client must be an object.');
  const uuid = requiredText(given.uuid, 'uuid');
  if (seen.has(uuid)) throw invalid('Field [uuid] must be unique within one request.');
  seen.add(uuid);
  const client = validateClient(given, card, center.clientRoles);
  const added = store.addClient(client);
  if (added !== undefined) return added;
  const holder = store.client('identity', client.identity);
  if (!holder) throw new Error('a client was neither added nor found');
  if (!holder.deleted || !recovery) throw taken(center, holder.deleted, client.fields);
  store.restoreClient(holder, client);
  return holder.id;
}

/** Changes fields of a card; new identifiers must not be another client's, deleted or not. */
function setFields(center: Center, client: StoredClient, changes: CardValues): void {
  const { card, store } = center;
  const fields = { ...client.fields, ...changes };
  const identity = card.identity(fields);
  const holder = store.client('identity', identity);
  if (holder && holder.id !== client.id) throw taken(center, holder.deleted, fields);
  store.run(SQL.changeClient, identity, JSON.stringify(fields), client.id);
}

const WORDS = { phone: 'Phone', email: 'E-mail', address: 'Address' } as const;

/** 4.3 to 4.6b: phones, e-mails and addresses of a client card. */
function contactHandlers(center: Center) {
  const { store } = center;

  const add = (
    identifiers: SyncIdentifiers,
    kind: ContactKind,
    value: string,
    type: string | null,
  ): undefined => {
    const { id } = needClient(center, identifiers);
    const key = contactKey(kind, value);
    const held = store.all<{ position: number; key: string }>(SQL.contacts, id, kind);
    if (held.some((one) => one.key === key))
      throw conflict(`${WORDS[kind]} already exists on the client card`);
    const position = (held.at(-1)?.position ?? -1) + 1;
    store.addContact(id, position, { kind, value, key, type, active: true, disabled: false });
  };

  const setActive = (
    identifiers: SyncIdentifiers,
    kind: ContactKind,
    value: string,
    active: boolean,
  ): undefined => {
    const { id } = needClient(center, identifiers);
    const key = contactKey(kind, value);
    const { changes } = store.run(SQL.setActive, active ? 1 : 0, id, kind, key);
    if (changes === 0) throw notFound(`${WORDS[kind]} not found on the client card`);
  };

  return {
    addPhone: ({ body }) => add(body.clientSyncIdentifiers, 'phone', body.phoneNumber, body.type),
    setPhoneStatus: ({ body }) =>
      setActive(body.clientSyncIdentifiers, 'phone', body.phoneNumber, body.active),
    addEmail: ({ body }) => add(body.clientSyncIdentifiers, 'email', body.emailAddress, null),
    setEmailStatus: ({ body }) =>
      setActive(body.clientSyncIdentifiers, 'email', body.emailAddress, body.active),
    addAddress: ({ body }) =>
      add(body.clientSyncIdentifiers, 'address', body.clientAddress, body.type),
    setAddressStatus: ({ body }) =>
      setActive(body.clientSyncIdentifiers, 'address', body.clientAddress, body.active),
  } satisfies Partial<Handlers>;
}

const isQueued = ({ store }: Center, campaignId: number, clientId: number): boolean =>
  store.has(SQL.application, campaignId, clientId);

/** 4.9 to 4.12 and 4.20: call applications, and their callbacks. */
function applicationHandlers(center: Center) {
  const { card, store, now } = center;
  return {
    /** Each client is added or refused by itself; the answer names those that were refused. */
    addApplications: ({ params, body }) => {
      withinClientLimit(center, body.clients);
      needCampaign(center, params.campaigId);
      const errors = body.clients.flatMap((client) => {
        const clientIdentifiers = identifiersOf(client);
        const errorMessage = addApplication(center, clientIdentifiers, params.campaigId, body);
        return errorMessage === undefined ? [] : [{ clientIdentifiers, errorMessage }];
      });
      if (errors.length === 0) return {};
      return new Refusal(400, 'Some clients were not added', { errors });
    },

    /** Manual callbacks go with it, and automatic ones go to CANCEL, where that is asked for (interface.md 3). */
    removeApplication: ({ params: { campaignId }, body }) => {
      needCampaign(center, campaignId);
      const { id } = needClient(center, body.clientIdentifiers);
      if (store.run(SQL.removeApplication, campaignId, id).changes === 0)
        throw notFound(MESSAGES.callbackClientAbsent);
      if (!body.cancelCallbacks) return undefined;
      store.run(SQL.deleteCallbacks, campaignId, id);
      store.run(SQL.cancelCallbacks, campaignId, id);
      return undefined;
    },

    removeApplications: ({ params: { campaignId }, body }) => {
      needCampaign(center, campaignId);
      // Without a criterion every application would go: more likely by mistake than on purpose.
      if (body.criteria.length === 0) throw invalid(MESSAGES.fieldRequired('criteria'));
      store.removeApplications(campaignId, body.criteria, card);
      return undefined;
    },

    listApplications: ({ query }) =>
      store
        .all<StoredApplication>(SQL.applications, needClient(center, query).id)
        .map((row) => ({ ...row, hasRecall: row.hasRecall === 1 })),

    /** A callback that stands sets `hasRecall` of its call application. */
    createCallback: ({ body }) => {
      const { campaignId, clientIdentifiers, callAt, callAutomatically } = body;
      card.needIdentifiers(clientIdentifiers);
      if (!isCampaign(center, campaignId)) throw notFound(MESSAGES.callbackCampaignUnknown);
      const clientId = store.liveId(card.identity(clientIdentifiers));
      if (clientId === undefined || !isQueued(center, campaignId, clientId)) {
        throw notFound(MESSAGES.callbackClientAbsent);
      }
      if (Date.parse(callAt) <= now()) throw invalid(MESSAGES.callAtNotInFuture);
      const isAutomatic = callAutomatically ? 1 : 0;
      store.run(SQL.addCallback, campaignId, clientId, JSON.stringify(body), isAutomatic);
      return body;
    },
  } satisfies Partial<Handlers>;
}

/** Why the client could not be added; `undefined` when it was. */
function addApplication(
  center: Center,
  identifiers: Record<string, unknown>,
  campaignId: number,
  { maxCallCount, disableDuplicatePhonesValidation }: Input<'addApplications'>['body'],
): string | undefined {
  const { card, store, blacklist, now } = center;
  const id = store.liveId(card.identity(identifiers));
  if (id === undefined) return MESSAGES.noSuchClient;
  if (isQueued(center, campaignId, id)) return MESSAGES.alreadyInCampaign;
  if (blacklist.size > 0) {
    const phones = store.all<{ key: string }>(SQL.contacts, id, 'phone');
    if (phones.some(({ key }) => blacklist.has(key))) return MESSAGES.blacklisted;
  }
  const isStrict = disableDuplicatePhonesValidation === false;
  if (isStrict && store.has(SQL.sharedPhone, campaignId, id)) return MESSAGES.alreadyInCampaign;
  store.run(SQL.addApplication, campaignId, id, maxCallCount, now());
  return undefined;
}

/** The identifiers as they were sent; an element without any stands for a client that does not exist. */
function identifiersOf(client: unknown): Record<string, unknown> {
  return isRecord(client) && isRecord(client.clientIdentifiers) ? client.clientIdentifiers : {};
}

/** A task's id is its campaign's, set apart so that the one is never taken for the other unnoticed. */
const TASK_OFFSET = 1_000_000;

/** 4.13 to 4.19: campaigns and their tasks. States are not shown by the interface; they show what was last asked for. */
function campaignHandlers(center: Center) {
  const { store } = center;
  const goTo = (campaignId: number, state: 'STARTED' | 'STOPPED'): undefined => {
    needCampaign(center, campaignId);
    store.run(SQL.setState, state, campaignId);
  };
  return {
    createCampaign: ({ body }) => {
      store.run(SQL.addCampaign, JSON.stringify(body));
      return undefined;
    },
    /** Its applications, callbacks and assignments go with it. */
    deleteCampaign: ({ params: { campaignId } }) => {
      needCampaign(center, campaignId);
      store.run(SQL.deleteCampaign, campaignId);
      return undefined;
    },
    startCampaign: ({ params }) => goTo(params.campaignId, 'STARTED'),
    stopCampaign: ({ params }) => goTo(params.campaignId, 'STOPPED'),
    restartCampaign: ({ params }) => goTo(params.campaignId, 'STARTED'),
    campaignTask: ({ params: { campaignId } }) => {
      needCampaign(center, campaignId);
      return { taskId: campaignId + TASK_OFFSET };
    },
    assignTask: ({ params: { groupId, taskId }, body }) => {
      const campaignId = taskId - TASK_OFFSET;
      if (!isCampaign(center, campaignId)) throw notFound(MESSAGES.noCampaign(taskId));
      const { taskPriority, userSelectionMode, previewTimeout } = body;
      const assignment = [groupId, campaignId, taskPriority, userSelectionMode, previewTimeout];
      store.run(SQL.assignTask, ...assignment);
      return undefined;
    },
    listCampaigns: ({ query }) =>
      store
        .all<{ id: number; fields: string }>(SQL.campaigns, query.limit, query.offset ?? 0)
        .map(({ id, fields }) => listed(id, parsed(fields))),
  } satisfies Partial<Handlers>;
}

/** A campaign as it is listed: defaults filled in, what is unset is null (interface.md 2.4). */
function listed(id: number, fields: Readonly<Record<string, unknown>>) {
  const defaults: Readonly<Record<string, unknown>> = CAMPAIGN_DEFAULTS;
  const values = CAMPAIGN_FIELDS.map((name): [string, unknown] => [
    name,
    fields[name] ?? defaults[name] ?? null,
  ]);
  const { name, weekDays } = fields;
  return {
    ...Object.fromEntries(values),
    id,
    name: String(name),
    ccProjectId: null,
    smsMessage: null,
    weekDays: typeof weekDays === 'string' ? weekDaysOf(weekDays) : null,
  };
}
