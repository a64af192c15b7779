import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type Route, sentenceSchema } from '../shared/route.js';
import type { Language } from '../shared/in-browser.js';
import { routes, type Name } from '../shared/routes.js';
import { languageOf, problemIn, sentenceIn } from './language.js';
import type { Around, Download, Handlers, Site } from './handler.js';
import { Refusal, problemOf } from './problem.js';

// Object.keys forgets what the keys are.
const NAMES = Object.keys(routes) as Name[];

/** Gives the server every route of the table. */
export function addRoutes(server: FastifyInstance, handlers: Handlers, site: Site): void {
  for (const name of NAMES) addRoute(server, name, handlers, site);
}

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
      const signal = AbortSignal.any([closed(reply), site.stop]);
      const language = languageOf(request.headers);
      const around = { site, signal, language, upload: request.raw };
      const answered = await handler(takenFrom(route, request), around);
      return answer(route, answered, reply, { language, signal });
    },
  });
}

/** Aborted when the other side has gone. */
function closed({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  raw.once('close', () => controller.abort());
  return controller.signal;
}

/** Names of lists, runs and files: nothing that leads to another place. */
const PART = /^[\w.-]{1,100}$/;

function takenFrom(route: Route, { params, query, body }: FastifyRequest): unknown {
  for (const part of Object.values(params as Record<string, string>))
    if (!PART.test(part) || part.startsWith('.'))
      throw new Refusal(404, { code: 'no_such_page', sentence: 'There is no such page.' });
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
  throw new Refusal(400, {
    code: 'not_understood',
    sentence: 'The page has asked for something that the server does not understand.',
    next: 'Reload the page.',
    field: issue?.path.join('.') ?? '',
  });
}

function answer(
  { kind, response }: Route,
  answered: unknown,
  reply: FastifyReply,
  shown: { readonly language: Language; readonly signal: AbortSignal },
): FastifyReply {
  if (kind === 'download') {
    const download = answered as Download;
    const encoded = encodeURIComponent(download.name);
    return reply
      .header('content-disposition', `attachment; filename*=UTF-8''${encoded}`)
      .type(download.type)
      .send(contentOf(download, reply));
  }
  if (kind !== 'stream')
    return reply.send(inLanguage(response, response.parse(answered), shown.language));
  const events = eventsOf(answered as AsyncIterable<unknown>, { schema: response, ...shown });
  return reply.type('text/event-stream; charset=utf-8').send(Readable.from(events));
}

function contentOf(download: Download, { raw }: FastifyReply): Readable {
  if ('pieces' in download) return Readable.from(download.pieces, { objectMode: false });
  const { path, release } = download;
  if (release) {
    const end = (): void => void release().catch(() => undefined);
    if (raw.closed) end();
    else raw.once('close', end);
  }
  return createReadStream(path);
}

/** After how long without news a stream shows that it is alive, in milliseconds. */
const HEARTBEAT_MS = 10_000;
const HEARTBEAT = ': alive\n\n';

interface Shown {
  readonly schema: z.ZodType;
  readonly language: Language;
  readonly signal: AbortSignal;
}

/** Events as text, in the format of server-sent events. An error is the last one, under a name of its own. */
async function* eventsOf(
  events: AsyncIterable<unknown>,
  { schema, language, signal }: Shown,
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
      const shown = inLanguage(schema, schema.parse(result.value), language);
      yield `data: ${JSON.stringify(shown)}\n\n`;
      next = iterator.next();
    }
  } catch (error) {
    const problem = problemIn(language, problemOf(error).problem);
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

/** Puts what a schema calls sentences into a language. */
type Change = (value: unknown, language: Language) => unknown;

/** The sentences of an answer in the language of the page. `value` is what `schema` has made of it. */
function inLanguage(schema: z.ZodType, value: unknown, language: Language): unknown {
  const change = changeOf(schema);
  return change ? change(value, language) : value;
}

const known = new WeakMap<z.core.$ZodType, { readonly change: Change | undefined }>();

/** `undefined`: nothing in it is a sentence. */
function changeOf(schema: z.core.$ZodType): Change | undefined {
  const found = known.get(schema) ?? { change: made(schema) };
  known.set(schema, found);
  return found.change;
}

function made(schema: z.core.$ZodType): Change | undefined {
  if (schema === sentenceSchema) return (value, language) => sentenceIn(language, String(value));
  if (schema instanceof z.ZodObject) return ofObject(schema);
  if (schema instanceof z.ZodArray) {
    const change = changeOf(schema.element);
    return change && ((value, language) => asArray(value).map((one) => change(one, language)));
  }
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) {
    const change = changeOf(schema.unwrap());
    return change && ((value, language) => (value == null ? value : change(value, language)));
  }
  return undefined;
}

function ofObject(schema: z.ZodObject): Change | undefined {
  const shape: z.core.$ZodShape = schema.shape;
  const changes = Object.entries(shape).flatMap(([name, part]) => {
    const change = changeOf(part);
    return change ? [{ name, change }] : [];
  });
  if (changes.length === 0) return undefined;
  return (value, language) => {
    const parts = new Map(Object.entries(value as object));
    for (const { name, change } of changes)
      if (parts.has(name)) parts.set(name, change(parts.get(name), language));
    return Object.fromEntries(parts);
  };
}

const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
