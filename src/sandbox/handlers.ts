import {
  type Context,
  needCampaign,
  needClient,
  taken,
  type Handlers,
  type HandlerInput,
} from './handler.js';
import { MESSAGES, SUCCESS } from '../contract/shapes.js';
import {
  invalid,
  notFound,
  conflict,
  Refusal,
  tooLarge,
  type ContactKind,
  validateClient,
  isRecord,
  requiredText,
  type CardValues,
  type Card,
  exactNumber,
  contactKey,
} from './card.js';
import type { SyncIdentifiers } from '../core/client.js';
import type { OperationOutput } from '../contract/operations.js';
import {
  type StoredClient,
  type CampaignState,
  type StoredCampaign,
  HAS_RECALL,
  type Condition,
} from './store.js';
import type { EnqueueError } from '../core/center.js';
import { CAMPAIGN_DEFAULTS, CAMPAIGN_FIELDS, weekDaysOf } from '../contract/campaigns.js';
import type { z } from 'zod';
import { FILTER_VALUES, type criterion } from '../contract/applications.js';
import type { CardField } from '../installation/installation.js';

/** A handler for each operation of the contract. */
export function handlersOf(context: Context): Handlers {
  return {
    ...addClientsHandler(context),
    ...clientHandlers(context),
    ...contactHandlers(context),
    ...addApplicationsHandler(context),
    ...applicationHandlers(context),
    ...campaignHandlers(context),
    ...callbackHandlers(context),
  };
}

/** 4.20: callbacks. One that stands sets `hasRecall` of its call application. */
function callbackHandlers({ card, store, now }: Context): Pick<Handlers, 'createCallback'> {
  return {
    createCallback: ({ body }) => {
      const { campaignId, clientIdentifiers, callAt, callAutomatically } = body;
      card.needIdentifiers(clientIdentifiers);
      if (!store.campaigns.has(campaignId)) throw notFound(MESSAGES.callbackCampaignUnknown);
      const clientId = store.clients.findLiveId(card.identity(clientIdentifiers));
      if (clientId === undefined || !store.applications.has(campaignId, clientId)) {
        throw notFound(MESSAGES.callbackClientAbsent);
      }
      if (Date.parse(callAt) <= now()) throw invalid(MESSAGES.callAtNotInFuture);
      store.callbacks.add(campaignId, clientId, JSON.stringify(body), callAutomatically);
      return body;
    },
  };
}

/** 4.10 to 4.12: call applications that exist. */
function applicationHandlers(
  context: Context,
): Pick<Handlers, 'removeApplication' | 'removeApplications' | 'listApplications'> {
  const { card, store } = context;
  return {
    removeApplication: ({ params: { campaignId }, body }) => {
      needCampaign(context, campaignId);
      const { id } = needClient(context, body.clientIdentifiers);
      if (!store.applications.remove(campaignId, id)) {
        throw notFound(MESSAGES.callbackClientAbsent);
      }
      if (body.cancelCallbacks) store.callbacks.cancel(campaignId, id);
      return undefined;
    },

    removeApplications: ({ params: { campaignId }, body }) => {
      needCampaign(context, campaignId);
      // Without a criterion every application would go: more likely by mistake than on purpose.
      if (body.criteria.length === 0) throw invalid(MESSAGES.fieldRequired('criteria'));
      const conditions = body.criteria.map((criterion) => conditionOf(criterion, card));
      store.applications.removeWhere(campaignId, conditions);
      return undefined;
    },

    listApplications: ({ query }) => store.applications.ofClient(needClient(context, query).id),
  };
}

type ContactOperation =
  'addPhone' | 'setPhoneStatus' | 'addEmail' | 'setEmailStatus' | 'addAddress' | 'setAddressStatus';

const WORDS = { phone: 'Phone', email: 'E-mail', address: 'Address' } as const;

/** 4.3 to 4.6b: phones, e-mails and addresses of a client card. */
function contactHandlers(context: Context): Pick<Handlers, ContactOperation> {
  const { contacts } = context.store;

  const add = (
    identifiers: SyncIdentifiers,
    kind: ContactKind,
    value: string,
    type: string | null,
  ): undefined => {
    const { id } = needClient(context, identifiers);
    if (!contacts.add(id, kind, value, type)) {
      throw conflict(`${WORDS[kind]} already exists on the client card`);
    }
  };

  const setActive = (
    identifiers: SyncIdentifiers,
    kind: ContactKind,
    value: string,
    active: boolean,
  ): undefined => {
    const { id } = needClient(context, identifiers);
    if (!contacts.setActive(id, kind, value, active)) {
      throw notFound(`${WORDS[kind]} not found on the client card`);
    }
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
  };
}

type CreateResult = OperationOutput<'addClients'>['createResult'][number];

/** 4.1: clients are validated one by one; what is wrong with one does not touch the others. */
function addClientsHandler(context: Context): Pick<Handlers, 'addClients'> {
  return {
    addClients: ({ body }) => {
      withinClientLimit(context, body.clients);
      const seen = new Set<string>();
      const createResult = body.clients.map((client) =>
        resultOf(context, client, seen, body.recovery === true),
      );
      return { createResult };
    },
  };
}

function resultOf(
  context: Context,
  given: unknown,
  seen: Set<string>,
  recovery: boolean,
): CreateResult {
  const uuid = echoOf(given);
  try {
    const createdClientId = addOne(context, given, seen, recovery);
    return { uuid, result: SUCCESS, createdClientId };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { uuid, result: error.message };
  }
}

/** A number is no uuid either, but its digits show the sender whose result it is. */
function echoOf(given: unknown): string {
  const uuid = isRecord(given) ? given.uuid : undefined;
  return typeof uuid === 'string' || typeof uuid === 'number' ? String(uuid) : '';
}

function addOne(context: Context, given: unknown, seen: Set<string>, recovery: boolean): number {
  if (!isRecord(given)) throw invalid('A client must be an object.');
  const uuid = requiredText(given.uuid, 'uuid');
  if (seen.has(uuid)) throw invalid('Field [uuid] must be unique within one request.');
  seen.add(uuid);
  const client = validateClient(given, context.card, context.clientRoles);
  const added = context.store.clients.add(client);
  if ('id' in added) return added.id;
  const { holder } = added;
  if (!holder.deleted || !recovery) throw taken(context, holder.deleted, client.fields);
  context.store.clients.restore(holder, client);
  return holder.id;
}

/** 4.2 and 4.6c to 4.8: client cards that exist. */
function clientHandlers(
  context: Context,
): Pick<Handlers, 'changeClient' | 'changeSyncIdentifiers' | 'deleteClient' | 'readClient'> {
  const { card, store } = context;
  return {
    changeClient: ({ body }) => {
      const client = needClient(context, body.syncIdentifiers);
      const changes = card.values(body.fieldsToUpdate);
      const emptied = Object.keys(changes).find(
        (name) => changes[name] === null && card.mustNotBeBlank(name),
      );
      if (emptied !== undefined) throw invalid(MESSAGES.fieldRequired(emptied));
      setFields(context, client, changes);
      return undefined;
    },

    changeSyncIdentifiers: ({ params, body }) => {
      const client = store.clients.findById(params.clientId);
      if (!client || client.deleted) throw notFound(MESSAGES.noClient(`id=${params.clientId}`));
      const stranger = Object.keys(body.clientSyncIdentifiers).find(
        (name) => !card.syncNames.includes(name),
      );
      if (stranger !== undefined) {
        throw invalid(`Field [${stranger}] is not a synchronization identifier.`);
      }
      card.needIdentifiers(body.clientSyncIdentifiers);
      setFields(context, client, card.values(body.clientSyncIdentifiers));
      return undefined;
    },

    deleteClient: ({ body }) => {
      store.clients.markDeleted(needClient(context, body.syncIdentifiers).id);
      return undefined;
    },

    readClient: ({ body }) => {
      const { id, type, timeZone, fields } = needClient(context, body.clientSyncIdentifiers);
      const values = Object.fromEntries(card.names.map((name) => [name, fields[name] ?? null]));
      return { clientFieldsToValues: { ...values, id, clientType: type, timeZone } };
    },
  };
}

/** Changes fields of a card; new identifiers must not be another client's, deleted or not. */
function setFields(context: Context, client: StoredClient, changes: CardValues): void {
  const { card, store } = context;
  const fields = { ...client.fields, ...changes };
  const identity = card.identity(fields);
  const holder = store.clients.findByIdentity(identity);
  if (holder && holder.id !== client.id) throw taken(context, holder.deleted, fields);
  store.clients.setFields(client.id, identity, fields);
}

type Input = HandlerInput<'addApplications'>;

/** 4.9: each client is added or refused by itself; the answer names those that were refused. */
function addApplicationsHandler(context: Context): Pick<Handlers, 'addApplications'> {
  return {
    addApplications: ({ params, body }) => {
      withinClientLimit(context, body.clients);
      needCampaign(context, params.campaigId);
      const errors = body.clients
        .map((client) => errorOf(context, identifiersOf(client), params.campaigId, body))
        .filter((error) => error !== undefined);
      if (errors.length === 0) return {};
      return new Refusal(400, 'Some clients were not added', { errors });
    },
  };
}

function errorOf(
  context: Context,
  clientIdentifiers: Record<string, unknown>,
  campaignId: number,
  body: Input['body'],
): EnqueueError | undefined {
  const errorMessage = addApplication(context, clientIdentifiers, campaignId, body);
  return errorMessage === undefined ? undefined : { clientIdentifiers, errorMessage };
}

/** Why the client could not be added; `undefined` when it was. */
function addApplication(
  { card, store, blacklist, now }: Context,
  identifiers: Record<string, unknown>,
  campaignId: number,
  { maxCallCount, disableDuplicatePhonesValidation }: Input['body'],
): string | undefined {
  const id = store.clients.findLiveId(card.identity(identifiers));
  if (id === undefined) return MESSAGES.noSuchClient;
  if (store.applications.has(campaignId, id)) return MESSAGES.alreadyInCampaign;
  if (blacklist.size > 0 && store.contacts.phoneKeys(id).some((key) => blacklist.has(key))) {
    return MESSAGES.blacklisted;
  }
  if (
    disableDuplicatePhonesValidation === false &&
    store.applications.sharesPhone(campaignId, id)
  ) {
    return MESSAGES.alreadyInCampaign;
  }
  store.applications.add(campaignId, id, maxCallCount, now());
  return undefined;
}

/** The identifiers as they were sent; an element without any stands for a client that does not exist. */
function identifiersOf(client: unknown): Record<string, unknown> {
  return isRecord(client) && isRecord(client.clientIdentifiers) ? client.clientIdentifiers : {};
}

/** @throws Refusal of the whole request when it holds more clients than the installation permits */
function withinClientLimit({ clientsPerRequest }: Context, clients: readonly unknown[]): void {
  if (clientsPerRequest !== undefined && clients.length > clientsPerRequest) {
    throw tooLarge(
      `The request holds ${clients.length} clients; at most ${clientsPerRequest} are permitted.`,
    );
  }
}

/** A task's id is its campaign's, set apart so that the one is never taken for the other unnoticed. */
const TASK_OFFSET = 1_000_000;

type CampaignOperation =
  | 'createCampaign'
  | 'deleteCampaign'
  | 'startCampaign'
  | 'stopCampaign'
  | 'restartCampaign'
  | 'campaignTask'
  | 'assignTask'
  | 'listCampaigns';

/** 4.13 to 4.19: campaigns and their tasks. */
function campaignHandlers(context: Context): Pick<Handlers, CampaignOperation> {
  const { campaigns } = context.store;
  const goTo = (campaignId: number, state: CampaignState): undefined => {
    needCampaign(context, campaignId);
    campaigns.setState(campaignId, state);
  };
  return {
    createCampaign: ({ body }) => {
      campaigns.add(body);
      return undefined;
    },
    deleteCampaign: ({ params: { campaignId } }) => {
      needCampaign(context, campaignId);
      campaigns.remove(campaignId);
      return undefined;
    },
    startCampaign: ({ params }) => goTo(params.campaignId, 'STARTED'),
    stopCampaign: ({ params }) => goTo(params.campaignId, 'STOPPED'),
    restartCampaign: ({ params }) => goTo(params.campaignId, 'STARTED'),
    campaignTask: ({ params: { campaignId } }) => {
      needCampaign(context, campaignId);
      return { taskId: campaignId + TASK_OFFSET };
    },
    assignTask: (input) => assignTask(context, input),
    listCampaigns: ({ query }) => campaigns.page(query.limit, query.offset ?? 0).map(listed),
  };
}

function assignTask(
  { store: { campaigns } }: Context,
  { params: { groupId, taskId }, body }: HandlerInput<'assignTask'>,
): undefined {
  const campaignId = taskId - TASK_OFFSET;
  if (!campaigns.has(campaignId)) throw notFound(MESSAGES.noCampaign(taskId));
  campaigns.assign({ groupId, campaignId, ...body });
}

/** A campaign as it is listed: defaults filled in, what is unset is null (interface.md 2.4). */
function listed({ id, fields }: StoredCampaign) {
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

/** The filters of interface.md 4.11 as SQL conditions. */

type Criterion = z.output<typeof criterion>;

/** Where the values of the keys with fixed values lie. */
const FIXED_COLUMNS = {
  'application.status': 'a.status',
  'application.ccprojectCallStatus': 'a.ccproject_call_status',
  'ts.clientCallStatus': 'a.client_call_status',
  'application.hasRecall': `CASE WHEN ${HAS_RECALL} THEN 'true' ELSE 'false' END`,
} as const satisfies Record<keyof typeof FILTER_VALUES, string>;

const CARD_VALUE = '(SELECT j.value FROM json_each(c.fields) j WHERE j.key = ?)';

/**
 * The condition that a criterion means. A card field wins over `id`, the internal client id.
 * @throws Refusal for a key that does not exist or a value that it cannot have
 */
function conditionOf(criterion: Criterion, card: Card): Condition {
  const { key } = criterion;
  const field = card.field(key);
  if (field) return onCardField(criterion, field);
  if (key === 'phones.phoneNumber') return onPhones(criterion);
  if (key === 'id') return compare('c.id', [], criterion, numberFor(criterion));
  if (isFixed(key)) return onFixed(criterion, key);
  throw invalid(`Filter key [${key}] is not known.`);
}

function isFixed(key: string): key is keyof typeof FILTER_VALUES {
  return Object.hasOwn(FILTER_VALUES, key);
}

function onFixed(criterion: Criterion, key: keyof typeof FILTER_VALUES): Condition {
  const allowed: readonly string[] = FILTER_VALUES[key];
  const value = String(criterion.value);
  if (!allowed.includes(value)) {
    throw invalid(`Filter value of [${key}] must be one of ${allowed.join(', ')}.`);
  }
  return compare(FIXED_COLUMNS[key], [], criterion, value);
}

function onCardField(criterion: Criterion, field: CardField): Condition {
  const value = field.type === 'Number' ? numberFor(criterion) : String(criterion.value);
  return compare(CARD_VALUE, [criterion.key], criterion, value);
}

/** The value for a numeric key; a part of its digits will do for LIKE. */
function numberFor({ key, value, operator }: Criterion): string | number {
  if (operator !== '=') return String(value);
  const number = exactNumber(value);
  if (number === undefined) throw invalid(`Filter value of [${key}] must be a number.`);
  return number;
}

/** Any phone of the client counts: `NOT LIKE` holds when none of them is like the value. */
function onPhones({ value, operator }: Criterion): Condition {
  const text = String(value);
  const any = (sql: string): string =>
    `EXISTS (SELECT 1 FROM contacts p WHERE p.client_id = c.id AND p.kind = 'phone' AND ${sql})`;
  if (operator === '=') return { sql: any('p.key = ?'), values: [contactKey('phone', text)] };
  // As it was written, and by its digits alone: +7 (916) is like 7916.
  const sql = any('(p.value GLOB ? OR p.key GLOB ?)');
  return { sql: operator === 'LIKE' ? sql : `NOT ${sql}`, values: [globOf(text), globOf(text)] };
}

/** A value that is not there is like nothing. */
function compare(
  column: string,
  columnValues: readonly string[],
  { operator }: Criterion,
  value: string | number,
): Condition {
  if (operator === '=') return { sql: `${column} = ?`, values: [...columnValues, value] };
  const like = `coalesce(CAST(${column} AS TEXT), '') GLOB ?`;
  const sql = operator === 'LIKE' ? like : `NOT (${like})`;
  return { sql, values: [...columnValues, globOf(String(value))] };
}

/** `LIKE` means: contains; with `%` in the value: the pattern it is in SQL. GLOB minds case in every alphabet. */
function globOf(text: string): string {
  const escaped = text.replace(/[*?[]/g, '[$&]');
  return escaped.includes('%') ? escaped.replaceAll('%', '*') : `*${escaped}*`;
}
