import type { Pool, buildConnector, Client } from 'undici';
import {
  ConfigurationError,
  type ConfigMistake,
  NotSentError,
  OutcomeUnknownError,
  type ContactCenterError,
} from '../core/errors.js';
import type { Installation, Transport } from '../installation/installation.js';
import { missingText, substitute, type Environment } from '../files/placeholders.js';
import { Socket, isIP } from 'node:net';
import { connect, createSecureContext, rootCertificates } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import {
  NotRegularError,
  packageVersion,
  readSmallFileSync,
  TooLargeError,
} from '../files/regular-file.js';
import { createRequire } from 'node:module';

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
  const timeout = Math.min(CONNECT_MS, transport.timeoutMs);
  const pool = new (undici.pool())(base.origin, {
    connections: connections ?? limits.concurrency ?? null,
    pipelining: 1,
    // One deadline over the whole request replaces those of its phases.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: transport.responseBytes,
    connect: proxy
      ? tunnelConnector(proxy, certificates.center, timeout)
      : { ...certificates.center, timeout },
  });
  return { pool, origin: base.origin, prefix: base.pathname.replace(/\/+$/, ''), headers };
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
  const { origin, username } = url;
  if (username === '') return { origin, certificates };
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(url.password)}`;
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  return { origin, certificates, authorization };
}

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
  const target = `${host}:${port || (protocol === 'https:' ? '443' : '80')}`;
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

function asTunnelError(error: unknown): TunnelError {
  if (error instanceof TunnelError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'FAILED';
  return new TunnelError(code, { cause: error });
}

/** Apart from the pool, whose types need those of undici and of Node: a program that imports the package may have neither. */
export interface ConnectionOptions {
  /** Address to use in place of the installation's. */
  readonly baseUrl?: string | undefined;
  /** Environment for `${NAME}` in the installation's headers and proxy. @default {} */
  readonly env?: Environment | undefined;
  /** Maximum connections at a time. @default the installation's `limits.concurrency`, else as many as requests */
  readonly connections?: number | undefined;
}

/**
 * Makes a secure connection to the contact center and closes it: no request is sent.
 * @throws NotSentError with the reason when none is agreed on
 */
export function handshake(
  { baseUrl, transport }: Pick<Installation, 'baseUrl' | 'transport'>,
  timeoutMs: number,
): Promise<{
  /** Version of TLS, such as `TLSv1.3`. */
  readonly protocol: string;
  /** When the certificate of the other side ends, in milliseconds since the epoch. */
  readonly validUntil: number;
}> {
  const { hostname, port, origin } = new URL(baseUrl);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const socket = connect({
      ...{ host, port: port === '' ? 443 : Number(port) },
      ...(isIP(host) === 0 && { servername: host }),
      ...readCertificates(transport).center,
    });
    const fail = (error: Error): void => {
      socket.destroy();
      reject(transportError({ name: 'connection', origin }, error, false));
    };
    socket.setTimeout(timeoutMs, () =>
      fail(Object.assign(new Error('no handshake in time'), { code: 'ETIMEDOUT' })),
    );
    socket.once('error', fail);
    socket.once('secureConnect', () => {
      const { valid_to: until } = socket.getPeerCertificate();
      resolve({ protocol: socket.getProtocol() ?? 'TLS', validUntil: Date.parse(until) });
      socket.destroy();
    });
  });
}

/** Certificates of a TLS connection, as node:tls takes them. Absent: the usual ones. */
interface Certificates {
  readonly ca?: string[];
  readonly cert?: string;
  readonly key?: string;
}

/** Reads the PEM files of an installation's transport and checks that they can be used together. */
function readCertificates(transport: Transport) {
  const mistakes: Mistake[] = [];
  const [ca, cert, key] = (['caFile', 'certFile', 'keyFile'] as const).map((path) => {
    const file = transport[path];
    if (file === undefined) return undefined;
    const read = (): string => readSmallFileSync(file, MAX_BYTES).toString();
    return attempt(`transport.${path}`, mistakes, read);
  });
  attempt('transport.caFile', mistakes, () => (ca === undefined ? ca : new X509Certificate(ca)));
  if ((transport.certFile === undefined) !== (transport.keyFile === undefined)) {
    const message = 'certFile and keyFile belong together; give both.';
    mistakes.push({ path: 'transport', message });
  }
  const identity = cert !== undefined && key !== undefined ? { cert, key } : {};
  // Without authorities: to read all the usual ones takes longer than the rest of making a connection ready.
  if (cert !== undefined)
    attempt('transport.certFile', mistakes, () => createSecureContext({ ...identity, ca: [] }));
  // The contact center's own authority alone is trusted, a proxy's beside the usual ones.
  const center: Certificates = { ...(ca !== undefined && { ca: [ca] }), ...identity };
  const proxy: Certificates = ca === undefined ? {} : { ca: [...rootCertificates, ca] };
  return { center, proxy, mistakes };
}

/** All the authorities of a system take a quarter of a megabyte. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The reasons of the system and of OpenSSL are kept to their codes: the texts may quote the file. */
function attempt<T>(path: string, mistakes: Mistake[], action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    const isOwn = error instanceof NotRegularError || error instanceof TooLargeError;
    const message = isOwn
      ? `${error.message}. It must be a PEM file.`
      : `cannot be used${code}. It must be a PEM file.`;
    mistakes.push({ path, message });
    return undefined;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refuses connections: it is not running, or the address is wrong',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name cannot be looked up just now',
  EHOSTUNREACH: 'its network cannot be reached',
  ENETUNREACH: 'its network cannot be reached',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
  ETIMEDOUT: 'it does not react',
  UND_ERR_CONNECT_TIMEOUT: 'it does not react',
  UND_ERR_SOCKET: 'it closed the connection without a whole answer',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'its answer is larger than transport.responseBytes',
  UND_ERR_CLOSED: 'this client has been closed',
  UND_ERR_DESTROYED: 'this client has been closed',
  PROXY_407: 'the proxy asks for credentials',
};

/**
 * Makes the error that a caller can act on. Its message holds no text of the other side.
 * @param begun whether the transport had begun to write the request: from then on the contact center may have it
 */
export function transportError(
  { name, origin }: { readonly name: string; readonly origin: string },
  error: unknown,
  begun: boolean,
): ContactCenterError {
  const code = codeOf(error);
  const reason = `${REASONS[code] ?? general(code)} (${code})`;
  // A parser's error carries the bytes that it failed on, which may be personal data.
  const options = { cause: error instanceof Error && 'data' in error ? undefined : error };
  return begun && !isCertificateAlert(code)
    ? new OutcomeUnknownError(
        `${name}: no answer from ${origin}: ${reason}`,
        name,
        undefined,
        options,
      )
    : new NotSentError(`${name}: ${origin} was not reached: ${reason}`, name, undefined, options);
}

function general(code: string): string {
  if (code.startsWith('PROXY_')) return 'the proxy opened no tunnel to it';
  if (/^HPE_/.test(code)) return 'its answer is not HTTP';
  return /CERT|TLS|SSL|SIGNATURE/.test(code)
    ? 'no secure connection was agreed on'
    : 'a network error';
}

/**
 * With TLS 1.3 a server refuses the client's certificate only after the client could begin to send. Whatever was
 * written then belongs to a handshake that failed, and no request is read from it.
 */
function isCertificateAlert(code: string): boolean {
  return /^ERR_SSL_.*ALERT_(.*CERTIFICATE.*|UNKNOWN_CA|ACCESS_DENIED)$/.test(code);
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

const load = createRequire(import.meta.url);

/** Loads what sends requests, for whoever has the time now and will not have it later. */
export function warmTransport(): void {
  undici.pool();
  // Its reader of answers, which it would load with the first request.
  load('undici/lib/llhttp/llhttp_simd-wasm.js');
}

/** The parts of undici that send requests, each loaded when it is needed. */
export const undici = {
  // The main module loads fetch, caches, web sockets and more: three quarters of its time, for nothing here.
  pool: () => load('undici/lib/dispatcher/pool.js') as typeof Pool,
  // A proxy is asked for a tunnel by what the main module adds to clients.
  client: () => {
    // Who is loaded first sets what Node's own `fetch` sends with, and this one refuses lengths that others give there.
    Reflect.get(globalThis, 'Headers');
    return (load('undici') as { readonly Client: typeof Client }).Client;
  },
  connector: () => load('undici/lib/core/connect.js') as typeof buildConnector,
};

/** What the client calls itself: `cardline/<version>`. */
export const USER_AGENT = `cardline/${packageVersion()}`;

const STANDARD = {
  'content-type': 'application/json',
  accept: 'application/json',
  'accept-encoding': 'identity',
  'user-agent': USER_AGENT,
} as const;

/** Headers that describe the connection or the message; they belong to the transport. */
const OURS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const TOKEN = /^[!#$%&'*+.^`|~\w-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * The headers of every request: ours, then the installation's with their placeholders replaced. A mistake names the header
 * and the placeholder, never a value.
 */
export function requestHeaders(
  { headers }: Pick<Installation, 'headers'>,
  env: Environment,
): { headers: Readonly<Record<string, string>>; mistakes: Mistake[] } {
  const mistakes: Mistake[] = [];
  const entries = Object.entries(headers).map(([name, template]): [string, string] => {
    const { text, missing } = substitute(template, env);
    const message =
      nameMistake(name) ??
      missingText(missing) ??
      (VALUE.test(text)
        ? undefined
        : 'holds a character that a header must not have, such as a line break.');
    if (message !== undefined) mistakes.push({ path: `headers.${name}`, message });
    return [name.toLowerCase(), text];
  });
  return { headers: { ...STANDARD, ...Object.fromEntries(entries) }, mistakes };
}

/** What headers and proxy name and nobody has set, as it stands in their placeholders. */
export const missingSecrets = (
  { headers, transport }: Pick<Installation, 'headers' | 'transport'>,
  env: Environment,
): string[] => [
  ...new Set(
    [...Object.values(headers), transport.proxy ?? ''].flatMap(
      (text) => substitute(text, env).missing,
    ),
  ),
];

function nameMistake(name: string): string | undefined {
  if (!TOKEN.test(name)) return 'is not a name that a header can have.';
  return OURS.has(name.toLowerCase()) ? 'is set by cardline itself; leave it out.' : undefined;
}
