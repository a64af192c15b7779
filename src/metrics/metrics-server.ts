import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import { UsageError } from '../core/errors.js';

export interface MetricsServer {
  /** Where it listens, as an address for a browser. */
  readonly url: string;
  close(): Promise<void>;
}

/** What is served. */
interface Served {
  readonly text: () => Promise<string>;
  readonly contentType: string;
  /** Whether all is well, for /healthz. */
  readonly isHealthy: () => boolean;
}

/** A collector asks for little. */
const LIMITS = { requestTimeout: 10_000, headersTimeout: 5_000, maxHeaderSize: 8192 };
const MAX_CONNECTIONS = 32;

/** `127.0.0.1:9464` or `[::1]:9464`. */
export const LISTEN_FORM = /^(?:\[([^\]]+)\]|([^:\s[\]]+)):(\d{1,5})$/;

/** Serves `/metrics` and `/healthz`. @throws UsageError where it cannot listen there */
export async function serveMetrics(listen: string, served: Served): Promise<MetricsServer> {
  const [, six, other, digits] = LISTEN_FORM.exec(listen) ?? [];
  const [host = other, port] = [six, Number(digits)];
  if (host === undefined || port > 65_535)
    throw new UsageError(`"${listen}" is no address and port. Write it like 127.0.0.1:9464.`);
  const server = createServer(LIMITS, answer(served));
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: Error & { code?: string }) => {
      const reason = error.code ?? error.message;
      reject(
        new UsageError(`Metrics cannot be served at ${listen} (${reason}).`, { cause: error }),
      );
    });
    server.listen(port, host, resolve);
  });
  // A run does not wait for whoever looks on.
  server.unref();
  return {
    url: urlOf(server.address()),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function urlOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') return '';
  const host = isIPv6(address.address) ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

const answer =
  ({ text, contentType, isHealthy }: Served): RequestListener =>
  ({ url = '', method = '' }, response) => {
    const reply = (status: number, body: string, type = 'text/plain; charset=utf-8'): void => {
      response.writeHead(status, { 'content-type': type }).end(method === 'HEAD' ? '' : body);
    };
    const [path] = url.split('?');
    if (method !== 'GET' && method !== 'HEAD') reply(405, 'Only GET.\n');
    else if (path === '/healthz') reply(isHealthy() ? 200 : 503, isHealthy() ? 'ok\n' : 'ending\n');
    else if (path !== '/metrics') reply(404, 'There are /metrics and /healthz.\n');
    else
      text().then(
        (body) => reply(200, body, contentType),
        () => reply(500, 'The metrics could not be put together.\n'),
      );
  };
