import { z } from 'zod';
import {
  type OperationInput,
  type OperationName,
  type OperationOutput,
  operations,
  CAMPAIGN_DEFAULTS,
  CAMPAIGN_FIELDS,
  weekDaysOf,
  FILTER_VALUES,
  type criterion,
} from '../contract/operations.js';
import { MESSAGES, SUCCESS } from '../contract/shapes.js';
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
  exactNumber,
  contactKey,
} from './card.js';
import type { SyncIdentifiers } from '../core/client.js';
import { isRecord } from '../core/text.js';
import { type StoredClient, type Store, parsed } from './store.js';

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
export interface Context {
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

export function handlersOf(context: Context): Handlers {
  return {
    ...clientHandlers(context),
    ...contactHandlers(context),
    ...applicationHandlers(context),
    ...campaignHandlers(context),
  };
}

/**
 * The client with these identifiers.
 * @throws Refusal when an identifier is missing or blank, or there is no such client that is not deleted
 */
function needClient({ card, store }: Context, identifiers: SyncIdentifiers): StoredClient {
  card.needIdentifiers(identifiers);
  const found = store.client('identity', card.identity(identifiers));
  if (!found || found.deleted) throw notFound(MESSAGES.noClient(card.describe(identifiers)));
  return found;
}

const isCampaign = ({ store }: Context, id: number): boolean =>
  store.has('SELECT 1 FROM campaigns WHERE id = ?', id);

/** @throws Refusal when there is no such campaign */
function needCampaign(context: Context, campaignId: number): void {
  if (!isCampaign(context, campaignId)) throw notFound(MESSAGES.noCampaign(campaignId));
}

/** Why identifiers cannot be used: another client has them. */
function taken({ card }: Context, deleted: boolean, fields: Readonly<Record<string, unknown>>) {
  const who = `Client with identifiers: [${card.describe(fields)}]`;
  return conflict(deleted ? `${who} is deleted; recovery restores it` : `${who} already exists`);
}

/** @throws Refusal of the whole request when it holds more clients than the installation permits */
function withinClientLimit({ clientsPerRequest }: Context, clients: readonly unknown[]): void {
  if (clientsPerRequest !== undefined && clients.length > clientsPerRequest) {
    throw tooLarge(
      `The request holds ${clients.length} clients; at most ${clientsPerRequest} are permitted.`,
    );
  }
}

/** 4.1, 4.2 and 4.6c to 4.8: client cards. */
function clientHandlers(context: Context) {
  const { card, store } = context;
  return {
    /** Clients are validated one by one; what is wrong with one does not touch the others. */
    addClients: ({ body }) => {
      withinClientLimit(context, body.clients);
      const seen = new Set<string>();
      const createResult = body.clients.map((client) =>
        resultOf(context, client, seen, body.recovery === true),
      );
      return { createResult };
    },

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
      const client = store.client('id', params.clientId);
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
      const { id } = needClient(context, body.syncIdentifiers);
      store.run('UPDATE clients SET deleted = 1 WHERE id = ?', id);
      return undefined;
    },

    readClient: ({ body }) => {
      const { id, type, timeZone, fields } = needClient(context, body.clientSyncIdentifiers);
      const values = Object.fromEntries(card.names.map((name) => [name, fields[name] ?? null]));
      return { clientFieldsToValues: { ...values, id, clientType: type, timeZone } };
    },
  } satisfies Partial<Handlers>;
}

function resultOf(
  context: Context,
  given: unknown,
  seen: Set<string>,
  recovery: boolean,
): OperationOutput<'addClients'>['createResult'][number] {
  const own = isRecord(given) ? given.uuid : undefined;
  // A number is no uuid either, but its digits show the sender whose result it is.
  const uuid = typeof own === 'string' || typeof own === 'number' ? String(own) : '';
  try {
    const createdClientId = addOne(context, given, seen, recovery);
    return { uuid, result: SUCCESS, createdClientId };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { uuid, result: error.message };
  }
}

function addOne(context: Context, given: unknown, seen: Set<string>, recovery: boolean): number {
  const { card, store } = context;
  if (!isRecord(given)) throw invalid('A client must be an object.');
  const uuid = requiredText(given.uuid, 'uuid');
  if (seen.has(uuid)) throw invalid('Field [uuid] must be unique within one request.');
  seen.add(uuid);
  const client = validateClient(given, card, context.clientRoles);
  const added = store.addClient(client);
  if (added !== undefined) return added;
  const holder = store.client('identity', client.identity);
  if (!holder) throw new Error('a client was neither added nor found');
  if (!holder.deleted || !recovery) throw taken(context, holder.deleted, client.fields);
  store.restoreClient(holder, client);
  return holder.id;
}

/** Changes fields of a card; new identifiers must not be another client's, deleted or not. */
function setFields(context: Context, client: StoredClient, changes: CardValues): void {
  const { card, store } = context;
  const fields = { ...client.fields, ...changes };
  const identity = card.identity(fields);
  const holder = store.client('identity', identity);
  if (holder && holder.id !== client.id) throw taken(context, holder.deleted, fields);
  const sql = 'UPDATE clients SET identity = ?, fields = ? WHERE id = ?';
  store.run(sql, identity, JSON.stringify(fields), client.id);
}

const WORDS = { phone: 'Phone', email: 'E-mail', address: 'Address' } as const;

/** 4.3 to 4.6b: phones, e-mails and addresses of a client card. */
function contactHandlers(context: Context) {
  const { store } = context;

  const add = (
    identifiers: SyncIdentifiers,
    kind: ContactKind,
    value: string,
    type: string | null,
  ): undefined => {
    const { id } = needClient(context, identifiers);
    const key = contactKey(kind, value);
    const held = store.all<{ position: number; key: string }>(
      'SELECT position, key FROM contacts WHERE client_id = ? AND kind = ? ORDER BY position',
      ...[id, kind],
    );
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
    const { id } = needClient(context, identifiers);
    const sql = 'UPDATE contacts SET active = ? WHERE client_id = ? AND kind = ? AND key = ?';
    const { changes } = store.run(sql, active ? 1 : 0, id, kind, contactKey(kind, value));
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

/** A call application with the fields of interface.md 2.3; a type, since the contract lets it hold more. */
type StoredApplication = {
  readonly id: number;
  readonly telemarketCampaignId: number;
  readonly maxCallCount: number;
  readonly calledCount: number;
  readonly status: string;
  readonly lastCall: number;
  readonly nextCall: number;
  readonly nextPhoneNumber: string;
  readonly hasRecall: 0 | 1;
};

/** A callback that still stands makes an application's `hasRecall`; `a` is the application. */
const HAS_RECALL = `EXISTS (
  SELECT 1 FROM callbacks r
  WHERE r.client_id = a.client_id AND r.campaign_id = a.campaign_id AND r.status <> 'CANCEL')`;

const LIST = `
  SELECT a.id, a.campaign_id AS telemarketCampaignId, a.max_call_count AS maxCallCount,
    a.called_count AS calledCount, a.status, a.last_call AS lastCall, a.next_call AS nextCall,
    (SELECT p.value FROM contacts p WHERE p.client_id = a.client_id AND p.kind = 'phone'
      ORDER BY p.active DESC, p.position LIMIT 1) AS nextPhoneNumber,
    ${HAS_RECALL} AS hasRecall
  FROM applications a WHERE a.client_id = ? ORDER BY a.id`;

// CROSS JOIN keeps the order of the tables: from the few phones of the client, never from the whole campaign.
const SHARED_PHONE = `
  SELECT 1 FROM contacts mine
  CROSS JOIN contacts other
    ON other.kind = 'phone' AND other.key = mine.key AND other.client_id <> mine.client_id
  CROSS JOIN applications a ON a.campaign_id = ? AND a.client_id = other.client_id
  CROSS JOIN clients c ON c.id = other.client_id AND c.deleted = 0
  WHERE mine.client_id = ? AND mine.kind = 'phone' LIMIT 1`;

const isQueued = ({ store }: Context, campaignId: number, clientId: number): boolean =>
  store.has(
    'SELECT 1 FROM applications WHERE campaign_id = ? AND client_id = ?',
    ...[campaignId, clientId],
  );

/** 4.9 to 4.12 and 4.20: call applications, and their callbacks. */
function applicationHandlers(context: Context) {
  const { card, store, now } = context;
  return {
    /** Each client is added or refused by itself; the answer names those that were refused. */
    addApplications: ({ params, body }) => {
      withinClientLimit(context, body.clients);
      needCampaign(context, params.campaigId);
      const errors = body.clients.flatMap((client) => {
        const clientIdentifiers = identifiersOf(client);
        const errorMessage = addApplication(context, clientIdentifiers, params.campaigId, body);
        return errorMessage === undefined ? [] : [{ clientIdentifiers, errorMessage }];
      });
      if (errors.length === 0) return {};
      return new Refusal(400, 'Some clients were not added', { errors });
    },

    /** Manual callbacks go with it, and automatic ones go to CANCEL, where that is asked for (interface.md 3). */
    removeApplication: ({ params: { campaignId }, body }) => {
      needCampaign(context, campaignId);
      const { id } = needClient(context, body.clientIdentifiers);
      const sql = 'DELETE FROM applications WHERE campaign_id = ? AND client_id = ?';
      if (store.run(sql, campaignId, id).changes === 0)
        throw notFound(MESSAGES.callbackClientAbsent);
      if (!body.cancelCallbacks) return undefined;
      const its = 'campaign_id = ? AND client_id = ?';
      store.run(`DELETE FROM callbacks WHERE ${its} AND automatic = 0`, campaignId, id);
      store.run(`UPDATE callbacks SET status = 'CANCEL' WHERE ${its}`, campaignId, id);
      return undefined;
    },

    removeApplications: ({ params: { campaignId }, body }) => {
      needCampaign(context, campaignId);
      // Without a criterion every application would go: more likely by mistake than on purpose.
      if (body.criteria.length === 0) throw invalid(MESSAGES.fieldRequired('criteria'));
      const conditions = body.criteria.map((criterion) => conditionOf(criterion, card));
      const where = conditions.map(({ sql }) => `(${sql})`).join(' AND ');
      store.runOnce(
        `DELETE FROM applications WHERE campaign_id = ? AND id IN (
           SELECT a.id FROM applications a JOIN clients c ON c.id = a.client_id
           WHERE a.campaign_id = ? AND ${where})`,
        ...[campaignId, campaignId, ...conditions.flatMap(({ values }) => values)],
      );
      return undefined;
    },

    listApplications: ({ query }) =>
      store
        .all<StoredApplication>(LIST, needClient(context, query).id)
        .map((row) => ({ ...row, hasRecall: row.hasRecall === 1 })),

    /** A callback that stands sets `hasRecall` of its call application. */
    createCallback: ({ body }) => {
      const { campaignId, clientIdentifiers, callAt, callAutomatically } = body;
      card.needIdentifiers(clientIdentifiers);
      if (!isCampaign(context, campaignId)) throw notFound(MESSAGES.callbackCampaignUnknown);
      const clientId = store.liveId(card.identity(clientIdentifiers));
      if (clientId === undefined || !isQueued(context, campaignId, clientId)) {
        throw notFound(MESSAGES.callbackClientAbsent);
      }
      if (Date.parse(callAt) <= now()) throw invalid(MESSAGES.callAtNotInFuture);
      store.run(
        `INSERT INTO callbacks (campaign_id, client_id, fields, automatic, status)
         VALUES (?, ?, ?, ?, 'NONE')`,
        ...[campaignId, clientId, JSON.stringify(body), callAutomatically ? 1 : 0],
      );
      return body;
    },
  } satisfies Partial<Handlers>;
}

/** Why the client could not be added; `undefined` when it was. */
function addApplication(
  context: Context,
  identifiers: Record<string, unknown>,
  campaignId: number,
  { maxCallCount, disableDuplicatePhonesValidation }: Input<'addApplications'>['body'],
): string | undefined {
  const { card, store, blacklist, now } = context;
  const id = store.liveId(card.identity(identifiers));
  if (id === undefined) return MESSAGES.noSuchClient;
  if (isQueued(context, campaignId, id)) return MESSAGES.alreadyInCampaign;
  if (blacklist.size > 0) {
    const sql = "SELECT key FROM contacts WHERE client_id = ? AND kind = 'phone'";
    const phones = store.all<{ key: string }>(sql, id);
    if (phones.some(({ key }) => blacklist.has(key))) return MESSAGES.blacklisted;
  }
  const isStrict = disableDuplicatePhonesValidation === false;
  if (isStrict && store.has(SHARED_PHONE, campaignId, id)) return MESSAGES.alreadyInCampaign;
  store.run(
    'INSERT INTO applications (campaign_id, client_id, max_call_count, next_call) VALUES (?, ?, ?, ?)',
    ...[campaignId, id, maxCallCount, now()],
  );
  return undefined;
}

/** The identifiers as they were sent; an element without any stands for a client that does not exist. */
function identifiersOf(client: unknown): Record<string, unknown> {
  return isRecord(client) && isRecord(client.clientIdentifiers) ? client.clientIdentifiers : {};
}

/** A task's id is its campaign's, set apart so that the one is never taken for the other unnoticed. */
const TASK_OFFSET = 1_000_000;

/** 4.13 to 4.19: campaigns and their tasks. States are not shown by the interface; they show what was last asked for. */
function campaignHandlers(context: Context) {
  const { store } = context;
  const goTo = (campaignId: number, state: 'STARTED' | 'STOPPED'): undefined => {
    needCampaign(context, campaignId);
    store.run('UPDATE campaigns SET state = ? WHERE id = ?', state, campaignId);
  };
  return {
    createCampaign: ({ body }) => {
      const sql = "INSERT INTO campaigns (fields, state) VALUES (?, 'CREATED')";
      store.run(sql, JSON.stringify(body));
      return undefined;
    },
    /** Its applications, callbacks and assignments go with it. */
    deleteCampaign: ({ params: { campaignId } }) => {
      needCampaign(context, campaignId);
      store.run('DELETE FROM campaigns WHERE id = ?', campaignId);
      return undefined;
    },
    startCampaign: ({ params }) => goTo(params.campaignId, 'STARTED'),
    stopCampaign: ({ params }) => goTo(params.campaignId, 'STOPPED'),
    restartCampaign: ({ params }) => goTo(params.campaignId, 'STARTED'),
    campaignTask: ({ params: { campaignId } }) => {
      needCampaign(context, campaignId);
      return { taskId: campaignId + TASK_OFFSET };
    },
    assignTask: ({ params: { groupId, taskId }, body }) => {
      const campaignId = taskId - TASK_OFFSET;
      if (!isCampaign(context, campaignId)) throw notFound(MESSAGES.noCampaign(taskId));
      const { taskPriority, userSelectionMode, previewTimeout } = body;
      store.run(
        'INSERT OR REPLACE INTO group_tasks VALUES (?, ?, ?, ?, ?)',
        ...[groupId, campaignId, taskPriority, userSelectionMode, previewTimeout],
      );
      return undefined;
    },
    listCampaigns: ({ query }) =>
      store
        .all<{ id: number; fields: string }>(
          'SELECT id, fields FROM campaigns ORDER BY id LIMIT ? OFFSET ?',
          ...[query.limit, query.offset ?? 0],
        )
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

/** The filters of interface.md 4.11 as SQL conditions. */

type Criterion = z.output<typeof criterion>;

/** A condition on an application `a` of a client `c`, in SQL. */
interface Condition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

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
  if (field) {
    const value = field.type === 'Number' ? numberFor(criterion) : String(criterion.value);
    return compare(CARD_VALUE, [key], criterion, value);
  }
  if (key === 'phones.phoneNumber') return onPhones(criterion);
  if (key === 'id') return compare('c.id', [], criterion, numberFor(criterion));
  if (isFixed(key)) return onFixed(criterion, key);
  throw invalid(`Filter key [${key}] is not known.`);
}

const isFixed = (key: string): key is keyof typeof FILTER_VALUES =>
  Object.hasOwn(FILTER_VALUES, key);

function onFixed(criterion: Criterion, key: keyof typeof FILTER_VALUES): Condition {
  const allowed: readonly string[] = FILTER_VALUES[key];
  const value = String(criterion.value);
  if (!allowed.includes(value)) {
    throw invalid(`Filter value of [${key}] must be one of ${allowed.join(', ')}.`);
  }
  return compare(FIXED_COLUMNS[key], [], criterion, value);
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
