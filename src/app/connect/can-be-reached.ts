import { connect } from 'node:net';
import { substitute } from '../../files/placeholders.js';
import type { Installation } from '../../installation/installation.js';

/** Longest time for the connection, in milliseconds: it only decides which command is proposed. */
const PATIENCE_MS = 500;

/**
 * Whether an import could begin now: the variables of the headers are set, and something takes connections at the
 * address, or at the proxy before it. Nothing is sent.
 */
export async function canBeReached(
  { baseUrl, headers, transport }: Pick<Installation, 'baseUrl' | 'headers' | 'transport'>,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const { proxy = baseUrl } = transport;
  const texts = [...Object.values(headers), proxy].map((text) => substitute(text, env));
  if (texts.some(({ missing }) => missing.length > 0)) return false;
  const url = texts.at(-1)?.text ?? baseUrl;
  return URL.canParse(url) && takesConnections(new URL(url));
}

function takesConnections({ hostname, port, protocol }: URL): Promise<boolean> {
  const usual = protocol === 'https:' ? 443 : 80;
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? usual : Number(port),
    timeout: PATIENCE_MS,
  });
  return new Promise<boolean>((resolve) => {
    socket
      .on('connect', () => resolve(true))
      .on('error', () => resolve(false))
      .on('timeout', () => resolve(false));
  }).finally(() => socket.destroy());
}
