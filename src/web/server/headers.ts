import type { FastifyInstance, FastifyReply } from 'fastify';

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

/** For an answer that no hook has seen. */
export const giveHeaders = (reply: FastifyReply): FastifyReply => reply.headers(HEADERS);

/** Gives every answer the headers, refusals included. */
export function addHeaders(server: FastifyInstance): void {
  server.addHook('onRequest', (_request, reply, done) => {
    void giveHeaders(reply);
    done();
  });
}
