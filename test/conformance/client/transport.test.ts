import { createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type ContactCenter, createCenterPort } from '../../../src/client/contact-center.js';
import { NotSentError, OutcomeUnknownError } from '../../../src/core/errors.js';
import {
  clientAt,
  clientOf,
  installationAt,
  rejection,
  serve,
  serveAnswer,
  serveRaw,
} from './servers.js';

const body = new TextEncoder().encode('{"clients":[]}');
const transport = { timeoutMs: 20_000, responseBytes: 1_000_000 };
const HEAD = 'HTTP/1.1 201 Created\r\ncontent-type: application/json\r\n';
const created = '{"createResult":[]}';

const add = (center: ContactCenter, signal?: AbortSignal): Promise<unknown> =>
  createCenterPort(center).addClients(body, signal);
const failureAt = async (url: string): Promise<unknown> => rejection(add(clientAt(url)));

/** A server that reads the whole request, counts it, and then does something to the socket. */
function afterRequest(then: (socket: Socket, count: number) => void): Promise<string> {
  let count = 0;
  return serveRaw((socket) => {
    socket.on('data', (data) => {
      if (data.toString().includes('"clients"')) then(socket, ++count);
    });
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('a request was surely not sent when', () => {
  it('the connection is refused, for every request that waits', async () => {
    const installation = installationAt(`http://127.0.0.1:${await freePort()}`);
    const center = clientOf(installation, { connections: 2 });
    const errors = await Promise.all(Array.from({ length: 20 }, () => rejection(add(center))));
    for (const error of errors) expect(error).toBeInstanceOf(NotSentError);
    expect(String(errors[0])).toContain('ECONNREFUSED');
  });

  it('the host is not known', async () => {
    expect(await failureAt('http://no-such-host.invalid')).toBeInstanceOf(NotSentError);
  });

  it('the other side speaks no TLS', async () => {
    const url = await serveAnswer(200, created);
    expect(await failureAt(url.replace('http:', 'https:'))).toBeInstanceOf(NotSentError);
  });

  it('the other side hangs up during the TLS handshake', async () => {
    const url = await serveRaw((socket) => socket.once('data', () => socket.destroy()));
    expect(await failureAt(url.replace('http:', 'https:'))).toBeInstanceOf(NotSentError);
  });

  it('the TLS handshake never ends', async () => {
    const url = await serveRaw(() => undefined);
    const center = clientAt(url.replace('http:', 'https:'), {
      transport: { ...transport, timeoutMs: 200 },
    });
    expect(await rejection(add(center))).toBeInstanceOf(NotSentError);
  });

  it('it was given up before the call', async () => {
    const reason = new Error('stop');
    const error = await rejection(
      add(clientAt(await serveAnswer(201, created)), AbortSignal.abort(reason)),
    );
    expect(error).toBeInstanceOf(NotSentError);
    expect(error).toMatchObject({ cause: reason });
  });

  it('it was given up while it waited for a connection, and it never leaves', async () => {
    let requests = 0;
    let release = (): void => undefined;
    const url = await serve((_request, _body, response) => {
      requests += 1;
      release = () => response.writeHead(201).end(created);
    });
    const center = clientOf(installationAt(url), { connections: 1 });
    const first = add(center);
    const abort = new AbortController();
    const second = rejection(add(center, abort.signal));
    const third = rejection(center.sendPrepared('addClients', {}, body, { timeoutMs: 50 }));
    while (requests === 0) await delay(1);
    abort.abort(new Error('stop'));
    expect(await second).toBeInstanceOf(NotSentError);
    expect(await third).toBeInstanceOf(NotSentError);
    release();
    await first;
    await delay(50);
    expect(requests).toBe(1);
  });

  it('the client was closed before', async () => {
    const center = clientAt(await serveAnswer(201, created));
    await Promise.all([center.close(), center.close()]);
    expect(await rejection(add(center))).toBeInstanceOf(NotSentError);
  });
});

describe('the outcome is unknown when', () => {
  it('the server closes before it reads', async () => {
    expect(await failureAt(await serveRaw((socket) => socket.destroy()))).toBeInstanceOf(
      OutcomeUnknownError,
    );
  });

  it.each<[string, (socket: Socket) => void]>([
    ['closes', (socket) => void socket.end()],
    ['resets', (socket) => void socket.resetAndDestroy()],
    ['closes in the headers', (socket) => void socket.end(HEAD)],
    ['closes in the body', (socket) => void socket.end(`${HEAD}content-length: 99\r\n\r\n{"crea`)],
    [
      'closes in a chunk',
      (socket) => void socket.end(`${HEAD}transfer-encoding: chunked\r\n\r\n5\r\n{"cre`),
    ],
    ['answers no HTTP', (socket) => void socket.end('220 mail.example ESMTP 79161234567\r\n')],
    [
      'answers 101',
      (socket) =>
        void socket.end(
          'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
        ),
    ],
  ])('the server %s after it has read, and nothing is sent twice', async (_what, then) => {
    let requests = 0;
    const url = await afterRequest((socket, count) => {
      requests = count;
      then(socket);
    });
    const error = await failureAt(url);
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(JSON.stringify([error, String(error), (error as Error).cause])).not.toContain('7916');
    await delay(30);
    expect(requests).toBe(1);
  });

  it.each<[string, (socket: Socket) => void]>([
    ['headers', () => undefined],
    ['end of the headers', (socket) => void socket.write(HEAD)],
    ['body', (socket) => void socket.write(`${HEAD}content-length: 99\r\n\r\n{"crea`)],
    [
      'end of a body that comes in drops',
      (socket) => {
        socket.write(`${HEAD}content-length: 99\r\n\r\n`);
        const timer = setInterval(() => socket.write(' '), 20);
        socket.on('close', () => clearInterval(timer));
      },
    ],
  ])('the %s does not come in time', async (_what, then) => {
    const url = await afterRequest(then);
    const center = clientAt(url, { transport: { ...transport, timeoutMs: 150 } });
    const error = await rejection(add(center));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(String(error)).toContain('0.15 s');
  });

  it('it was given up after it had left', async () => {
    const abort = new AbortController();
    const reason = new Error('stop');
    const url = await afterRequest(() => abort.abort(reason));
    const error = await rejection(add(clientAt(url), abort.signal));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error).toMatchObject({ cause: reason });
  });

  it('the answer is larger than is accepted', async () => {
    const url = await serveAnswer(201, Buffer.alloc(10_000, 32));
    const center = clientAt(url, { transport: { ...transport, responseBytes: 9_999 } });
    expect(String(await rejection(add(center)))).toContain('responseBytes');
  });

  it('a compressed answer unpacks to more than is accepted', async () => {
    const { gzipSync } = await import('node:zlib');
    const url = await serveAnswer(201, gzipSync(Buffer.alloc(70_000_000, 32)), {
      'content-encoding': 'gzip',
    });
    expect(await failureAt(url)).toBeInstanceOf(OutcomeUnknownError);
  });

  it('the server redirects, and the redirect is not followed', async () => {
    const paths: (string | undefined)[] = [];
    const url = await serve((request, _body, response) => {
      paths.push(request.url);
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    expect(await failureAt(url)).toBeInstanceOf(OutcomeUnknownError);
    expect(paths).toHaveLength(1);
  });

  it('a page comes in place of an answer', async () => {
    const url = await serveAnswer(200, '<!doctype html><title>Login</title>');
    expect(await failureAt(url)).toBeInstanceOf(OutcomeUnknownError);
    expect(await failureAt(await serveAnswer(204, ''))).toBeInstanceOf(OutcomeUnknownError);
    expect(await failureAt(await serveAnswer(502, '<h1>Bad gateway</h1>'))).toBeInstanceOf(
      OutcomeUnknownError,
    );
  });
});

describe('an answer is read', () => {
  it('in chunks, one byte at a time, with a wrong content-type', async () => {
    const url = await afterRequest((socket) => {
      socket.setNoDelay(true);
      const bytes = `HTTP/1.1 201 Created\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\n13\r\n${created}\r\n0\r\n\r\n`;
      for (const byte of bytes) socket.write(byte);
    });
    expect(await add(clientAt(url))).toEqual([]);
  });

  it('after an early hint', async () => {
    const url = await afterRequest((socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n');
      socket.write(`${HEAD}content-length: ${created.length}\r\n\r\n${created}`);
    });
    expect(await add(clientAt(url))).toEqual([]);
  });

  it('up to the end of the connection when its length is not given', async () => {
    const url = await afterRequest((socket) => void socket.end(`${HEAD}\r\n${created}`));
    expect(await add(clientAt(url))).toEqual([]);
  });
});

describe('connections', () => {
  it('are kept and used again', async () => {
    const ports = new Set<number | undefined>();
    const url = await serve((request, _body, response) => {
      ports.add(request.socket.remotePort);
      response.writeHead(201).end(created);
    });
    const center = clientOf(installationAt(url), { connections: 1 });
    for (let i = 0; i < 5; i += 1) await add(center);
    expect(ports.size).toBe(1);
  });

  it('that the server closed while they were idle are replaced without a failure', async () => {
    const server = await afterRequest((socket) => {
      socket.write(`${HEAD}content-length: ${created.length}\r\n\r\n${created}`);
      setTimeout(() => socket.end(), 5);
    });
    const center = clientAt(server);
    for (let i = 0; i < 5; i += 1) {
      expect(await add(center)).toEqual([]);
      await delay(25);
    }
  });

  it('are no more than was asked for, and carry one request at a time', async () => {
    const waiting: (() => void)[] = [];
    const url = await serve((_request, _body, response) => {
      waiting.push(() => response.writeHead(201).end(created));
    });
    const center = clientOf(installationAt(url), { connections: 3 });
    const all = Array.from({ length: 9 }, () => add(center));
    for (let answered = 0; answered < 9; answered += 3) {
      while (waiting.length < 3) await delay(1);
      await delay(10);
      expect(waiting).toHaveLength(3);
      for (const answer of waiting.splice(0)) answer();
    }
    await Promise.all(all);
  });

  it('are closed only when the requests under way have ended', async () => {
    const url = await serve(async (_request, _body, response) => {
      await delay(50);
      response.writeHead(201).end(created);
    });
    const center = clientAt(url);
    const under = add(center);
    await center.close();
    expect(await under).toEqual([]);
  });
});
