import { rowsIn } from '../core/outcome.js';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { codeOf, EXIT, type ExitCode } from '../core/errors.js';
import { shellWord } from '../core/text.js';
import type { Installation } from '../installation/installation.js';
import { fileOfLedger } from '../options/places.js';
import { inputText } from './input-text.js';
import { printImportResult } from './output/import-result.js';
import { note, type Terminal } from './output/output.js';
import { packagePath } from './package.js';
import { startProgress } from './progress.js';

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
    return await use({ baseUrl: sandbox.url, env: sandboxEnvironment(installation, env), isNew });
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
  const { syncFields } = await import('../installation/installation.js');
  const names = syncFields(card);
  const { isOfOthers } = await import('../sandbox/sandbox.js');
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
  const { prepareDemo } = await import('../setup/init.js');
  const existingClients = packagePath('samples/existing-clients.json');
  return prepareDemo({ installation, baseUrl, env, campaign: 'Autumn leads', existingClients });
}

/**
 * Imports the sample into a fresh sandbox and shows what became of it. Some rows are bad on purpose, so the demo
 * ends well when every row is accounted for.
 */
export async function runDemo(terminal: Terminal): Promise<ExitCode> {
  await mkdir('runs', { mode: 0o700 }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
  });
  const folder = await mkdtemp(join('runs', 'demo-'));
  // The page finds the sandbox beside it.
  const ledger = join(folder, 'cardline.db');
  const { loadInstallation } = await import('../installation/installation.js');
  const { importFiles } = await import('../run/import.js');
  const installation = await loadInstallation(demoInstallation());
  const result = await withSandbox(installation, ledger, terminal.env, async (sandbox) => {
    const { baseUrl, env } = sandbox;
    note(terminal.stderr, `A sandbox runs at ${baseUrl}`);
    const campaign = await fillForDemo(installation, sandbox);
    note(terminal.stderr, `Campaign ${campaign.id} "${campaign.name}" is created and started`);
    const progress = await startProgress(terminal, false);
    return importFiles({
      files: [packagePath('samples/leads.csv')],
      mapping: packagePath('mappings/leads.yaml'),
      installation: demoInstallation(),
      campaign: { id: campaign.id },
      ...{ baseUrl, env, ledger, out: folder },
      signal: terminal.signal,
      onProgress: progress.update,
      onInput: (file, info) => progress.note(inputText(file, info)),
      onWarning: progress.note,
    }).finally(progress.stop);
  });
  const exitCode = await printImportResult(result, terminal, { json: false });
  if (exitCode !== EXIT.ok && exitCode !== EXIT.rows) return exitCode;
  const { rows, outcomes } = result.summary;
  const sum = rowsIn(outcomes);
  if (sum !== rows || sum === 0) throw new Error(`${sum} outcomes for ${rows} rows`);
  note(
    terminal.stderr,
    `\nSome rows are bad on purpose: see ${result.report}\nLook at it: cardline ui --sandbox --ledger ${shellWord(ledger)}`,
  );
  return EXIT.ok;
}
