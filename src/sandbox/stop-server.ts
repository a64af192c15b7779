import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How long a request that is being received may take to end, in milliseconds. */
const GRACE_MS = 3_000;

/**
 * Prepares a server to be stopped: the function given back takes no new requests, drops connections as soon as no
 * request is in flight on them (Node keeps those that have not sent anything yet), and resolves when all are gone.
 */
export function stopperOf(server: FastifyInstance): () => Promise<void> {
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
