import { codeOf, UsageError } from '../core/errors.js';
import type { Installation } from '../installation/installation.js';
import { isRecord } from '../core/text.js';
import { Card, contactKey, invalid, Refusal, tooLarge } from './card.js';
import { FRAMES, type Handlers, handlersOf } from './handlers.js';
import { closeDatabase, openDatabase, Store } from './store.js';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import Fastify from 'fastify';
import type { FastifyInstance, FastifyError, FastifyReply } from 'fastify';
import {
  operations,
  type OperationName,
  type Operation,
  MESSAGES,
} from '../contract/operations.js';
import { z } from 'zod';

export { isOfOthers } from './store.js';

export interface SandboxOptions {
  /** Card configuration, roles, limits and blacklist. Its headers are not asked for: anyone may call. */
  readonly installation: Installation;
  /** 0: any free port. @default 8080 */
  readonly port?: number;
  /** @default '127.0.0.1' */
  readonly host?: string;
  /**
   * Further values of `Host` that are answered, such as `sandbox:8080`; a name without a port goes with any port. Its own
   * are the loopback names, `host`, and the address of the connection, each with the port. @default []
   */
  readonly allowHosts?: readonly string[] | undefined;
  /** File of the database, made when it is not there, or `:memory:`. */
  readonly database: string;
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number;
}

export interface Sandbox {
  /** Address without a trailing slash. */
  readonly url: string;
  /** Finishes what is in flight, writes everything back and frees the port. May be called again. */
  close(): Promise<void>;
}

/**
 * Starts a contact center of one's own, with all operations of interface.md.
 * @throws UsageError when the port is taken, the database cannot be used, or nothing identifies a client
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { installation, port = 8080, host = '127.0.0.1', allowHosts = [] } = options;
  const { database, now = Date.now } = options;
  const card = new Card(installation.card);
  if (card.syncNames.length === 0) {
    throw new UsageError('The installation marks no card field as `sync`; clients need one.');
  }
  const db = openDatabase(database, card.syncNames.join(', '));
  const server = makeServer(host, allowHosts, installation.limits.requestBytes);
  const stop = stopperOf(server);
  try {
    const store = new Store(db);
    const { clientRoles, limits, sandbox } = installation;
    const { clientsPerRequest } = limits;
    const blacklist = new Set(sandbox.blacklist.map((phone) => contactKey('phone', phone)));
    const handlers = handlersOf({ card, store, clientRoles, clientsPerRequest, blacklist, now });
    for (const name of NAMES) addRoute(server, name, handlers, store);
    const url = await server.listen({ port, host });
    let closed: Promise<void> | undefined;
    return { url, close: () => (closed ??= stop().finally(() => closeDatabase(db))) };
  } catch (error) {
    await server.close();
    closeDatabase(db);
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    const message = `Port ${port} of ${host} is taken; choose another one.`;
    throw new UsageError(message, { cause: error });
  }
}

/** How long a request that is being received may take to end, in milliseconds. */
const GRACE_MS = 3_000;

/**
 * Prepares a server to be stopped: the function given back takes no new requests, drops connections as soon as no
 * request is in flight on them (Node keeps those that have not sent anything yet), and resolves when all are gone.
 */
function stopperOf(server: FastifyInstance): () => Promise<void> {
  const drop = idleDropper(server.server);
  return async () => {
    const dropRest = setTimeout(() => server.server.closeAllConnections(), GRACE_MS);
    try {
      drop();
      await server.close();
    } finally {
      clearTimeout(dropRest);
    }
  };
}

/** Counts the requests of each connection; once called, connections without any go, now and from then on. */
function idleDropper(server: Server): () => void {
  const requests = new Map<Socket, number>();
  let dropping = false;
  const count = (socket: Socket, change: number): void => {
    const before = requests.get(socket);
    if (before === undefined) return;
    requests.set(socket, before + change);
    if (dropping && before + change === 0) socket.destroySoon();
  };
  server.on('connection', (socket: Socket) => {
    requests.set(socket, 0);
    socket.once('close', () => requests.delete(socket));
    count(socket, 0);
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    count(socket, 1);
    response.once('close', () => count(socket, -1));
  });
  return () => {
    dropping = true;
    for (const socket of requests.keys()) count(socket, 0);
  };
}

/** Largest request body when the installation names no limit, in bytes. */
const BODY_BYTES = 64 * 1024 * 1024;

/**
 * An HTTP server without routes: JSON whatever the content type says, errors as `{errorMessage}`. It answers under its
 * own names alone.
 */
function makeServer(
  host: string,
  allowHosts: readonly string[],
  requestBytes = BODY_BYTES,
): FastifyInstance {
  const checkHost = hostCheck(host, allowHosts);
  const server = Fastify({
    // A body over the installation's limit is read to its end, so that the sender gets to see the answer.
    bodyLimit: Math.max(requestBytes, BODY_BYTES),
    exposeHeadRoutes: false,
    frameworkErrors: (error, _request, reply) => void answerError(error, reply),
  });
  // Before the body is read, and for paths that do not exist, too.
  server.addHook('onRequest', (request, _reply, done) => {
    checkHost(request.raw);
    done();
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJson(body, requestBytes));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  });
  server.setErrorHandler<FastifyError>((error, _request, reply) => answerError(error, reply));
  server.setNotFoundHandler((request, reply) => {
    const allowed = otherMethods(request.url);
    if (allowed.length === 0) return answerError(new Refusal(404, 'There is no such path.'), reply);
    void reply.header('allow', allowed.join(', '));
    return answerError(new Refusal(405, `This path takes ${allowed.join(', ')} only.`), reply);
  });
  return server;
}

function parseJson(body: string | Buffer, limit: number): unknown {
  if (body.length > limit) throw tooLarge(`The request body is larger than ${limit} bytes.`);
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The parser's own words would repeat parts of the body, which may be personal data.
    throw invalid('The request body is not valid JSON.');
  }
}

function answerError(error: Error & { statusCode?: number }, reply: FastifyReply): FastifyReply {
  if (error instanceof Refusal) return reply.code(error.status).send(error.body);
  return reply.code(error.statusCode ?? 500).send({ errorMessage: error.message });
}

const PATHS = Object.values(operations).map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`),
}));

/** The methods that a path takes; none when there is no such path. */
function otherMethods(url: string): string[] {
  const path = url.split('?', 1)[0] ?? '';
  return PATHS.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];
const HTTP_PORT = 80;
/** A name, or an IPv6 address in brackets, and a port. */
const NAME_AND_PORT = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/;

/**
 * Makes the check of a request's `Host`. A page in a browser can reach this machine under a name of its own, whose
 * address it changes to 127.0.0.1 after the browser has looked it up, and then reads and writes here as if it were at
 * home; the name stays in `Host`.
 * @returns what throws a Refusal (421) when a request is for another host
 */
function hostCheck(
  host: string,
  allowHosts: readonly string[],
): (request: IncomingMessage) => void {
  const names = new Set([...LOOPBACK, inHost(host)]);
  const allowed = new Set(allowHosts.map((name) => name.toLowerCase()));
  return ({ headers, socket }) => {
    const given = (headers.host ?? '').toLowerCase();
    const [, name = '', port] = NAME_AND_PORT.exec(given) ?? [];
    if (allowed.has(given) || allowed.has(name)) return;
    const isOurPort = Number(port ?? HTTP_PORT) === socket.localPort;
    if (isOurPort && (names.has(name) || name === inHost(socket.localAddress ?? ''))) return;
    throw new Refusal(
      421,
      'The sandbox does not answer to this host. Use its own address, or allow the name with --allow-host.',
    );
  };
}

/** An address as it stands in `Host`. On a socket for both kinds, one of IPv4 is written as one of IPv6. */
function inHost(address: string): string {
  const plain = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');
  return plain.includes(':') ? `[${plain}]` : plain;
}

// Object.keys forgets what the keys are.
const NAMES = Object.keys(operations) as OperationName[];
const frames: Partial<Record<OperationName, (typeof FRAMES)[keyof typeof FRAMES]>> = FRAMES;

/** Gives the server a route for an operation of the contract. Each request is one transaction. */
function addRoute(
  server: FastifyInstance,
  name: OperationName,
  handlers: Handlers,
  store: Store,
): void {
  const operation: Operation = operations[name];
  const check = inputCheck(operation, frames[name]);
  // The check makes sure that a handler is given what it takes, which no type can follow for a name not yet known.
  const handler = handlers[name] as (input: unknown) => unknown;
  server.route({
    method: operation.method,
    url: operation.path.replace(/\{(\w+)\}/g, ':$1'),
    handler: ({ params, query, body }, reply) => {
      const output = store.atomically(() => handler(check({ params, query, body })));
      return answer(operation, output, reply);
    },
  });
}

/** Acknowledgements: the word Created where 201 is shown, `"OK"` elsewhere. */
function answer(operation: Operation, output: unknown, reply: FastifyReply): FastifyReply {
  if (output instanceof Refusal) return reply.code(output.status).send(output.body);
  void reply.code(operation.status ?? 200);
  if (output !== undefined) return reply.send(output);
  if (operation.status === 201) return reply.type('text/plain').send('Created');
  return reply.type('application/json; charset=utf-8').serializer(String).send('"OK"');
}

type RawInput = Readonly<Record<'params' | 'query' | 'body', unknown>>;

const IDENTIFIERS = ['syncIdentifiers', 'clientSyncIdentifiers', 'clientIdentifiers'];

/**
 * The check of an operation's input, compiled once.
 * @param frame stands in for the operation's body where clients are validated one by one
 * @throws Refusal (from the check) that lists every mistake
 */
function inputCheck(
  operation: Operation,
  frame: z.ZodType | undefined,
): (raw: RawInput) => unknown {
  const { params, query, fixedQuery } = operation;
  const body = frame ?? operation.body;
  const schema = z.object({
    ...(params && { params: z.preprocess(integersOf, params) }),
    // The parameters of a query with known names are all integers; identifiers stay text.
    ...(query && { query: query instanceof z.ZodObject ? z.preprocess(integersOf, query) : query }),
    ...(body && { body }),
  });
  return (raw) => {
    for (const [name, value] of Object.entries(fixedQuery ?? {}))
      if (!isRecord(raw.query) || raw.query[name] !== value)
        throw invalid(`Query parameter ${name}=${value} is required.`);
    if (body && !isRecord(raw.body)) throw invalid('The request body must be a JSON object.');
    const checked = schema.safeParse(raw, { reportInput: true });
    if (checked.success) return checked.data;
    const mistakes = checked.error.issues.map(mistakeOf);
    throw invalid([...new Set(mistakes)].join(' '));
  };
}

/** Path and query parameters are text; those that are integers become numbers, the rest is left to be refused. */
function integersOf(given: unknown): unknown {
  if (!isRecord(given)) return given;
  const numbers = Object.entries(given).map(([name, value]) => [
    name,
    typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : value,
  ]);
  return Object.fromEntries(numbers);
}

function mistakeOf({ path: place, code, input, message }: z.core.$ZodIssue): string {
  const [part, ...path] = place.map(String);
  if (isIdentifierMistake(part, path, input)) return MESSAGES.identifiersMissing;
  const name = path.join('.');
  if (code === 'custom') return `Field [${name}] ${message}.`;
  if (input === undefined || input === null) return MESSAGES.fieldRequired(name);
  return `Field [${name}]: ${message}.`;
}

/** Whether the mistake lies in an identifier, or in there being none. */
function isIdentifierMistake(
  part: string | undefined,
  path: readonly string[],
  value: unknown,
): boolean {
  if (part === 'query') return path.length === 1 && !['limit', 'offset'].includes(path[0] ?? '');
  if (!IDENTIFIERS.includes(path[0] ?? '')) return false;
  return path.length > 1 || isRecord(value);
}

/**
 * The environment for talking to a sandbox: it asks for no credentials, so a variable that the installation's headers
 * name and that nobody set must not keep a newcomer from trying.
 */
export function sandboxEnvironment(
  { headers }: Pick<Installation, 'headers'>,
  env: Readonly<Record<string, string | undefined>> = {},
): Record<string, string | undefined> {
  const named = Object.values(headers).flatMap((value) => [...value.matchAll(/\$\{(\w+)\}/g)]);
  const unset = named.flatMap(([, name]) => (name !== undefined && !env[name] ? [name] : []));
  return { ...env, ...Object.fromEntries(unset.map((name) => [name, 'sandbox'])) };
}
