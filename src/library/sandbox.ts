import { type ContactCenter, createContactCenter } from '../client/contact-center.js';
import { loadInstallation } from '../installation/load.js';
import { type ListedCampaign, startNewCampaign } from '../operations/campaigns.js';
import type { SandboxOptions } from '../sandbox/sandbox.js';
import { refusePlaces } from './result.js';

/** Options of `startSandbox`. */
export interface StartSandboxOptions {
  /** Path of the installation file: card, client roles, limits and blacklist. Its headers are not asked for. */
  readonly installation: string;
  /** TCP port; 0 takes a free one. @default 0 */
  readonly port?: number;
  /** Address to listen on. @default '127.0.0.1' */
  readonly host?: string;
  /** Further host names under which it may be asked, such as `sandbox:8080`; without a port, with any. @default [] */
  readonly allowHosts?: readonly string[];
  /** Path of the SQLite file with its clients and campaigns; `:memory:` forgets them. @default ':memory:' */
  readonly database?: string;
  /** Names of campaigns that are created and started, in this order. @default [] */
  readonly campaigns?: readonly string[];
  /** Its clock, in milliseconds since the epoch. @default Date.now */
  readonly now?: () => number;
}

/** A contact center that runs in this process. Give `url` as `baseUrl`, and `env`, to what is to work with it. */
export interface RunningSandbox {
  /** Address, without a trailing slash. */
  readonly url: string;
  /** A value for each variable that the installation's headers name: credentials are not asked for. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** All operations on it, to prepare what a test needs and to look at what became of it. */
  readonly center: ContactCenter;
  /** The campaigns that were asked for, in their order. */
  readonly campaigns: readonly ListedCampaign[];
  /** Finishes what is in flight and frees the port. May be called again. */
  close(): Promise<void>;
}

/**
 * Starts a contact center with all operations of the interface, for tests and trials. It answers in this process, on the
 * loopback address unless `host` says otherwise, and ends with `close`.
 * @throws ConfigurationError when the installation file is wrong; UsageError when the port is taken, the database cannot
 * be used, or no card field identifies a client
 */
export async function startSandbox(options: StartSandboxOptions): Promise<RunningSandbox> {
  const { port = 0, database = ':memory:', campaigns = [], ...rest } = options;
  refusePlaces({ database }, { database: 'sandbox' });
  const installation = await loadInstallation(options.installation);
  // Loaded when it is wanted: its HTTP server is as large as the rest of the library.
  const room = await import('../sandbox/sandbox.js');
  const serving: SandboxOptions = { ...rest, installation, port, database };
  const sandbox = await room.startSandbox(serving);
  const { url } = sandbox;
  const env = room.sandboxEnvironment(installation);
  // The installation's proxy does not find an address of this machine.
  const { proxy: _, ...transport } = installation.transport;
  const center = createContactCenter({ ...installation, transport }, { baseUrl: url, env });
  const close = async (): Promise<void> => {
    await center.close();
    await sandbox.close();
  };
  try {
    const started = [];
    for (const name of campaigns) started.push(await startNewCampaign(center, name));
    return { url, env, center, campaigns: started, close };
  } catch (error) {
    await close();
    throw error;
  }
}
