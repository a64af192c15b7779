import { existsSync } from 'node:fs';
import { DEFAULT_LEDGER } from '../../app/defaults.js';
import type { Installation } from '../../installation/installation.js';
import type { SiteCenter } from '../../web/server/site.js';
import { sandboxDatabase, withSandbox } from '../embedded-sandbox.js';
import type { Terminal } from '../output/terminal.js';
import { packagePath } from '../package.js';

/** The contact center that the page is for, and what is kept of it. */
export interface ChosenCenter {
  readonly center: SiteCenter | undefined;
  readonly ledger: string;
  readonly env: Terminal['env'];
}

interface Wanted {
  readonly installation?: string | undefined;
  readonly ledger?: string | undefined;
  readonly sandbox?: boolean | undefined;
}

const DEMO = {
  installation: 'mappings/installation.yaml',
  existingClients: 'samples/existing-clients.json',
  campaign: 'Autumn leads',
};

/** The contact center of the installation, or the sandbox for as long as `use` takes. @throws ConfigurationError */
export async function withCenter<T>(
  { installation: given, ledger: wanted, sandbox = false }: Wanted,
  { env }: Terminal,
  use: (chosen: ChosenCenter) => Promise<T>,
): Promise<T> {
  const file = given ?? (sandbox ? packagePath(DEMO.installation) : undefined);
  if (file === undefined) return use({ center: undefined, ledger: wanted ?? DEFAULT_LEDGER, env });
  const { loadInstallation } = await import('../../installation/load.js');
  const { ledgerPath } = await import('../../app/run/ledger-path.js');
  const installation = await loadInstallation(file);
  const ledger = ledgerPath(wanted, installation);
  const { name } = installation;
  if (!sandbox) {
    const center = { name, ...addressOf(installation.baseUrl), installation: file };
    return use({ center, ledger, env });
  }
  const { sandboxEnvironment } = await import('../../sandbox/environment.js');
  const sandboxEnv = sandboxEnvironment(installation, env);
  const database = sandboxDatabase(ledger);
  const isNew = !existsSync(database);
  return withSandbox(installation, database, async (baseUrl) => {
    if (isNew && given === undefined) await fill(installation, baseUrl, sandboxEnv);
    const { address } = addressOf(baseUrl);
    const center: SiteCenter = { name, address, kind: 'sandbox', installation: file, baseUrl };
    return use({ center, ledger, env: sandboxEnv });
  });
}

/** Brings the sandbox of the demo into the state that the samples are made for. */
async function fill(
  installation: Installation,
  baseUrl: string,
  env: Terminal['env'],
): Promise<void> {
  const { prepareDemo } = await import('../../app/demo.js');
  const existingClients = packagePath(DEMO.existingClients);
  await prepareDemo({ installation, baseUrl, env, campaign: DEMO.campaign, existingClients });
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

function addressOf(baseUrl: string): { address: string; kind: 'production' | 'local' } {
  const { host, hostname } = new URL(baseUrl);
  return { address: host, kind: LOOPBACK.includes(hostname) ? 'local' : 'production' };
}
