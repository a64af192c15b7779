import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify';
import { otherMethods } from './other-methods.js';
import { hostCheck, type HostNames } from './own-host.js';
import { invalid, Refusal, tooLarge } from './refusal.js';

/** Largest request body when the installation names no limit, in bytes. */
const BODY_BYTES = 64 * 1024 * 1024;

/**
 * An HTTP server without routes: JSON whatever the content type says, errors as `{errorMessage}`. It answers under its
 * own names alone.
 */
export function makeServer(names: HostNames, requestBytes = BODY_BYTES): FastifyInstance {
  const checkHost = hostCheck(names);
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
