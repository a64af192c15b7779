import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { DEFAULT_LEDGER } from '../../app/defaults.js';
import type { Installation } from '../../installation/installation.js';
import type { ChosenCenter, Setup, SiteCenter } from '../../web/server/settings.js';
import { sandboxDatabase, withSandbox } from '../embedded-sandbox.js';
import type { Terminal } from '../output/terminal.js';
import { packagePath } from '../package.js';
import { samplesOf } from './samples.js';

/** The contact center that the page is for, and what is kept of it. */
export interface CenterOfPage {
  readonly center: SiteCenter | undefined;
  readonly ledger: string;
  readonly env: Terminal['env'];
  readonly setup?: Setup;
}

export interface Wanted {
  readonly installation?: string | undefined;
  readonly ledger?: string | undefined;
  readonly sandbox?: boolean | undefined;
}

/** What the page writes. */
const INSTALLATION = 'installation.yaml';

const DEMO = {
  installation: 'mappings/installation.yaml',
  existingClients: 'samples/existing-clients.json',
  campaign: 'Autumn leads',
};

/** The contact center of the installation, or the sandbox for as long as `use` takes. @throws ConfigurationError */
export async function withCenter<T>(
  { installation: given, ledger: wanted, sandbox = false }: Wanted,
  { env }: Pick<Terminal, 'env'>,
  use: (chosen: CenterOfPage) => Promise<T>,
): Promise<T> {
  const file = given ?? (sandbox ? packagePath(DEMO.installation) : undefined);
  if (file === undefined) return withSetup(wanted ?? DEFAULT_LEDGER, { env }, use);
  const { loadInstallation } = await import('../../installation/load.js');
  const { ledgerPath } = await import('../../app/run/ledger-path.js');
  const installation = await loadInstallation(file);
  const ledger = ledgerPath(wanted, installation);
  const { name } = installation;
  if (!sandbox) return use({ center: centerOf(installation, file), ledger, env });
  const { sandboxEnvironment } = await import('../../sandbox/environment.js');
  const sandboxEnv = sandboxEnvironment(installation, env);
  const database = await sandboxDatabase(ledger, installation);
  const isNew = !existsSync(database);
  return withSandbox(installation, database, async (baseUrl) => {
    if (isNew && given === undefined) await fill(installation, baseUrl, sandboxEnv);
    const { address } = addressOf(baseUrl);
    const center: SiteCenter = { name, address, kind: 'sandbox', installation: file, baseUrl };
    return use({ center, ledger, env: sandboxEnv });
  });
}

/**
 * No contact center yet: the page may make an installation file, or begin the sandbox, which then ends with it.
 */
async function withSetup<T>(
  ledger: string,
  { env }: Pick<Terminal, 'env'>,
  use: (chosen: CenterOfPage) => Promise<T>,
): Promise<T> {
  let end = (): void => undefined;
  const ended = new Promise<void>((over) => (end = over));
  let running: Promise<void> | undefined;
  const begin = (): Promise<ChosenCenter> =>
    new Promise((taken, reject) => {
      running = withCenter(
        { ledger, sandbox: true },
        { env },
        async ({ center, env: sandboxEnv }) => {
          taken({ center, env: sandboxEnv, samples: samplesOf() });
          await ended;
        },
      ).catch(reject);
    });
  let sandbox: Promise<ChosenCenter> | undefined;
  const setup: Setup = {
    file: resolve(INSTALLATION),
    sandbox: () => (sandbox ??= begin()),
    installation: async (file) => {
      const { loadInstallation } = await import('../../installation/load.js');
      return { center: centerOf(await loadInstallation(file), file), env, samples: [] };
    },
  };
  try {
    return await use({ center: undefined, ledger, env, setup });
  } finally {
    end();
    await running;
  }
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

const centerOf = ({ name, baseUrl }: Installation, installation: string): SiteCenter => ({
  name,
  ...addressOf(baseUrl),
  installation,
});

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

function addressOf(baseUrl: string): { address: string; kind: 'production' | 'local' } {
  const { host, hostname } = new URL(baseUrl);
  return { address: host, kind: LOOPBACK.includes(hostname) ? 'local' : 'production' };
}
