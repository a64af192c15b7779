import { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import type { Certificates } from './certificates.js';
import { undici } from './undici.js';

/** An HTTP(S) proxy. */
export interface Proxy {
  readonly origin: string;
  /** Value of `Proxy-Authorization`, where the proxy's address has a user name. */
  readonly authorization?: string;
  readonly certificates: Certificates;
}

/** The proxy did not open a tunnel. Nothing has reached the contact center. */
export class TunnelError extends Error {
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
export function tunnelConnector(
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
