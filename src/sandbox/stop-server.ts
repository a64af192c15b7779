import type { FastifyInstance } from 'fastify';

/** How long a request that is being received may take to end, in milliseconds. */
const GRACE_MS = 3_000;

/** Takes no new requests, lets those in flight end, and drops the connections that do not. */
export async function stopServer(server: FastifyInstance): Promise<void> {
  const drop = setTimeout(() => server.server.closeAllConnections(), GRACE_MS);
  try {
    await server.close();
  } finally {
    clearTimeout(drop);
  }
}
