import { codeOf, UsageError } from '../core/errors.js';
import type { Installation } from '../installation/installation.js';
import { Card } from './card.js';
import { contactKey } from './contact-key.js';
import type { Context } from './context.js';
import { handlersOf } from './handlers/handlers.js';
import { addRoutes } from './routes.js';
import { makeServer } from './server.js';
import { stopperOf } from './stop-server.js';
import { closeDatabase, openDatabase } from './store/database.js';
import { openStore, type Store } from './store/store.js';

export { sandboxEnvironment } from './environment.js';

export interface SandboxOptions {
  /** Card configuration, roles, limits and blacklist. Its headers are not asked for: anyone may call. */
  readonly installation: Installation;
  /** 0: any free port. @default 8080 */
  readonly port?: number;
  /** @default '127.0.0.1' */
  readonly host?: string;
  /**
   * Further values of `Host` that are answered, such as `sandbox:8080`; a name without a port goes with any port. Its own
   * are the loopback names, `host`, and the address of the connection, each with the port. @default []
   */
  readonly allowHosts?: readonly string[] | undefined;
  /** File of the database, made when it is not there, or `:memory:`. */
  readonly database: string;
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number;
}

export interface Sandbox {
  /** Address without a trailing slash. */
  readonly url: string;
  /** Finishes what is in flight, writes everything back and frees the port. May be called again. */
  close(): Promise<void>;
}

/**
 * Starts a contact center of one's own, with all operations of interface.md.
 * @throws UsageError when the port is taken, the database cannot be used, or nothing identifies a client
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { installation, port = 8080, host = '127.0.0.1', allowHosts } = options;
  const { database, now = Date.now } = options;
  const card = new Card(installation.card);
  if (card.syncNames.length === 0) {
    throw new UsageError('The installation marks no card field as `sync`; clients need one.');
  }
  const db = openDatabase(database, card.syncNames.join(', '));
  const server = makeServer({ host, allowHosts }, installation.limits.requestBytes);
  const stop = stopperOf(server);
  try {
    const store = openStore(db);
    addRoutes(server, handlersOf(contextOf(installation, card, store, now)), store.atomically);
    const url = await server.listen({ port, host });
    let closed: Promise<void> | undefined;
    return { url, close: () => (closed ??= stop().finally(() => closeDatabase(db))) };
  } catch (error) {
    await server.close();
    closeDatabase(db);
    throw portTaken(error, host, port) ?? error;
  }
}

function contextOf(
  { clientRoles, limits, sandbox }: Installation,
  card: Card,
  store: Store,
  now: () => number,
): Context {
  const blacklist = new Set(sandbox.blacklist.map((phone) => contactKey('phone', phone)));
  return { card, store, clientRoles, clientsPerRequest: limits.clientsPerRequest, blacklist, now };
}

function portTaken(error: unknown, host: string, port: number): UsageError | undefined {
  if (codeOf(error) !== 'EADDRINUSE') return undefined;
  return new UsageError(`Port ${port} of ${host} is taken; choose another one.`, { cause: error });
}
