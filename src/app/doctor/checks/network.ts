import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { substitute } from '../../../files/placeholders.js';
import { handshake } from '../../../client/connection/handshake.js';
import { ContactCenterError, EXIT } from '../../../core/errors.js';
import { failed, ok, type Diagnosis, warning } from '../finding.js';
import { type Check, known, type Probe, type CheckContext } from '../check.js';

/** Longest time for one connection or request, in milliseconds: a person waits. */
const PATIENCE_MS = 10_000;
const DAY_MS = 86_400_000;
/** Days before its end at which a certificate is worth a word. */
const SOON_DAYS = 14;

/** The name of the contact center, or of the proxy before it, leads somewhere. */
export const address: Check = {
  needs: ['environment'],
  run: async (context) => {
    const { baseUrl } = known(context.installation);
    const proxy = proxyOf(context);
    const host = hostOf(proxy ?? baseUrl);
    const what = proxy === undefined ? host : `the proxy ${host}`;
    if (isIP(host) !== 0) return ok(`${what}: an address itself`);
    try {
      return ok(`${what} is ${(await lookup(host)).address}`);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
      const advice = code === 'EAI_AGAIN' ? 'Is this machine on the network?' : 'Check baseUrl.';
      return failed(`the name ${what} cannot be looked up (${code}). ${advice}`, EXIT.stopped);
    }
  },
};

const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

function proxyOf({ installation, request }: CheckContext): string | undefined {
  const { proxy } = known(installation).transport;
  return proxy === undefined ? undefined : substitute(proxy, request.env).text;
}

/** Something answers there, over a secure connection where one is wanted. */
export const connection: Check = {
  needs: ['environment', 'hours', 'address'],
  run: async (context) => {
    const { baseUrl } = known(context.installation);
    const isSecure = baseUrl.startsWith('https:');
    // Through a proxy, the first request makes the connection.
    const security =
      isSecure && proxyOf(context) === undefined ? await secured(context) : undefined;
    context.probe = await probe(context);
    const { event, error } = context.probe;
    if (!event) throw error;
    if (!isSecure) return plain(baseUrl, event.milliseconds);
    const text = `answered in ${Math.round(event.milliseconds)} ms`;
    return security ? { ...security, text: `${security.text}; ${text}` } : ok(text);
  },
};

async function secured({ installation }: CheckContext): Promise<Diagnosis> {
  const { protocol, validUntil } = await handshake(known(installation), PATIENCE_MS);
  const text = `${protocol}, certificate valid until ${new Date(validUntil).toISOString().slice(0, 10)}`;
  return validUntil - Date.now() < SOON_DAYS * DAY_MS ? warning(text) : ok(text);
}

function plain(baseUrl: string, milliseconds: number): Diagnosis {
  const text = `answered in ${Math.round(milliseconds)} ms`;
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(hostOf(baseUrl));
  return isHere
    ? ok(`${text}, without encryption on this machine`)
    : warning(
        `${text}, without encryption: whoever is on the way can read clients and credentials`,
      );
}

/** Asks for one campaign, as an import does before its first client (interface.md 4.19). */
async function probe(context: CheckContext): Promise<Probe> {
  const { installation, request } = context;
  const timeoutMs = Math.min(known(installation).transport.timeoutMs, PATIENCE_MS);
  const call = { signal: request.signal, timeoutMs };
  try {
    await known(context.center).listCampaigns({ query: { limit: 1, offset: 0 } }, call);
    return { event: context.event, at: Date.now() };
  } catch (error) {
    if (!(error instanceof ContactCenterError)) throw error;
    return { error, event: context.event, at: Date.now() };
  }
}
