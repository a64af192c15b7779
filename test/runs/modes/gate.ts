import {
  Agent,
  type IncomingMessage,
  type ServerResponse,
  createServer,
  request as httpRequest,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** A request on its way through a gate. */
export interface Passing {
  /** Method and path. */
  readonly line: string;
  readonly body: string;
}

/** What befalls a request: its answer arrives without its second half. */
type Fate = 'cut answer';

/** A proxy that understands HTTP, between an importer and its contact center. */
export interface Gate {
  readonly url: string;
  /** Decides what befalls a request; `undefined`: nothing. A promise holds it up until it is decided. */
  behave: (passing: Passing) => Fate | undefined | Promise<Fate | undefined>;
  /** How long a request is held up before it is passed on, in milliseconds. */
  hold: (passing: Passing) => number;
  /** Told that the contact center has carried a request out, before its answer is passed on. */
  onCarriedOut: (passing: Passing) => void;
  close(): Promise<void>;
}

/** Starts a gate on a free port before port `target` of this machine. */
export async function startGate(target: number): Promise<Gate> {
  const agent = new Agent({ keepAlive: true });

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    const line = `${request.method ?? ''} ${request.url ?? ''}`;
    const passing: Passing = { line, body: body.toString() };
    const fate = await gate.behave(passing);
    const hold = gate.hold(passing);
    if (hold > 0) await sleep(hold);
    const { status, headers, body: whole } = await forwarded(request, body);
    gate.onCarriedOut(passing);
    const length = fate === 'cut answer' ? Math.floor(whole.length / 2) : whole.length;
    response.writeHead(status, headers).end(whole.subarray(0, length));
  };

  const forwarded = (
    { method, url, headers }: IncomingMessage,
    body: Buffer,
  ): Promise<{ status: number; headers: Record<string, string>; body: Buffer }> =>
    new Promise((resolve, reject) => {
      const { 'content-type': type } = headers;
      const asked = httpRequest({
        ...{ agent, port: target, host: '127.0.0.1', method, path: url },
        headers: {
          'content-length': body.length,
          ...(type !== undefined && { 'content-type': type }),
        },
      });
      asked.on('error', reject);
      asked.on('response', (answer) => {
        buffer(answer).then(
          (content) =>
            resolve({
              status: answer.statusCode ?? 0,
              headers: { 'content-type': answer.headers['content-type'] ?? '' },
              body: content,
            }),
          reject,
        );
      });
      asked.end(body);
    });

  const server = createServer((request, response) => {
    // Whoever is killed while he asks has gone, and nobody is left to be told.
    handle(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const gate: Gate = {
    url: `http://127.0.0.1:${port}`,
    behave: () => undefined,
    hold: () => 0,
    onCarriedOut: () => undefined,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      agent.destroy();
    },
  };
  return gate;
}
