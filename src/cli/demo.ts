import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { ImportRequest, ImportResult } from '../run/requests.js';
import { EXIT, type ExitCode } from '../core/errors.js';
import { demoInstallation, fillForDemo, withSandbox } from './embedded-sandbox.js';
import { printImportResult } from './output/import-result.js';
import { inputText } from './input-text.js';
import { note, type Terminal } from './output/output.js';
import { packagePath } from './package.js';
import { shellWord } from '../core/text.js';
import { startProgress } from './progress.js';

const SAMPLE = 'samples/leads.csv';
const MAPPING = 'mappings/leads.yaml';

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
  const installation = await loadInstallation(demoInstallation());
  const ledger = ledgerIn(folder);
  return withSandbox(installation, ledger, terminal.env, async (sandbox) => {
    const { baseUrl, env } = sandbox;
    note(terminal.stderr, `A sandbox runs at ${baseUrl}`);
    const campaign = await fillForDemo(installation, sandbox);
    note(terminal.stderr, `Campaign ${campaign.id} "${campaign.name}" is created and started`);
    const progress = await startProgress(terminal, false);
    const request: ImportRequest = {
      files: [packagePath(SAMPLE)],
      mapping: packagePath(MAPPING),
      installation: demoInstallation(),
      campaign: { id: campaign.id },
      ...{ baseUrl, env, ledger, out: folder },
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
