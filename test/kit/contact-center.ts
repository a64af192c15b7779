import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CardRules, type Json, array, check, record, textOf } from './interface-rules.js';

export type { Json } from './interface-rules.js';

/**
 * A contact center that was written from the interface document alone, knowing neither the product's contract nor its
 * sandbox. It checks every field of every request, keeps books, and misbehaves on demand.
 */
export interface StandIn {
  readonly url: string;
  /** Everything in which a request departed from the interface. */
  readonly violations: string[];
  /** Every request in the order of arrival. */
  readonly requests: readonly SeenRequest[];
  /** Cards by identity: the JSON text of the synchronization identifiers' values. */
  readonly cards: ReadonlyMap<string, Card>;
  /** How often a client was carried out to be created, and to be added to a campaign, by identity. */
  readonly creations: ReadonlyMap<string, number>;
  readonly enqueuings: ReadonlyMap<string, number>;
  /** How often a client was deleted, by identity. */
  readonly deletions: ReadonlyMap<string, number>;
  /** Clients that were sent again although the answer that it was done had been given whole. */
  readonly repeated: readonly string[];
  /** Most requests that were under way at a time. */
  readonly mostInFlight: () => number;
  /** Decides how the stand-in treats a request; `undefined`: properly. */
  behave: (request: SeenRequest) => Misbehaviour | undefined;
  /** Told of every request that has been carried out, before it is answered. */
  onCarriedOut: (request: SeenRequest) => void;
  /** Resolves when no request is under way. */
  quiet(): Promise<void>;
  /** Forgets all clients and how often they were created; requests and violations stay. */
  forget(): void;
  close(): Promise<void>;
}

export interface SeenRequest {
  readonly operation: Operation;
  /** Which request of this operation it is, from 1. */
  readonly number: number;
  readonly bytes: number;
  /** Clients in the body; 0 where there are none. */
  readonly clients: number;
  /** Identities of these clients, in order. */
  readonly identities: readonly string[];
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface Card {
  readonly id: number;
  readonly uuid: string;
  readonly client: Json;
  /** Campaigns that the client was added to. */
  readonly campaigns: Set<number>;
}

export type Operation = '4.1' | '4.7' | '4.8' | '4.9' | '4.10' | '4.12' | '4.19' | 'none';

/** What the stand-in does in place of a proper answer. */
export interface Misbehaviour {
  /** Wait before anything else, in milliseconds. What the importer has given up by then is carried out all the same. */
  readonly delay?: number;
  /** Wait for this before anything else. */
  readonly hold?: Promise<unknown>;
  /** Do nothing of what was asked for. Default: it is carried out. */
  readonly untouched?: boolean;
  /** Destroy the connection in place of answering. */
  readonly drop?: boolean;
  /** Never answer, and leave the connection open. */
  readonly silent?: boolean;
  /** Answer with this. */
  readonly answer?: { status: number; body: string; headers?: Record<string, string> };
  /** Refuse single clients of 4.1 and 4.9 with this text. */
  readonly refuse?: (client: Json) => string | undefined;
  /** Change `createResult` before it is answered. */
  readonly results?: (results: Json[]) => unknown[];
  /** Status of an answer of 4.9 that has errors. Default: 400. */
  readonly errorStatus?: number;
}

export interface StandInOptions {
  /** Card configuration: field name to whether it is a synchronization identifier, required or neither. */
  readonly card: CardRules;
  /** Campaigns by id. */
  readonly campaigns?: Readonly<Record<number, string>>;
  /** What becomes of a second creation for the same identifiers: another card, or a refusal. @default refused */
  readonly duplicates?: 'refused' | 'accepted';
}

const CLIENTS = '/api/v1/clients/exec.do';
const READ_CLIENT = '/api/v1/clients/by/syncIds.json';
const ENQUEUE = /^\/api\/v1\/tacs\/campaigns\/([1-9]\d*)\/exec\.do$/;
const REMOVE = /^\/api\/v1\/tacs\/campaigns\/([1-9]\d*)\/applications\/by\/syncId\/remove\.do$/;
const APPLICATIONS = '/api/v1/tacs/byClientIdentifiers.json';
const CAMPAIGNS = '/api/v1/telemarketing/campaigns.do';

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** Starts a stand-in on a free port of this machine. */
export async function startContactCenter(options: StandInOptions): Promise<StandIn> {
  const violations: string[] = [];
  const requests: SeenRequest[] = [];
  const cards = new Map<string, Card>();
  const creations = new Map<string, number>();
  const enqueuings = new Map<string, number>();
  const deletions = new Map<string, number>();
  const repeated: string[] = [];
  const told = new Set<string>();
  const syncNames = Object.entries(options.card).flatMap(([name, kind]) =>
    kind === 'sync' ? [name] : [],
  );
  const counts = new Map<Operation, number>();
  const underWay = new Set<Promise<void>>();
  let [inFlight, mostInFlight, nextId] = [0, 0, 1000];

  const identityOf = (fields: Json): string =>
    JSON.stringify(syncNames.map((name) => String(fields[name])));

  const identitiesIn = ({ operation, body }: Asked): string[] =>
    array(record(body)['clients']).map((client) =>
      identityOf(record(record(client)[operation === '4.1' ? 'fields' : 'clientIdentifiers'])),
    );

  const addClients = (clients: Json[], { refuse, results }: Misbehaviour): Reply => {
    const createResult = clients.map((client): Json => {
      const uuid = client['uuid'];
      const fields = record(client['fields']);
      const refusal = refuse?.(client) ?? judge(fields, options.card);
      if (refusal !== undefined) return { uuid, result: refusal };
      const identity = identityOf(fields);
      creations.set(identity, (creations.get(identity) ?? 0) + 1);
      if (cards.has(identity) && options.duplicates !== 'accepted')
        return { uuid, result: 'Client with these identifiers exists.' };
      const id = ++nextId;
      cards.set(identity, { id, uuid: String(uuid), client, campaigns: new Set() });
      return { uuid, result: 'Success', createdClientId: id };
    });
    return { status: 201, body: { createResult: results?.(createResult) ?? createResult } };
  };

  const enqueue = (campaign: number, clients: Json[], how: Misbehaviour): Reply => {
    const errors = clients.flatMap((element) => {
      const clientIdentifiers = record(element['clientIdentifiers']);
      const identity = identityOf(clientIdentifiers);
      enqueuings.set(identity, (enqueuings.get(identity) ?? 0) + 1);
      const card = cards.get(identity);
      const errorMessage =
        how.refuse?.(clientIdentifiers) ??
        (card === undefined ? 'No such client' : undefined) ??
        (card?.campaigns.has(campaign) ? 'Client already exists' : undefined);
      if (errorMessage === undefined) card?.campaigns.add(campaign);
      return errorMessage === undefined ? [] : [{ clientIdentifiers, errorMessage }];
    });
    if (errors.length === 0) return { status: 200, body: {} };
    return { status: how.errorStatus ?? 400, body: { errors } };
  };

  const carryOut = (asked: Asked, how: Misbehaviour): Reply => {
    const body = record(asked.body);
    switch (asked.operation) {
      case '4.1':
        return addClients(array(body['clients']).map(record), how);
      case '4.9':
        return enqueue(asked.campaign, array(body['clients']).map(record), how);
      case '4.7': {
        const identity = identityOf(record(body['syncIdentifiers']));
        if (!cards.delete(identity)) return noClient(record(body['syncIdentifiers']));
        deletions.set(identity, (deletions.get(identity) ?? 0) + 1);
        told.delete(`4.1 ${identity}`);
        return { status: 200, body: 'OK' };
      }
      case '4.10': {
        const card = cards.get(identityOf(record(body['clientIdentifiers'])));
        if (!card) return noClient(record(body['clientIdentifiers']));
        card.campaigns.delete(asked.campaign);
        return { status: 200, body: 'OK' };
      }
      case '4.8': {
        const card = cards.get(identityOf(record(body['clientSyncIdentifiers'])));
        if (!card) return noClient(record(body['clientSyncIdentifiers']));
        const fields = { ...record(card.client['fields']), id: card.id };
        return { status: 200, body: { clientFieldsToValues: fields } };
      }
      case '4.12': {
        const identifiers = Object.fromEntries(asked.query);
        const card = cards.get(identityOf(identifiers));
        if (!card) return noClient(identifiers);
        const list = [...card.campaigns].map((id) => ({
          id,
          telemarketCampaignId: id,
          status: 'NONE',
        }));
        return { status: 200, body: list };
      }
      case '4.19': {
        const offset = Number(asked.query.get('offset') ?? 0);
        const all = Object.entries(options.campaigns ?? {});
        const page = all.slice(offset, offset + Number(asked.query.get('limit')));
        return {
          status: 200,
          body: page.map(([id, name]) => ({ id: Number(id), name, typeProcessing: 'OPERATOR' })),
        };
      }
      case 'none':
        return { status: 404, body: { errorMessage: 'Not found' } };
    }
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const bytes = await bodyOf(request);
    const asked = identify(request, bytes, violations);
    check(asked, { card: options.card, syncNames, violations });
    const number = (counts.get(asked.operation) ?? 0) + 1;
    counts.set(asked.operation, number);
    const identities = identitiesIn(asked);
    const { operation } = asked;
    const seen: SeenRequest = {
      operation,
      number,
      bytes: bytes.length,
      clients: identities.length,
      identities,
      headers: request.headers,
      at: Date.now(),
    };
    requests.push(seen);
    for (const identity of identities)
      if (told.has(`${operation} ${identity}`)) repeated.push(`${operation} ${identity}`);
    const how = standIn.behave(seen) ?? {};
    if (how.delay !== undefined) await sleep(how.delay);
    await how.hold;
    const reply = how.untouched ? undefined : carryOut(asked, how);
    if (reply) standIn.onCarriedOut(seen);
    if (how.silent) return;
    if (how.drop) {
      request.socket.destroy();
      return;
    }
    if (reply && !how.answer && !how.results && !how.refuse && !request.socket.destroyed)
      for (const identity of identities) told.add(`${operation} ${identity}`);
    const { status, body } = how.answer ?? reply ?? { status: 500, body: {} };
    response.writeHead(status, { 'content-type': 'application/json', ...how.answer?.headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

  const server = createServer((request, response) => {
    mostInFlight = Math.max(mostInFlight, ++inFlight);
    response.on('close', () => inFlight--);
    const handling = handle(request, response).catch((error: unknown) => {
      violations.push(`the request could not be read: ${String(error)}`);
      response.destroy();
    });
    underWay.add(handling);
    void handling.finally(() => underWay.delete(handling));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const standIn: StandIn = {
    url: `http://127.0.0.1:${port}`,
    violations,
    requests,
    cards,
    creations,
    enqueuings,
    deletions,
    repeated,
    mostInFlight: () => mostInFlight,
    behave: () => undefined,
    onCarriedOut: () => undefined,
    quiet: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    forget: () => {
      for (const book of [cards, creations, enqueuings, deletions, told]) book.clear();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return standIn;
}

interface Asked {
  readonly operation: Operation;
  readonly campaign: number;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Which operation of section 4 a request is, with its body. Method, path and query must be exact. */
function identify(request: IncomingMessage, bytes: Buffer, violations: string[]): Asked {
  const target = request.url ?? '';
  const [path = '', search = ''] = target.split('?', 2);
  const query = new URLSearchParams(search);
  const method = request.method ?? '';
  const campaign = Number((ENQUEUE.exec(path) ?? REMOVE.exec(path))?.[1] ?? 0);
  const operation = operationOf(method, path);
  if (operation === 'none') violations.push(`${method} ${target}: no such operation`);
  if (method === 'GET') {
    if (bytes.length > 0) violations.push(`${operation}: a GET with a body`);
    return { operation, campaign, query, body: undefined };
  }
  if (target.includes('?')) violations.push(`${operation}: query parameters are not wanted`);
  if (!/^application\/json(; *charset=utf-8)?$/i.test(request.headers['content-type'] ?? ''))
    violations.push(`${operation}: content-type ${String(request.headers['content-type'])}`);
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { operation, campaign, query, body: JSON.parse(text) as unknown };
  } catch {
    violations.push(`${operation}: the body is not JSON in UTF-8`);
    return { operation, campaign, query, body: undefined };
  }
}

function operationOf(method: string, path: string): Operation {
  if (method === 'POST' && path === CLIENTS) return '4.1';
  if (method === 'DELETE' && path === CLIENTS) return '4.7';
  if (method === 'POST' && path === READ_CLIENT) return '4.8';
  if (method === 'POST' && ENQUEUE.test(path)) return '4.9';
  if (method === 'PUT' && REMOVE.test(path)) return '4.10';
  if (method === 'GET' && path === APPLICATIONS) return '4.12';
  if (method === 'GET' && path === CAMPAIGNS) return '4.19';
  return 'none';
}

/** What the contact center itself says of a client's fields (section 7). */
function judge(fields: Json, card: CardRules): string | undefined {
  const blank = (name: string): boolean => textOf(fields[name] ?? '').trim() === '';
  const missing = Object.entries(card).filter(([name, kind]) => kind !== 'optional' && blank(name));
  if (missing.some(([, kind]) => kind === 'sync'))
    return "Client doesn't have all syncronize identifier fields.";
  const [first] = missing;
  return first && `Field [${first[0]}] is required.`;
}

function noClient(identifiers: Json): Reply {
  const list = Object.entries(identifiers).map(([name, value]) => `${name}=${String(value)}`);
  return {
    status: 404,
    body: { errorMessage: `No clients with identifiers: [${list.join(', ')}]` },
  };
}
