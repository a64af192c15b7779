import type { IncomingMessage } from 'node:http';
import { Refusal } from './refusal.js';

/** Where a sandbox listens, and under which further names it may be asked. */
export interface HostNames {
  /** Address that it listens on. */
  readonly host: string;
  /** Further values of `Host`, such as `sandbox:8080`; a name without a port goes with any port. @default [] */
  readonly allowHosts?: readonly string[] | undefined;
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];
const HTTP_PORT = 80;
/** A name, or an IPv6 address in brackets, and a port. */
const NAME_AND_PORT = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/;

/**
 * Makes the check of a request's `Host`. A page in a browser can reach this machine under a name of its own, whose
 * address it changes to 127.0.0.1 after the browser has looked it up, and then reads and writes here as if it were at
 * home; the name stays in `Host`.
 * @returns what throws a Refusal (421) when a request is for another host
 */
export function hostCheck({
  host,
  allowHosts = [],
}: HostNames): (request: IncomingMessage) => void {
  const names = new Set([...LOOPBACK, inHost(host)]);
  const allowed = new Set(allowHosts.map((name) => name.toLowerCase()));
  return ({ headers, socket }) => {
    const given = (headers.host ?? '').toLowerCase();
    const [, name = '', port] = NAME_AND_PORT.exec(given) ?? [];
    if (allowed.has(given) || allowed.has(name)) return;
    const isOurPort = Number(port ?? HTTP_PORT) === socket.localPort;
    if (isOurPort && (names.has(name) || name === inHost(socket.localAddress ?? ''))) return;
    throw new Refusal(
      421,
      'The sandbox does not answer to this host. Use its own address, or allow the name with --allow-host.',
    );
  };
}

/** An address as it stands in `Host`. On a socket for both kinds, one of IPv4 is written as one of IPv6. */
function inHost(address: string): string {
  const plain = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, '');
  return plain.includes(':') ? `[${plain}]` : plain;
}
