import { existsSync } from 'node:fs';
import { join, parse } from 'node:path';
import { fileOfLedger } from '../options/places.js';
import { type Installation, syncFields } from '../installation/installation.js';
import type { Terminal } from './output/output.js';
import { packagePath } from './package.js';

/** A contact center of one's own that runs. */
interface EmbeddedSandbox {
  readonly baseUrl: string;
  /** With a value for each variable that the installation's headers name. */
  readonly env: Terminal['env'];
  /** Whether nothing was in it before. */
  readonly isNew: boolean;
}

/** Runs the sandbox that belongs to a ledger for as long as `use` takes, at an address of its own choice. */
export async function withSandbox<T>(
  installation: Installation,
  ledger: string,
  env: Terminal['env'] | undefined,
  use: (sandbox: EmbeddedSandbox) => Promise<T>,
): Promise<T> {
  const { sandboxEnvironment, startSandbox } = await import('../sandbox/sandbox.js');
  const database = await sandboxDatabase(ledger, installation);
  const isNew = !existsSync(database);
  const sandbox = await startSandbox({ installation, port: 0, database });
  try {
    return await use({
      baseUrl: sandbox.url,
      env: sandboxEnvironment(installation, env),
      isNew,
    });
  } finally {
    await sandbox.close();
  }
}

/** Characters of identifiers' names that a file's name takes up at most. */
const NAMES = 60;

/**
 * File of the sandbox that belongs to a ledger: `cardline.db` -> `cardline.sandbox.db`. Where that has clients who are
 * identified otherwise than those of the installation, one of its own: `cardline.sandbox-offerId.db`.
 */
async function sandboxDatabase(
  ledger: string,
  { card }: Pick<Installation, 'card'>,
): Promise<string> {
  const { dir, name } = parse(fileOfLedger(ledger));
  const file = join(dir, `${name}.sandbox.db`);
  const names = syncFields(card);
  const { isOfOthers } = await import('../sandbox/store.js');
  if (!isOfOthers(file, names.join(', '))) return file;
  const own = names
    .join('-')
    .replaceAll(/[^\p{L}\p{N}_-]/gu, '_')
    .slice(0, NAMES);
  return join(dir, `${name}.sandbox-${own}.db`);
}

/** The installation of the demo. */
export const demoInstallation = (): string => packagePath('mappings/installation.yaml');

/** Brings a sandbox into the state that the samples are made for; resolves with its campaign. */
export async function fillForDemo(
  installation: Installation,
  { baseUrl, env }: Pick<EmbeddedSandbox, 'baseUrl' | 'env'>,
) {
  const { prepareDemo } = await import('../setup/demo.js');
  const existingClients = packagePath('samples/existing-clients.json');
  return prepareDemo({ installation, baseUrl, env, campaign: 'Autumn leads', existingClients });
}
