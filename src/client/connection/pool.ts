import type { Pool, buildConnector } from 'undici';
import { ConfigurationError, type ConfigMistake } from '../../core/errors.js';
import type { Installation } from '../../installation/installation.js';
import { readCertificates, type Certificates } from './certificates.js';
import type { ConnectionOptions } from './connection-options.js';
import { missingText, substitute, type Environment } from '../../files/placeholders.js';
import { requestHeaders } from '../headers.js';
import { undici } from './undici.js';
import { Socket } from 'node:net';

/** Longest time for a connection to be made; the total deadline may be shorter. */
const CONNECT_MS = 10_000;

/** Everything that the requests to one contact center share. */
export interface Connection {
  readonly pool: Pool;
  /** Scheme, host and port of the contact center. */
  readonly origin: string;
  /** Path of the base address, without a trailing slash. */
  readonly prefix: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Mistake = Omit<ConfigMistake, 'file'>;

/**
 * Makes the pool of one contact center: keep-alive, one request at a time on a connection, no redirects, no retries.
 * Connects only when the first request is sent.
 * @throws ConfigurationError listing everything that is wrong with address, headers, certificates and proxy.
 */
export function openConnection(
  installation: Installation,
  { baseUrl = installation.baseUrl, env = {}, connections }: ConnectionOptions,
): Connection {
  const { transport, limits, name } = installation;
  const { headers, mistakes: headerMistakes } = requestHeaders(installation, env);
  const certificates = readCertificates(transport);
  const mistakes: Mistake[] = [...headerMistakes, ...certificates.mistakes];
  const base = addressOf('baseUrl', baseUrl, mistakes);
  const proxy = proxyOf(transport.proxy, env, certificates.proxy, mistakes);
  if (base === undefined || mistakes.length > 0) {
    throw new ConfigurationError(
      mistakes.map((mistake) => ({ file: `installation "${name}"`, ...mistake })),
    );
  }
  const pool = new (undici.pool())(base.origin, {
    connections: connections ?? limits.concurrency ?? null,
    pipelining: 1,
    // One deadline over the whole request replaces those of its phases.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: transport.responseBytes,
    connect: connector(certificates.center, proxy, Math.min(CONNECT_MS, transport.timeoutMs)),
  });
  return { pool, origin: base.origin, prefix: base.pathname.replace(/\/+$/, ''), headers };
}

function connector(
  certificates: Certificates,
  proxy: Proxy | undefined,
  timeout: number,
): NonNullable<Pool.Options['connect']> {
  return proxy === undefined
    ? { ...certificates, timeout }
    : tunnelConnector(proxy, certificates, timeout);
}

function addressOf(path: string, text: string, mistakes: Mistake[]): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    mistakes.push({ path, message: 'must be an address like http://host:8080.' });
    return undefined;
  }
  if (path === 'baseUrl' && (url.username !== '' || url.search !== '' || url.hash !== '')) {
    const message = 'must have no user name, query or fragment; credentials go into headers.';
    mistakes.push({ path, message });
  }
  return url;
}

function proxyOf(
  template: string | undefined,
  env: Environment,
  certificates: Certificates,
  mistakes: Mistake[],
): Proxy | undefined {
  if (template === undefined) return undefined;
  const path = 'transport.proxy';
  const { text, missing } = substitute(template, env);
  const message = missingText(missing);
  if (message !== undefined) {
    mistakes.push({ path, message });
    return undefined;
  }
  const url = addressOf(path, text, mistakes);
  if (url === undefined) return undefined;
  const authorization = authorizationOf(url);
  return {
    origin: url.origin,
    certificates,
    ...(authorization !== undefined && { authorization }),
  };
}

function authorizationOf({ username, password }: URL): string | undefined {
  if (username === '') return undefined;
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

/** An HTTP(S) proxy. */
interface Proxy {
  readonly origin: string;
  /** Value of `Proxy-Authorization`, where the proxy's address has a user name. */
  readonly authorization?: string;
  readonly certificates: Certificates;
}

/** The proxy did not open a tunnel. Nothing has reached the contact center. */
class TunnelError extends Error {
  readonly code: string;
  constructor(reason: string, options?: ErrorOptions) {
    super('the proxy opened no tunnel', options);
    this.code = `PROXY_${reason}`;
  }
}

/**
 * Connects through a proxy's CONNECT tunnel. undici's own ProxyAgent connects again and again for as long as the proxy
 * hangs up without an answer; here every refusal is an error that says that nothing was sent.
 */
function tunnelConnector(
  proxy: Proxy,
  certificates: Certificates,
  timeout: number,
): buildConnector.connector {
  const secure = undici.connector()({ ...certificates, timeout });
  return (options, callback) => {
    openTunnel(proxy, options, timeout).then(
      (socket) => {
        if (options.protocol === 'https:') secure({ ...options, httpSocket: socket }, callback);
        else callback(null, socket);
      },
      (error: unknown) => callback(asTunnelError(error), null),
    );
  };
}

async function openTunnel(
  { origin, authorization, certificates }: Proxy,
  { hostname, port, protocol }: buildConnector.Options,
  timeout: number,
): Promise<Socket> {
  const host = hostname.includes(':') ? `[${hostname}]` : hostname;
  const target = `${host}:${port === '' ? defaultPort(protocol) : port}`;
  const client = new (undici.client())(origin, {
    connect: { ...certificates, timeout },
    headersTimeout: timeout,
  });
  const { statusCode, socket } = await client.connect({
    path: target,
    headers: { host: target, ...(authorization && { 'proxy-authorization': authorization }) },
  });
  if (statusCode === 200 && socket instanceof Socket) return socket;
  socket.on('error', () => undefined).destroy();
  throw new TunnelError(String(statusCode));
}

const defaultPort = (protocol: string): number => (protocol === 'https:' ? 443 : 80);

function asTunnelError(error: unknown): TunnelError {
  if (error instanceof TunnelError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'FAILED';
  return new TunnelError(code, { cause: error });
}
