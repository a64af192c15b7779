import { readFileSync, writeFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type IncomingMessage } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { beforeAll, describe, expect, it } from 'vitest';
import { handshake } from '../../../src/client/connection.js';
import { createContactCenter, type ContactCenter } from '../../../src/client/contact-center.js';
import {
  ConfigurationError,
  NotAuthorizedError,
  NotSentError,
  OutcomeUnknownError,
} from '../../../src/core/errors.js';
import type { Installation, Transport } from '../../../src/installation/installation.js';
import { HAS_OPENSSL, makeAuthority, makeCertificate } from '../../kit/certificates.js';
import {
  clientAt,
  clientOf,
  installationAt,
  listen,
  rejection,
  serve,
  serveAnswer,
  serveRaw,
} from './servers.js';
import { folderOfTest, testFolder } from '../../kit/folder.js';
import { tablesIn } from '../../kit/tables.js';

const CASES = tablesIn(import.meta.dirname, 'connection.yaml') as {
  readonly headers: Record<string, string>;
  readonly addresses: string[];
};

const transport = { timeoutMs: 20_000, responseBytes: 1_000_000 };
const call = (center: ContactCenter): Promise<unknown> =>
  center.stopCampaign({ params: { campaignId: 7 } });
const through = (more: Partial<Transport>): Partial<Installation> => ({
  transport: { ...transport, ...more },
});
const throwing = (installation: Installation, env = {}): ConfigurationError => {
  try {
    createContactCenter(installation, { env });
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error('was accepted');
};

describe('headers of the installation', () => {
  it('have ${NAME} replaced from the environment, and win over ours', async () => {
    let seen: unknown;
    const url = await serve((request, _body, response) => {
      const { authorization, accept, 'x-both': both } = request.headers;
      seen = { authorization, accept, both };
      response.end();
    });
    const headers = { Authorization: 'Bearer ${CC_TOKEN}', Accept: '*/*', 'X-Both': '${A}-${B}$' };
    const env = { CC_TOKEN: 's3cret', A: 'a', B: '${A}' };
    await call(clientOf(installationAt(url, { headers }), { env }));
    expect(seen).toEqual({ authorization: 'Bearer s3cret', accept: '*/*', both: 'a-${A}$' });
  });

  it('have secrets from files, which are read again when they are refused', async () => {
    const folder = folderOfTest();
    const [token, key] = [join(folder, 'token'), join(folder, 'key')];
    await writeFile(token, 'old\n');
    await writeFile(key, 'k\r\n');
    let right = 'Bearer old k';
    const seen: unknown[] = [];
    const url = await serve((request, _body, response) => {
      const { authorization } = request.headers;
      seen.push(authorization);
      response.statusCode = authorization === right ? 200 : 401;
      response.end();
    });
    const headers = { Authorization: `Bearer \${file:${token}} \${credential:key}` };
    const env = { CREDENTIALS_DIRECTORY: folder };
    const center = clientOf(installationAt(url, { headers }), { env });
    await call(center);
    right = 'Bearer new k';
    await expect(call(center), 'the same secret is not sent twice').rejects.toThrow(
      NotAuthorizedError,
    );
    await writeFile(token, 'new');
    await Promise.all([call(center), call(center)]);
    await call(center);
    expect(seen.filter((one) => one === 'Bearer old k')).toHaveLength(4);
    expect(seen.filter((one) => one === right)).toHaveLength(3);
    await rm(token);
    right = '';
    await expect(call(center), 'a secret that is gone').rejects.toThrow(NotAuthorizedError);
    expect(throwing(installationAt(url, { headers }), env).message).toContain(`the file ${token}`);
  });

  it('are refused with every fault named and no value shown', () => {
    const headers = CASES.headers;
    const env = { EMPTY: '', LINE: 's3cret\n' };
    const error = throwing(installationAt('http://127.0.0.1:1', { headers }), env);
    expect(error.mistakes.map(({ path }) => path)).toEqual(
      Object.keys(headers).map((name) => `headers.${name}`),
    );
    expect(error.message).toContain('CC_TOKEN');
    expect(error.message).not.toMatch(/s3cret|жук/);
  });
});

describe('the address', () => {
  it.each(CASES.addresses)('%s is refused', (baseUrl) => {
    const error = throwing(installationAt(baseUrl));
    expect(error.mistakes).toHaveLength(1);
    expect(error.mistakes[0]?.path).toBe('baseUrl');
    expect(error.message).not.toContain('s3cret');
  });

  it('may be given in place of the installation’s', async () => {
    const url = await serveAnswer(200, 'OK');
    const center = clientOf(installationAt('http://127.0.0.1:1'), { baseUrl: url });
    expect(await call(center)).toBeUndefined();
  });
});

describe.skipIf(!HAS_OPENSSL)('TLS (needs the openssl command)', () => {
  const folder = testFolder();
  const file = (name: string): string => join(folder, name);
  const pem = (name: string): string => readFileSync(file(name), 'utf8');

  beforeAll(() => {
    makeAuthority(folder, 'ca');
    makeAuthority(folder, 'other');
    makeCertificate(folder, 'server', 'ca', 'subjectAltName=IP:127.0.0.1');
    makeCertificate(folder, 'elsewhere', 'ca', 'subjectAltName=DNS:elsewhere.invalid');
    makeCertificate(folder, 'client', 'ca', 'extendedKeyUsage=clientAuth');
    makeCertificate(folder, 'stranger', 'other', 'extendedKeyUsage=clientAuth');
    writeFileSync(file('broken.pem'), 'no certificate, but 79161234567\n');
  });

  /** Answers 'OK', and keeps the name of the client certificate. */
  async function serveSecurely(
    name = 'server',
    options: ServerOptions = {},
  ): Promise<{ url: string; clients: unknown[] }> {
    const clients: unknown[] = [];
    const own = { cert: pem(`${name}.crt`), key: pem(`${name}.key`), ...options };
    const server = createHttpsServer(own, (request, response) => {
      if (request.socket instanceof TLSSocket) {
        // Without a certificate the answer is an empty object, whatever its type says.
        const peer: { subject?: { CN?: unknown } } = request.socket.getPeerCertificate();
        clients.push(peer.subject?.CN);
      }
      response.end('OK');
    });
    return { url: `https://127.0.0.1:${await listen(server)}`, clients };
  }

  it('trusts an own authority', async () => {
    const { url, clients } = await serveSecurely();
    await call(clientAt(url, through({ caFile: file('ca.crt') })));
    expect(clients).toHaveLength(1);
  });

  it('shows what is agreed on without sending a request', async () => {
    const { url, clients } = await serveSecurely();
    const trusting = installationAt(url, through({ caFile: file('ca.crt') }));
    const { protocol, validUntil } = await handshake(trusting, 20_000);
    expect(protocol).toMatch(/^TLSv1\.[23]$/);
    expect(validUntil).toBeGreaterThan(Date.now());
    const refused = await rejection(handshake(installationAt(url), 20_000));
    expect(refused).toBeInstanceOf(NotSentError);
    expect(String(refused)).toContain('no secure connection was agreed on');
    const silent = (await serveRaw(() => undefined)).replace('http:', 'https:');
    expect(String(await rejection(handshake(installationAt(silent), 50)))).toContain('ETIMEDOUT');
    expect(clients).toEqual([]);
  });

  it('trusts neither an unknown authority nor a wrong name, and sends nothing', async () => {
    const { url, clients } = await serveSecurely();
    expect(await rejection(call(clientAt(url)))).toBeInstanceOf(NotSentError);
    const other = through({ caFile: file('other.crt') });
    expect(await rejection(call(clientAt(url, other)))).toBeInstanceOf(NotSentError);
    const elsewhere = await serveSecurely('elsewhere');
    const own = through({ caFile: file('ca.crt') });
    expect(await rejection(call(clientAt(elsewhere.url, own)))).toBeInstanceOf(NotSentError);
    expect([...clients, ...elsewhere.clients]).toEqual([]);
  });

  it('shows a client certificate', async () => {
    const asking = { requestCert: true, ca: pem('ca.crt') };
    const { url, clients } = await serveSecurely('server', asking);
    const files = {
      caFile: file('ca.crt'),
      certFile: file('client.crt'),
      keyFile: file('client.key'),
    };
    await call(clientAt(url, through(files)));
    expect(clients).toEqual(['client']);
  });

  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'that is refused for the lack of a client certificate reaches nothing with %s',
    async (maxVersion) => {
      const asking = { requestCert: true, rejectUnauthorized: true, ca: pem('ca.crt'), maxVersion };
      const { url, clients } = await serveSecurely('server', asking);
      const own = { caFile: file('ca.crt') };
      const stranger = { ...own, certFile: file('stranger.crt'), keyFile: file('stranger.key') };
      for (const files of [own, stranger]) {
        const error = await rejection(call(clientAt(url, through(files))));
        // With 1.3 the refusal may be lost in the closing of the connection: then nobody knows.
        const allowed =
          maxVersion === 'TLSv1.3' ? [NotSentError, OutcomeUnknownError] : [NotSentError];
        expect(allowed.some((kind) => error instanceof kind)).toBe(true);
      }
      expect(clients).toEqual([]);
    },
  );

  it('refuses files that are no use when the client is made', () => {
    const faults = (more: Partial<Transport>): (string | undefined)[] =>
      throwing(installationAt('https://127.0.0.1:1', through(more))).mistakes.map(
        ({ path }) => path,
      );
    expect(faults({ caFile: file('absent.pem') })).toEqual(['transport.caFile']);
    expect(faults({ caFile: file('broken.pem') })).toEqual(['transport.caFile']);
    expect(faults({ certFile: file('client.crt') })).toEqual(['transport']);
    const mixed = { certFile: file('client.crt'), keyFile: file('server.key') };
    expect(faults(mixed)).toEqual(['transport.certFile']);
  });

  it('goes through a proxy, itself spoken to with TLS', async () => {
    const { url, clients } = await serveSecurely();
    const targets: string[] = [];
    const own = { cert: pem('server.crt'), key: pem('server.key') };
    const proxy = tunnels(createHttpsServer(own), targets);
    const files = { caFile: file('ca.crt'), proxy: `https://127.0.0.1:${await listen(proxy)}` };
    await call(clientAt(url, through(files)));
    expect(targets).toEqual([new URL(url).host]);
    expect(clients).toHaveLength(1);
  });

  it('through a proxy reaches nothing when the certificate is of another name', async () => {
    const { url } = await serveSecurely('elsewhere');
    const proxy = tunnels(createHttpServer(), []);
    const files = { caFile: file('ca.crt'), proxy: `http://127.0.0.1:${await listen(proxy)}` };
    expect(await rejection(call(clientAt(url, through(files))))).toBeInstanceOf(NotSentError);
  });
});

describe('an HTTP proxy', () => {
  it('is asked for a tunnel, with its credentials and without those of the contact center', async () => {
    const targets: string[] = [];
    const seen: unknown[] = [];
    const proxy = tunnels(createHttpServer(), targets, seen);
    const url = await serveAnswer(200, 'OK');
    const address = `http://user:\${PROXY_PASSWORD}@127.0.0.1:${await listen(proxy)}`;
    const installation = installationAt(url, {
      ...through({ proxy: address }),
      headers: { Authorization: 'Bearer s3cret' },
    });
    await call(clientOf(installation, { env: { PROXY_PASSWORD: 'pass' } }));
    expect(targets).toEqual([new URL(url).host]);
    expect(seen).toEqual([[`Basic ${Buffer.from('user:pass').toString('base64')}`, undefined]]);
  });

  it.each(['HTTP/1.1 407 Proxy Authentication Required', 'HTTP/1.1 502 Bad Gateway', 'nonsense'])(
    'that answers "%s" lets nothing through',
    async (line) => {
      const proxy = await serveRaw((socket) =>
        socket.once('data', () => socket.end(`${line}\r\n\r\n`)),
      );
      const error = await rejection(call(clientAt('http://127.0.0.1:1', through({ proxy }))));
      expect(error).toBeInstanceOf(NotSentError);
      expect(String(error)).toContain('proxy');
    },
  );

  it('that hangs up is not asked again and again', async () => {
    let connections = 0;
    const proxy = await serveRaw((socket) => {
      connections += 1;
      socket.once('data', () => socket.destroy());
    });
    const error = await rejection(call(clientAt('http://127.0.0.1:1', through({ proxy }))));
    expect(error).toBeInstanceOf(NotSentError);
    expect(connections).toBe(1);
  });

  it('that is not there, or never answers, lets nothing through', async () => {
    const gone = through({ proxy: 'http://127.0.0.1:1' });
    expect(await rejection(call(clientAt('http://127.0.0.1:1', gone)))).toBeInstanceOf(
      NotSentError,
    );
    const silent = through({ proxy: await serveRaw(() => undefined), timeoutMs: 200 });
    expect(await rejection(call(clientAt('http://127.0.0.1:1', silent)))).toBeInstanceOf(
      NotSentError,
    );
  });

  it('leaves the outcome unknown when it breaks off after the request', async () => {
    const url = await serveRaw((socket) => socket.once('data', () => socket.destroy()));
    const proxy = `http://127.0.0.1:${await listen(tunnels(createHttpServer(), []))}`;
    expect(await rejection(call(clientAt(url, through({ proxy }))))).toBeInstanceOf(
      OutcomeUnknownError,
    );
  });

  it('is refused when its address is wrong or its password is not set', () => {
    for (const proxy of ['nonsense', 'socks5://host', 'http://user:${NONE}@host']) {
      const error = throwing(installationAt('http://127.0.0.1:1', through({ proxy })));
      expect(error.mistakes[0]?.path).toBe('transport.proxy');
    }
  });
});

/** Makes a proxy of a server: it opens tunnels, and notes their targets and the authorizations that it was shown. */
function tunnels<
  S extends ReturnType<typeof createHttpServer> | ReturnType<typeof createHttpsServer>,
>(server: S, targets: string[], seen: unknown[] = []): S {
  server.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const { host, port } = new URL(`tcp://${request.url ?? ''}`);
    targets.push(host);
    seen.push([request.headers['proxy-authorization'], request.headers.authorization]);
    const target = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.write(head);
      target.pipe(socket).pipe(target);
    });
    target.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('error', () => target.destroy()).on('close', () => target.destroy());
  });
  return server;
}
