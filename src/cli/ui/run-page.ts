import { resolve } from 'node:path';
import { absoluteLedger, DEFAULT_LEDGER } from '../../options/places.js';
import { EXIT, type ExitCode } from '../../core/errors.js';
import type {
  SiteSettings,
  ChosenCenter,
  Setup,
  SiteCenter,
  Sample,
} from '../../web/server/settings.js';
import { openInBrowser } from '../output/open-in-browser.js';
import { note, print, untilStopped, type Terminal } from '../output/output.js';
import { packagePath, packageVersion } from '../package.js';
import { existsSync } from 'node:fs';
import type { Installation } from '../../installation/installation.js';
import { demoInstallation, fillForDemo, withSandbox } from '../embedded-sandbox.js';
import { inspectFile } from '../../source/source.js';

interface UiArguments {
  readonly file?: string | undefined;
  readonly installation?: string | undefined;
  readonly mapping?: string | undefined;
  readonly port?: number | undefined;
  readonly open?: boolean | undefined;
  readonly readOnly?: boolean | undefined;
  readonly ledger?: string | undefined;
  readonly sandbox?: boolean | undefined;
  readonly mask?: boolean | undefined;
  readonly pickups?: string | undefined;
}

const NO_INSTALLATION = `No installation is given: files can be looked at, and nothing can be sent. Describe your contact center with "cardline init", and name its file with -i; or try the page with "cardline ui --sandbox".`;

/** Serves the page until the person wants to stop. @throws InputError, ConfigurationError where a file that is named cannot be read */
export async function runPage(args: UiArguments, terminal: Terminal): Promise<ExitCode> {
  const { startPage } = await import('../../web/server/start.js');
  if (args.file !== undefined) await inspectFile(args.file);
  if (args.pickups !== undefined)
    await (await import('../../nightly/pickup/load.js')).loadPickups(args.pickups, terminal.env);
  // The one of the documentation; the sandbox has nothing to do with the files that arrive here.
  const isThere = args.sandbox !== true && existsSync('pickup.yaml');
  const pickups = args.pickups ?? (isThere ? 'pickup.yaml' : undefined);
  const watched = pickups === undefined ? undefined : resolve(pickups);
  return withCenter(args, terminal, async (chosen) => {
    if (!chosen.center) note(terminal.stderr, NO_INSTALLATION);
    const settings: Omit<SiteSettings, 'open'> = {
      version: packageVersion(),
      page: packagePath('dist/web/page'),
      ...chosen,
      mapping: args.mapping === undefined ? undefined : resolve(args.mapping),
      ledger: absoluteLedger(chosen.ledger),
      samples: args.sandbox === true ? samplesOf() : [],
      readOnly: args.readOnly ?? false,
      mask: args.mask ?? false,
      watch:
        watched === undefined
          ? undefined
          : async () =>
              (await import('../../nightly/watch/status.js')).watchStatus(watched, terminal.env),
    };
    const page = await startPage({ settings, file: args.file, port: args.port ?? 0 });
    try {
      await print(terminal.stdout, `The page is at ${page.address}\n`);
      // A machine without a browser is no reason to end: the address is printed.
      if (args.open !== false)
        await openInBrowser(page.openingFile, terminal.env).catch(() =>
          note(terminal.stderr, 'No browser could be opened here. Open the address yourself.'),
        );
      await untilStopped(terminal.signal);
    } finally {
      await page.close();
    }
    return EXIT.ok;
  });
}

/** The contact center that the page is for, and what is kept of it. */
type CenterOfPage = Pick<SiteSettings, 'center' | 'ledger' | 'env' | 'setup'>;

type Wanted = Pick<UiArguments, 'installation' | 'ledger' | 'sandbox'>;

/** What the page writes. */
const INSTALLATION = 'installation.yaml';

/** The contact center of the installation, or the sandbox for as long as `use` takes. @throws ConfigurationError */
async function withCenter<T>(
  { installation: given, ledger: wanted, sandbox = false }: Wanted,
  { env }: Pick<Terminal, 'env'>,
  use: (chosen: CenterOfPage) => Promise<T>,
): Promise<T> {
  // What the page made here before is taken up again.
  const own = existsSync(INSTALLATION) ? INSTALLATION : undefined;
  const file = given ?? (sandbox ? demoInstallation() : own);
  if (file === undefined) return withSetup(wanted ?? DEFAULT_LEDGER, { env }, use);
  const { loadInstallation } = await import('../../installation/installation.js');
  const { ledgerPath } = await import('../../options/places.js');
  const installation = await loadInstallation(file);
  const ledger = ledgerPath(wanted, installation);
  const { name } = installation;
  if (!sandbox) return use({ center: centerOf(installation, file), ledger, env });
  return withSandbox(installation, ledger, env, async (running) => {
    const { baseUrl } = running;
    if (running.isNew && given === undefined) await fillForDemo(installation, running);
    const { address } = addressOf(baseUrl);
    const center: SiteCenter = { name, address, kind: 'sandbox', installation: file, baseUrl };
    return use({ center, ledger, env: running.env });
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
      const { loadInstallation } = await import('../../installation/installation.js');
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

const SAMPLES = [
  ...['leads.xlsx', 'leads.csv', 'leads-1251.csv', 'mistakes.csv', 'update.csv', 'upsert.csv'],
  ...['enqueue.csv', 'dequeue.csv', 'contacts.csv', 'callbacks.csv', 'calling.csv', 'rekey.csv'],
  'delete.csv',
];

/** The samples of the package, each with its mapping. */
export const samplesOf = (): Sample[] =>
  SAMPLES.map((name) => {
    const mapping = name.replace('.csv', '').replace('.xlsx', '-xlsx');
    return {
      name,
      path: packagePath(`samples/${name}`),
      mapping: packagePath(`mappings/${mapping}.yaml`),
    };
  });
