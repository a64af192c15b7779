import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What was posted. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Somebody who is told by HTTP, and keeps what comes. */
export interface Receiver {
  readonly address: string;
  readonly received: Received[];
  /** How it answers. @default as one who has taken it */
  answer: (response: ServerResponse, received: Received) => void;
  close(): Promise<void>;
}

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { url: path = '', headers } = request;
      const one = { path, headers, body };
      received.push(one);
      receiver.answer(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: (response) => response.end(),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
