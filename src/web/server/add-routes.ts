import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Route } from '../shared/route.js';
import { routes, type Name } from '../shared/routes.js';
import type { Language } from '../shared/languages.js';
import { inLanguage } from './language/in-language.js';
import { languageOf } from './language/language-of.js';
import { eventsOf } from './events.js';
import type { Around, Download, Handlers } from './handler.js';
import { Refusal } from './refusal.js';
import type { Site } from './site.js';

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
