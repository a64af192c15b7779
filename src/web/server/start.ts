import { makeFolder, temporaryFolder } from '../../files/regular-file.js';
import { unfinishedRuns } from '../../history/history.js';
import { listOf, Lists, listsFolder } from './lists/lists.js';
import type { SiteSettings } from './settings.js';
import type { Around, Download, Handlers, Site } from './handler.js';
import { rm, writeFile, readFile, readdir } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join, extname } from 'node:path';
import { RunResults } from '../../history/results.js';
import { Tables } from '../../setup/columns.js';
import { Checks } from './checks.js';
import { Runs } from './runs/runs.js';
import type { IncomingMessage } from 'node:http';
import Fastify from 'fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { z } from 'zod';
import { routes, type Name, type Route } from '../shared/routes.js';
import { handlersOf } from './handlers.js';
import { languageOf, sentIn, wordsOf } from './language.js';
import { problemOf, refusal } from './problem.js';
import { Sessions } from './sessions.js';
import { type Language, OTHERS, STEPS } from '../shared/page.js';

/** What the page is started with. */
export interface PageRequest {
  readonly settings: Omit<SiteSettings, 'open'>;
  /** File to begin with; it is read where it is. */
  readonly file?: string | undefined;
  /** 0 takes a free one. */
  readonly port: number;
}

/** A page that is served. */
interface StartedPage {
  /** With the token that opens it: for the person alone. */
  readonly address: string;
  /** Path of a file that leads to the address, for whatever opens a browser. */
  readonly openingFile: string;
  /** Ends after what is being answered, and after the work that was started. */
  close(): Promise<void>;
}

/** How often old lists are looked for, in milliseconds. */
const SWEEP_MS = 60 * 60 * 1000;

/**
 * Serves the page on this machine until it is closed.
 * @throws what the system says where the file is missing, the port is taken, or the folder of lists cannot be made
 */
export async function startPage({ settings, file, port }: PageRequest): Promise<StartedPage> {
  // Where lists are only read, what is made meanwhile has a folder of its own.
  const scratch = settings.readOnly ? await temporaryFolder() : undefined;
  const stopping = new AbortController();
  const kept = new Set<Promise<unknown>>();
  const keep = (work: Promise<unknown>): void => {
    kept.add(work);
    const done = (): boolean => kept.delete(work);
    void work.then(done, done);
  };
  const current: SiteSettings = { ...settings, open: undefined };
  const lists = new Lists(listsFolder(settings.ledger), scratch?.path);
  const tables = new Tables();
  const site: Site = {
    settings: current,
    change: (changes) => {
      Object.assign(current, changes);
    },
    lists,
    checks: new Checks({ settings: current, lists, tables, stop: stopping.signal, keep }),
    results: new RunResults(settings.ledger),
    runs: new Runs({ settings, stop: stopping.signal, keep }),
    tables,
    stop: stopping.signal,
    keep,
  };
  await sweep(site);
  if (file !== undefined) site.change({ open: (await lists.create(await listOf(file))).id });
  const server = await startServer(site, port);
  const sweeping = setInterval(() => void sweep(site).catch(() => undefined), SWEEP_MS);
  const address = `http://127.0.0.1:${server.port}/#${server.sessions.start}`;
  const end = async (): Promise<void> => {
    clearInterval(sweeping);
    // All that works on the site is asked to end, and waited for.
    stopping.abort();
    await Promise.allSettled(kept);
    await server.close();
    await scratch?.remove();
  };
  try {
    const opening = await writeOpeningFile(site.lists.folder, address);
    return {
      address,
      openingFile: opening.path,
      close: () => opening.remove().finally(end),
    };
  } catch (error) {
    // A server that nobody can stop would keep the process alive.
    await end();
    throw error;
  }
}

/** Deletes old lists, but not those of runs that are under way or can be continued. */
async function sweep({ lists, runs, settings }: Site): Promise<void> {
  if (settings.readOnly) return;
  // A ledger that cannot be read does not show which lists are needed: then none is deleted.
  const unfinished = await unfinishedRuns(settings.ledger).catch(() => undefined);
  if (!unfinished) return;
  for (const { id, run } of await lists.all())
    if (run !== null && (unfinished.has(run) || runs.isAtWork(run))) await lists.touch(id);
  await lists.sweep();
}

/**
 * A private file that leads to the page. What opens a browser takes an address as an argument, which every user of the
 * machine can read; the path of this file is of no use to them. It lies beside the lists, since a browser in a container
 * of its own sees the person's folders, and neither hidden ones nor those of temporary files.
 */
async function writeOpeningFile(folder: string, address: string) {
  makeFolder(folder);
  const path = join(folder, `open-${process.pid}.html`);
  await rm(path, { force: true });
  const text = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>cardline</title><meta http-equiv="refresh" content="0; url=${address}">\n`;
  await writeFile(path, text, { mode: 0o600, flag: 'wx' });
  return { path, remove: () => rm(path, { force: true }) };
}

/** Largest JSON body, in bytes: a mapping as text and more. */
const BODY_BYTES = 2 * 1024 * 1024;
/** How long answers that are being sent may take to end, in milliseconds. */
const GRACE_MS = 3_000;

/** This machine alone. */
const HOST = '127.0.0.1';

/** Serves the page on this machine. @throws what the system says where the port is taken */
async function startServer(site: Site, port: number) {
  const sessions = new Sessions();
  const server = Fastify({
    bodyLimit: BODY_BYTES,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // Uploads take as long as they take.
    requestTimeout: 0,
    // A path that cannot be read gets past all hooks.
    frameworkErrors: (_error, { raw }, reply) => {
      void reply.headers(HEADERS);
      try {
        refuseForeign(raw);
        throw refusal('no_such_page');
      } catch (error) {
        sendProblem(error, raw, reply);
      }
    },
  });
  server.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(HEADERS);
    done();
  });
  guardAccess(server, sessions, site.settings.readOnly);
  server.setErrorHandler((error, { raw }, reply) => sendProblem(error, raw, reply));
  // JSON is parsed; the bytes of an upload are left to its handler, which never has all of them in memory.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, JSON.parse(body.toString()) as unknown);
    } catch {
      // The parser's own words would repeat parts of the body.
      done(refusal('not_json'));
    }
  });
  server.addContentTypeParser('application/octet-stream', (_request, _payload, done) => {
    done(null, undefined);
  });
  const handlers = handlersOf(sessions);
  for (const name of NAMES) addRoute(server, name, handlers, site);
  await addPageFiles(server, site.settings.page);
  addPageWords(server);
  await server.listen({ host: HOST, port });
  const address = server.server.address();
  const found = typeof address === 'object' && address !== null ? address.port : port;
  /** Takes no new requests and waits for those that are being answered. */
  const close = async (): Promise<void> => {
    const dropRest = setTimeout(() => server.server.closeAllConnections(), GRACE_MS);
    try {
      await server.close();
    } finally {
      clearTimeout(dropRest);
    }
  };
  return { port: found, sessions, close };
}

function sendProblem(error: unknown, raw: IncomingMessage, reply: FastifyReply): FastifyReply {
  const { status, problem } = problemOf(error);
  return reply.code(status).send(sentIn(languageOf(raw.headers), problem));
}

// Object.keys forgets what the keys are.
const NAMES = Object.keys(routes) as Name[];

function addRoute(server: FastifyInstance, name: Name, handlers: Handlers, site: Site): void {
  const route: Route = routes[name];
  const [method = '', url = ''] = name.split(' ');
  // The parts are checked below, which no type can follow for a name not yet known.
  const handler = handlers[name] as (asked: unknown, around: Around) => unknown;
  server.route({
    method,
    url,
    config: { access: route.access, changes: route.changes },
    handler: async (request, reply) => {
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const signal = AbortSignal.any([gone.signal, site.stop]);
      const language = languageOf(request.headers);
      const around = { site, signal, language, upload: request.raw };
      const answered = await handler(takenFrom(route, request), around);
      return answer(route.kind, answered, reply, around);
    },
  });
}

/** Names of lists, runs and files: nothing that leads to another place. */
const PART = /^[\w.-]{1,100}$/;

function takenFrom(route: Route, { params, query, body }: FastifyRequest): unknown {
  for (const part of Object.values(params as Record<string, string>))
    if (!PART.test(part) || part.startsWith('.')) throw refusal('no_such_page');
  return {
    params,
    query: route.query && checked(route.query, query),
    body: route.body && checked(route.body, body),
  };
}

function checked(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  // The message names types and limits, never the value.
  throw refusal('not_understood', { field: issue?.path.join('.') ?? '' });
}

function answer(
  kind: Route['kind'],
  answered: unknown,
  reply: FastifyReply,
  { language, signal }: Pick<Around, 'language' | 'signal'>,
): FastifyReply {
  if (kind === 'download') {
    const download = answered as Download;
    const encoded = encodeURIComponent(download.name);
    void reply
      .header('content-disposition', `attachment; filename*=UTF-8''${encoded}`)
      .type(download.type);
    if ('pieces' in download)
      return reply.send(Readable.from(download.pieces, { objectMode: false }));
    const { path, release } = download;
    if (release) {
      const end = (): void => void release().catch(() => undefined);
      if (reply.raw.closed) end();
      else reply.raw.once('close', end);
    }
    return reply.send(createReadStream(path));
  }
  if (kind !== 'stream') return reply.send(sentIn(language, answered));
  const events = eventsOf(answered as AsyncIterable<unknown>, language, signal);
  return reply.type('text/event-stream; charset=utf-8').send(Readable.from(events));
}

/** After how long without news a stream shows that it is alive, in milliseconds. */
const HEARTBEAT_MS = 10_000;
const HEARTBEAT = ': alive\n\n';

/** Events as text, in the format of server-sent events. An error is the last one, under a name of its own. */
async function* eventsOf(
  events: AsyncIterable<unknown>,
  language: Language,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const iterator = events[Symbol.asyncIterator]();
  const isOver = (): boolean => signal.aborted;
  let next = iterator.next();
  try {
    while (!isOver()) {
      const result = await orHeartbeat(next, signal);
      if (result === undefined) {
        if (!isOver()) yield HEARTBEAT;
        continue;
      }
      if (result.done) return;
      yield `data: ${JSON.stringify(sentIn(language, result.value))}\n\n`;
      next = iterator.next();
    }
  } catch (error) {
    const problem = sentIn(language, problemOf(error).problem);
    yield `event: problem\ndata: ${JSON.stringify(problem)}\n\n`;
  } finally {
    // Whoever makes the events may wait for the next one: nobody waits for him.
    next.catch(() => undefined);
    void iterator.return?.().catch(() => undefined);
  }
}

async function orHeartbeat<T>(next: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  let stop = (): void => undefined;
  const silence = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    timer = setTimeout(stop, HEARTBEAT_MS);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([next, silence]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

/** The page loads its own files and nothing else, stands in no frame, and leaves nothing behind. */
const HEADERS = {
  'content-security-policy':
    "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; object-src 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
} as const;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Addresses of the page: all of them are one document, which looks at its own address. */
const ADDRESSES = [
  '/',
  ...STEPS.map((step) => `/lists/:list/${step}`),
  '/history',
  '/history/:run',
  '/runs/:run',
];

/** Serves the built page. It holds nothing of anybody, so that it needs no token. */
async function addPageFiles(server: FastifyInstance, folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => extname(name) in TYPES);
  for (const name of names) {
    const content = await readFile(join(folder, name));
    const type = TYPES[extname(name)] ?? '';
    const urls = name === 'index.html' ? ADDRESSES : [`/${name}`];
    for (const url of urls) server.get(url, (_request, reply) => reply.type(type).send(content));
    if (name !== 'index.html') continue;
    // Whoever has mistyped an address reads in words that nothing is there, with the way to the beginning.
    server.setNotFoundHandler(({ raw: { method, url = '', headers } }, reply) => {
      const isTyped = method === 'GET' && headers['sec-fetch-dest'] === 'document';
      if (isTyped && !url.startsWith('/api/')) return reply.code(404).type(type).send(content);
      throw refusal('no_such_page');
    });
  }
}

/** What the page says in other languages. The browser keeps it, and asks whether it is still the same. */
function addPageWords(server: FastifyInstance): void {
  for (const language of OTHERS)
    server.get(`/${language}.json`, ({ headers }, reply) => {
      const { page, outcomes } = wordsOf(language);
      const content = JSON.stringify({ page, outcomes });
      const tag = `"${createHash('sha256').update(content).digest('base64url')}"`;
      void reply.headers({ 'cache-control': 'no-cache', etag: tag });
      if (headers['if-none-match'] === tag) return reply.code(304).send();
      return reply.type('application/json').send(content);
    });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How a request of the page's data shows where it comes from. Absent for the page itself, which holds no data. */
    readonly access?: Route['access'];
    /** Refused with `--read-only`. */
    readonly changes?: boolean;
  }
}

/**
 * Whoever else can reach this address is refused: pages of other sites, whatever name they gave to this machine, and
 * other users of it, who do not have the token. In a hook, so that a path that does not exist is no exception.
 */
function guardAccess(server: FastifyInstance, sessions: Sessions, readOnly: boolean): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const { raw, headers, routeOptions, query } = request;
    const { access, changes } = routeOptions.config;
    const hasTicket = typeof query === 'object' && query !== null && 'ticket' in query;
    const ticket = hasTicket ? String(query.ticket) : '';
    const path = (raw.url ?? '').replace(/[?#].*$/, '');
    refuseForeign(raw);
    if (access === 'session' && !sessions.has(headers['x-cardline-session']))
      throw refusal('no_session');
    if (access === 'ticket' && !sessions.redeem(ticket, path)) throw refusal('no_ticket');
    if (changes === true && readOnly) throw refusal('read_only');
    done();
  });
}

/** Whatever is asked for: it has to come from the page, or from nobody's. @throws Refusal */
function refuseForeign({ method, url, headers, socket }: IncomingMessage): void {
  // A page elsewhere can give this machine a name of its own; the name stays in `Host`.
  if (headers.host !== `127.0.0.1:${socket.localPort ?? 0}`) throw refusal('other_host');
  const { origin, 'sec-fetch-site': site } = headers;
  // The page is opened by a file that leads to it, which for a browser is another site. What it gets is the empty page,
  // in a tab of its own; a frame or a script of another site does not get it.
  const isOpening =
    method === 'GET' &&
    url === '/' &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document';
  const isOwn = origin === undefined || origin === `http://${headers.host}`;
  if (!isOwn || !(isOpening || OWN_SITES.includes(site?.toString()))) throw refusal('other_origin');
}

/** `none`: typed or opened from outside of the browser. `same-site` is another port of this machine. */
const OWN_SITES: readonly (string | undefined)[] = [undefined, 'same-origin', 'none'];
