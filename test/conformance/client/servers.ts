import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import { onTestFinished } from 'vitest';
import type { Installation } from '../../../src/installation/installation.js';
import {
  createContactCenter,
  type ContactCenter,
  type ContactCenterOptions,
} from '../../../src/client/contact-center.js';

/** An installation at an address, with whatever else a test needs. */
export function installationAt(baseUrl: string, more: Partial<Installation> = {}): Installation {
  return {
    name: 'test',
    baseUrl,
    headers: {},
    card: { offerId: { type: 'Number', sync: true, required: true } },
    limits: {},
    transport: { timeoutMs: 20_000, responseBytes: 1_000_000 },
    sandbox: { blacklist: [] },
    ...more,
  };
}

/** A client that is closed when the test ends. */
export function clientOf(
  installation: Installation,
  options: ContactCenterOptions = {},
): ContactCenter {
  const center = createContactCenter(installation, options);
  onTestFinished(() => center.close());
  return center;
}

export const clientAt = (baseUrl: string, more: Partial<Installation> = {}): ContactCenter =>
  clientOf(installationAt(baseUrl, more));

/** Lets a server listen until the test ends; gives its port. */
export async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  );
  return (server.address() as AddressInfo).port;
}

export type Handler = (
  request: IncomingMessage,
  body: string,
  response: ServerResponse,
) => void | Promise<void>;

/** An HTTP server with one handler, which is given the whole request body. */
export async function serve(handler: Handler): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => void handler(request, Buffer.concat(chunks).toString(), response));
  });
  return `http://127.0.0.1:${await listen(server)}`;
}

/** An HTTP server that answers everything alike. */
export const serveAnswer = (
  status: number,
  body: string | Buffer,
  headers: Record<string, string> = {},
): Promise<string> =>
  serve((_request, _body, response) => void response.writeHead(status, headers).end(body));

/** A TCP server that says what it wants. */
export async function serveRaw(handler: (socket: Socket) => void): Promise<string> {
  return `http://127.0.0.1:${await listen(createTcpServer(handler))}`;
}

/** What a call rejected with; fails when it resolved. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    (value) => {
      throw new Error(`resolved with ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
}
