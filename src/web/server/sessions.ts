import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long a ticket can be used, in milliseconds. */
const TICKET_MS = 60_000;
/** Tickets that nobody used are forgotten beyond this. */
const MAX_TICKETS = 1000;

const newToken = (): string => randomBytes(32).toString('base64url');
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Who may ask: tokens of pages, and tickets of downloads. All of them end with the process. */
export class Sessions {
  /** Stands in the address that is printed, and opens as many pages as the person likes. */
  readonly start = newToken();
  readonly #startHash = hashOf(this.start);
  /** Hashes, so that looking one up takes as long whatever was sent. */
  readonly #sessions = new Set<string>();
  readonly #tickets = new Map<string, { readonly path: string; readonly until: number }>();

  /** The token of a new page, for that of the start; `undefined` when it is another one. */
  open(start: string): string | undefined {
    if (!timingSafeEqual(hashOf(start), this.#startHash)) return undefined;
    const token = newToken();
    this.#sessions.add(hashOf(token).toString('hex'));
    return token;
  }

  has(token: unknown): boolean {
    return typeof token === 'string' && this.#sessions.has(hashOf(token).toString('hex'));
  }

  /** A ticket for one download of this path. */
  ticketFor(path: string, now = Date.now()): string {
    const ticket = newToken();
    for (const [old, { until }] of this.#tickets)
      if (until < now || this.#tickets.size >= MAX_TICKETS) this.#tickets.delete(old);
    this.#tickets.set(hashOf(ticket).toString('hex'), { path, until: now + TICKET_MS });
    return ticket;
  }

  /** Whether the ticket is for this path. It is of no use afterwards. */
  redeem(ticket: string, path: string, now = Date.now()): boolean {
    const key = hashOf(ticket).toString('hex');
    const found = this.#tickets.get(key);
    this.#tickets.delete(key);
    return found !== undefined && found.path === path && found.until >= now;
  }
}
