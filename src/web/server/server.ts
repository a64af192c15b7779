import type { IncomingMessage } from 'node:http';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { guardAccess, refuseForeign } from './access.js';
import { addHeaders, giveHeaders } from './headers.js';
import { addPageFiles } from './page-files.js';
import { addRoutes } from './add-routes.js';
import { handlersOf } from './handlers.js';
import { languageOf } from './language/language-of.js';
import { problemIn } from './language/sentence-in.js';
import { problemOf } from './problem-of.js';
import { Refusal } from './refusal.js';
import { Sessions } from './sessions.js';
import type { Site } from './site.js';

/** Largest JSON body, in bytes: a mapping as text and more. */
const BODY_BYTES = 2 * 1024 * 1024;
/** How long answers that are being sent may take to end, in milliseconds. */
const GRACE_MS = 3_000;

/** This machine alone. */
const HOST = '127.0.0.1';

/** A server that listens. */
export interface PageServer {
  readonly port: number;
  readonly sessions: Sessions;
  /** Takes no new requests and waits for those that are being answered. */
  close(): Promise<void>;
}

/** Serves the page on this machine. @throws what the system says where the port is taken */
export async function startServer(site: Site, port: number): Promise<PageServer> {
  const sessions = new Sessions();
  const server = Fastify({
    bodyLimit: BODY_BYTES,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    // Uploads take as long as they take.
    requestTimeout: 0,
    frameworkErrors: (_error, { raw }, reply) => void answerMalformed(raw, reply),
  });
  addHeaders(server);
  guardAccess(server, { sessions, readOnly: site.settings.readOnly });
  answerProblems(server);
  takeBodies(server);
  addRoutes(server, handlersOf(sessions), site);
  await addPageFiles(server, site.settings.page, () => {
    throw noSuchPage();
  });
  await server.listen({ host: HOST, port });
  const address = server.server.address();
  const found = typeof address === 'object' && address !== null ? address.port : port;
  return { port: found, sessions, close: () => closeGently(server) };
}

function answerProblems(server: FastifyInstance): void {
  server.setErrorHandler((error, { raw }, reply) => sendProblem(error, raw, reply));
}

/** A path that cannot be read gets past all hooks. */
function answerMalformed(raw: IncomingMessage, reply: FastifyReply): FastifyReply {
  giveHeaders(reply);
  try {
    refuseForeign(raw);
    throw noSuchPage();
  } catch (error) {
    return sendProblem(error, raw, reply);
  }
}

const noSuchPage = (): Refusal =>
  new Refusal(404, { code: 'no_such_page', sentence: 'There is no such page.' });

function sendProblem(error: unknown, raw: IncomingMessage, reply: FastifyReply): FastifyReply {
  const { status, problem } = problemOf(error);
  return reply.code(status).send(problemIn(languageOf(raw.headers), problem));
}

/** JSON is parsed; the bytes of an upload are left to its handler, which never has all of them in memory. */
function takeBodies(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, JSON.parse(body.toString()) as unknown);
    } catch {
      // The parser's own words would repeat parts of the body.
      done(new Refusal(400, { code: 'not_json', sentence: 'The request is not valid JSON.' }));
    }
  });
  server.addContentTypeParser('application/octet-stream', (_request, _payload, done) => {
    done(null, undefined);
  });
}

async function closeGently(server: FastifyInstance): Promise<void> {
  const dropRest = setTimeout(() => server.server.closeAllConnections(), GRACE_MS);
  try {
    await server.close();
  } finally {
    clearTimeout(dropRest);
  }
}
