import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImportRequest, ImportResult } from '../run/requests.js';
import { EXIT, type ExitCode } from '../core/errors.js';
import { sandboxEnvironment } from '../sandbox/environment.js';
import { sandboxDatabase, withSandbox } from './embedded-sandbox.js';
import { printImportResult } from './output/import-result.js';
import { inputText } from './input-text.js';
import { note, type Terminal } from './output/output.js';
import { packagePath } from './package.js';
import { shellWord } from '../core/text.js';
import { startProgress } from './progress.js';

const SAMPLE = 'samples/leads.csv';
const MAPPING = 'mappings/leads.yaml';
const INSTALLATION = 'mappings/installation.yaml';
const EXISTING_CLIENTS = 'samples/existing-clients.json';
const CAMPAIGN = 'Autumn leads';

/**
 * Imports the sample into a fresh sandbox and shows what became of it. Some rows are bad on purpose, so the demo
 * ends well when every row is accounted for.
 */
export async function runDemo(terminal: Terminal): Promise<ExitCode> {
  const folder = await newFolder();
  const result = await importSample(folder, terminal);
  const exitCode = await printImportResult(result, terminal, { json: false });
  if (exitCode !== EXIT.ok && exitCode !== EXIT.rows) return exitCode;
  assertAccounted(result);
  note(
    terminal.stderr,
    `\nSome rows are bad on purpose: see ${result.report}\nLook at it: cardline ui --sandbox --ledger ${shellWord(ledgerIn(folder))}`,
  );
  return EXIT.ok;
}

/** The page finds the sandbox beside it. */
const ledgerIn = (folder: string): string => join(folder, 'cardline.db');

async function newFolder(): Promise<string> {
  await mkdir('runs', { recursive: true, mode: 0o700 });
  return mkdtemp(join('runs', 'demo-'));
}

async function importSample(folder: string, terminal: Terminal): Promise<ImportResult> {
  const { loadInstallation } = await import('../installation/load.js');
  const { importFiles } = await import('../run/import.js');
  const { prepareDemo } = await import('../setup/demo.js');
  const installation = await loadInstallation(packagePath(INSTALLATION));
  const env = sandboxEnvironment(installation, terminal.env);
  const database = await sandboxDatabase(ledgerIn(folder), installation);
  return withSandbox(installation, database, async (baseUrl) => {
    note(terminal.stderr, `A sandbox runs at ${baseUrl}`);
    const campaign = await prepareDemo({
      installation,
      baseUrl,
      env,
      campaign: CAMPAIGN,
      existingClients: packagePath(EXISTING_CLIENTS),
    });
    note(terminal.stderr, `Campaign ${campaign.id} "${campaign.name}" is created and started`);
    const progress = await startProgress(terminal, false);
    const request: ImportRequest = {
      files: [packagePath(SAMPLE)],
      mapping: packagePath(MAPPING),
      installation: packagePath(INSTALLATION),
      baseUrl,
      env,
      campaign: { id: campaign.id },
      ledger: ledgerIn(folder),
      out: folder,
      signal: terminal.signal,
      onProgress: progress.update,
      onInput: (file, info) => progress.note(inputText(file, info)),
      onWarning: progress.note,
    };
    return importFiles(request).finally(progress.stop);
  });
}

function assertAccounted({ summary }: ImportResult): void {
  const sum = Object.values(summary.outcomes).reduce((all, count) => all + count, 0);
  if (sum === summary.rows && sum > 0) return;
  throw new Error(`${sum} outcomes for ${summary.rows} rows`);
}
