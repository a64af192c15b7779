import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { Installation } from '../../installation/installation.js';
import { transportError } from '../transport-error.js';
import { readCertificates } from './certificates.js';

/** What a secure connection was agreed on. */
export interface Handshake {
  /** Version of TLS, such as `TLSv1.3`. */
  readonly protocol: string;
  /** When the certificate of the other side ends, in milliseconds since the epoch. */
  readonly validUntil: number;
}

/**
 * Makes a secure connection to the contact center and closes it: no request is sent.
 * @throws NotSentError with the reason when none is agreed on
 */
export function handshake(
  { baseUrl, transport }: Pick<Installation, 'baseUrl' | 'transport'>,
  timeoutMs: number,
): Promise<Handshake> {
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
      reject(transportError({ name: 'connection', origin }, { error, begun: false }));
    };
    socket.setTimeout(timeoutMs, () =>
      fail(Object.assign(new Error('no handshake in time'), { code: 'ETIMEDOUT' })),
    );
    socket.once('error', fail);
    socket.once('secureConnect', () => {
      resolve(agreedOn(socket));
      socket.destroy();
    });
  });
}

function agreedOn(socket: TLSSocket): Handshake {
  const { valid_to: until } = socket.getPeerCertificate();
  return { protocol: socket.getProtocol() ?? 'TLS', validUntil: Date.parse(until) };
}
