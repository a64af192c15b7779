import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { RouteAccess } from '../shared/route.js';
import { Refusal } from './refusal.js';
import type { Sessions } from './sessions.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How a request of the page's data shows where it comes from. Absent for the page itself, which holds no data. */
    readonly access?: RouteAccess;
    /** Refused with `--read-only`. */
    readonly changes?: boolean;
  }
}

export interface AccessRules {
  readonly sessions: Sessions;
  readonly readOnly: boolean;
}

/**
 * Whoever else can reach this address is refused: pages of other sites, whatever name they gave to this machine, and
 * other users of it, who do not have the token. In a hook, so that a path that does not exist is no exception.
 */
export function guardAccess(server: FastifyInstance, { sessions, readOnly }: AccessRules): void {
  server.addHook('onRequest', (request, _reply, done) => {
    const { raw, headers, routeOptions, query } = request;
    const { access, changes } = routeOptions.config;
    refuseForeign(raw);
    if (access === 'session' && !sessions.has(headers['x-cardline-session'])) throw noToken();
    if (access === 'ticket' && !sessions.redeem(ticketIn(query), pathOf(raw))) throw noTicket();
    if (changes === true && readOnly) throw onlyReads();
    done();
  });
}

/** Whatever is asked for: it has to come from the page, or from nobody's. @throws Refusal */
export function refuseForeign(raw: IncomingMessage): void {
  refuseOtherHost(raw);
  refuseOtherOrigin(raw, isOpening(raw));
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.replace(/[?#].*$/, '');

const ticketIn = (query: unknown): string =>
  typeof query === 'object' && query !== null && 'ticket' in query ? String(query.ticket) : '';

/** A page elsewhere can give this machine a name of its own; the name stays in `Host`. */
function refuseOtherHost({ headers, socket }: IncomingMessage): void {
  if (headers.host === `127.0.0.1:${socket.localPort ?? 0}`) return;
  throw new Refusal(421, {
    code: 'other_host',
    sentence: 'The page does not answer to this host.',
    next: 'Open the address that "cardline ui" has printed.',
  });
}

/** `none`: typed or opened from outside of the browser. `same-site` is another port of this machine. */
const OWN_SITES: readonly (string | undefined)[] = [undefined, 'same-origin', 'none'];

function refuseOtherOrigin({ headers }: IncomingMessage, opening: boolean): void {
  const { origin, 'sec-fetch-site': site } = headers;
  const isOwn = origin === undefined || origin === `http://${headers.host ?? ''}`;
  if (isOwn && (opening || OWN_SITES.includes(site?.toString()))) return;
  throw new Refusal(403, {
    code: 'other_origin',
    sentence: 'Another site has asked for this.',
    next: 'Open the address that "cardline ui" has printed.',
  });
}

/**
 * The page is opened by a file that leads to it (see `opening-file.ts`), which for a browser is another site. What it
 * gets is the empty page, in a tab of its own; a frame or a script of another site does not get it.
 */
const isOpening = ({ method, url, headers }: IncomingMessage): boolean =>
  method === 'GET' &&
  url === '/' &&
  headers['sec-fetch-mode'] === 'navigate' &&
  headers['sec-fetch-dest'] === 'document';

const noToken = (): Refusal =>
  new Refusal(401, {
    code: 'no_session',
    sentence: 'cardline does not know this page, or was started anew since.',
    next: 'Open the address that "cardline ui" has printed.',
  });

const noTicket = (): Refusal =>
  new Refusal(401, {
    code: 'no_ticket',
    sentence: 'This download was used already, or is too old.',
    next: 'Click on it again.',
  });

const onlyReads = (): Refusal =>
  new Refusal(403, {
    code: 'read_only',
    sentence: 'This page only shows: cardline was started with --read-only.',
    next: 'Start it without, to change something.',
  });
