import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** An answer that no contact center gives. */
export interface Foreign {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Stands before a contact center, and answers in its place as long as it is told how. */
export interface ForeignServer {
  readonly url: string;
  foreign: Foreign | null;
  /** Requests that it answered itself. */
  answered: number;
  close(): Promise<void>;
}

/** Starts it before the contact center at `target`; what is below `/wrong` is always answered by itself. */
export async function startForeignServer(target: string): Promise<ForeignServer> {
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const path = request.url ?? '';
    const foreign = path.startsWith('/wrong') ? (own.foreign ?? NOT_FOUND) : own.foreign;
    if (foreign) {
      own.answered++;
      response.writeHead(foreign.status, foreign.headers).end(foreign.body);
      return;
    }
    const { method = 'GET' } = request;
    const answer = await fetch(`${target}${path}`, {
      method,
      headers: body.length > 0 ? { 'content-type': 'application/json' } : {},
      ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
    });
    const type = answer.headers.get('content-type') ?? 'application/json';
    response.writeHead(answer.status, { 'content-type': type });
    response.end(Buffer.from(await answer.arrayBuffer()));
  };
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const own: ForeignServer = {
    url: `http://127.0.0.1:${port}`,
    foreign: null,
    answered: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return own;
}

const NOT_FOUND: Foreign = { status: 404, body: '' };
