import { NotSentError, OutcomeUnknownError, type ContactCenterError } from '../core/errors.js';

/** What went wrong on the way. */
export interface TransportFailure {
  readonly error: unknown;
  /** Whether the transport had begun to write the request: from then on the contact center may have it. */
  readonly begun: boolean;
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

/** Makes the error that a caller can act on. Its message holds no text of the other side. */
export function transportError(
  { name, origin }: { readonly name: string; readonly origin: string },
  { error, begun }: TransportFailure,
): ContactCenterError {
  const code = codeOf(error);
  const reason = `${REASONS[code] ?? general(code)} (${code})`;
  const options = { cause: withoutData(error) };
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

/** A parser's error carries the bytes that it failed on, which may be personal data. */
function withoutData(error: unknown): unknown {
  return error instanceof Error && 'data' in error ? undefined : error;
}
