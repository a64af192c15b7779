import type { CheckRequest, CheckResult, ImportRequest } from '../run/requests.js';
import { defined, printableJson, counted, whole, commandLine } from '../core/text.js';
import type { ExitCode } from '../core/errors.js';
import { inputText } from './input-text.js';
import { doubtText } from '../mapping/column-uses.js';
import {
  stopWaiting,
  unlessStopped,
  type Terminal,
  print,
  printValue,
  STANDARD_INPUT,
} from './output/output.js';
import type { Shown } from './execute-command.js';
import { startProgress } from './progress.js';
import {
  callsText,
  qualityText,
  duplicatesText,
  remarksText,
  suppressedText,
} from '../report/text/words.js';
import { checkText } from '../report/text/check-text.js';
import { trialText, reasonsText } from './output/import-result.js';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RunMode } from '../core/outcome.js';
import { importAfterCheck, shortPath, nextText } from './next.js';

/**
 * Checks files with progress on the terminal, and prints what was found.
 * @param meant the import that was asked for, where the check takes its place
 */
export async function checkCommandFiles(
  files: Omit<CheckRequest, 'signal' | 'onProgress' | 'onWarning' | 'onInput'>,
  { quiet = false, json = false }: Shown,
  terminal: Terminal,
  meant?: Checked['meant'],
): Promise<ExitCode> {
  const { checkFiles, UnwrittenRejects } = await import('../run/check.js');
  stopWaiting(files.files, terminal);
  const progress = await startProgress(terminal, quiet);
  const request: CheckRequest = {
    ...files,
    // An import into a sandbox has nothing to do with the campaign of the contact center.
    comparesCampaign: meant?.sandbox !== true,
    ...defined({ campaign: meant?.request.campaign }),
    env: terminal.env,
    signal: terminal.signal,
    onProgress: progress.update,
    onWarning: progress.note,
    ...(json ? { onInput: (file, info) => progress.note(inputText(file, info)) } : {}),
  };
  const checking = unlessStopped(checkFiles(request), terminal.signal).finally(progress.stop);
  try {
    return await printCheckResult({ request, result: await checking, meant }, terminal, json);
  } catch (error) {
    if (error instanceof UnwrittenRejects)
      await printCheckResult({ request, result: error.result, meant }, terminal, json);
    throw error;
  }
}

async function printCheckResult(
  checked: Checked,
  terminal: Pick<Terminal, 'stdout' | 'columns' | 'env'>,
  json: boolean,
): Promise<ExitCode> {
  const { stdout, columns } = terminal;
  // What is printed for programs is kept: it has the codes and counts of the reasons, and no values.
  const { exitCode, reasons: _, ...found } = checked.result;
  if (json) await printValue(stdout, found);
  else {
    const next = await nextAfterCheck(checked, terminal);
    await print(stdout, `${resultText(checked, next, columns)}\n`);
  }
  return exitCode;
}

function resultText({ request, result }: Checked, next: string, columns?: number): string {
  const { inputs, rejects, sample, reasons, trial, rows, seconds } = result;
  const names = inputs.map(({ file }) => file);
  const counts = `${whole(result.clients)} would be sent, ${whole(result.rejected)} rejected, ${whole(result.skipped)} skipped`;
  const rate = seconds > 0 ? `, ${whole(Math.round(rows / seconds))} rows/s` : '';
  const checks = (result.checks ?? []).map((found) => {
    const mark = found.holds ? 'holds' : found.else === 'stop' ? 'stops the import' : 'warns';
    return `check ${mark}: ${checkText(found, names)}`;
  });
  const parts = [
    inputs.map(({ file, info }) => inputText(file, info)).join('\n'),
    // Clients are personal data: what is piped may be kept, and has them where they were asked for.
    sample.length === 0 || (columns === undefined && request.show === undefined)
      ? ''
      : `First clients:\n${printableJson(JSON.stringify(sample, null, 2))}`,
    reasonsText(reasons, { inputs: names, columns, rest: '--json lists them all' }),
    result.suspicions.map(doubtText).join('\n'),
    result.notes.join('\n'),
    `${counted(rows, 'row')}: ${counts} (${seconds.toFixed(1)} s${rate}).`,
    trial ? trialText(trial, inputs.length) : '',
    result.callable ? callsText(result.callable) : '',
    checks.join('\n'),
    result.quality ? qualityText(result.quality).trimEnd() : '',
    sentence(duplicatesText(result.duplicates)),
    sentence(remarksText(result.remarks)),
    sentence(suppressedText(result.suppressed)),
    rejects.map((file) => `rejects  ${file}`).join('\n'),
    next,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

const sentence = (text: string): string => (text === '' ? '' : `${text}.`);

const INSTALLATION = 'installation.yaml';

interface Checked {
  readonly request: CheckRequest;
  readonly result: CheckResult;
  /** The import that was asked for, where it was one that sends nothing. */
  readonly meant?: { readonly request: ImportRequest; readonly sandbox: boolean } | undefined;
}

async function nextAfterCheck(
  checked: Checked,
  { env, columns }: Pick<Terminal, 'env' | 'columns'>,
): Promise<string> {
  const { request, result, meant } = checked;
  const { rejected, clients } = result;
  if (request.files.includes(STANDARD_INPUT)) return '';
  if (clients === 0) return '';
  const installation = request.installation ?? installationNear(request.mapping);
  const what =
    rejected === 0
      ? `${VERBS[result.mode] ?? 'Import'} them`
      : `Correct ${rejected === 1 ? 'this row' : `these ${whole(rejected)} rows`} and check again, or import the other ${whole(clients)}`;
  if (installation === undefined)
    return nextText(
      `${what}; for that, draft the installation file of your contact center:`,
      commandLine(['init', '-o', INSTALLATION]),
      columns,
    );
  const sandbox = meant?.sandbox ?? false;
  const isReady = sandbox || (await isReachable(installation, env));
  const why = isReady ? '' : NOT_READY;
  const imported = meant?.request ?? { ...request, installation };
  const command = importAfterCheck({ request: imported, sandbox }, result.mode);
  return nextText(`${what}${why}:`, command, columns);
}

/** Where rows go is for the person alone to say: the command is the same as for a contact center that answers. */
const NOT_READY =
  ', once the contact center can be reached, or with --sandbox to try it without one';

/** What an import does to the clients, where "import" is no word for it. */
const VERBS: Partial<Record<RunMode, string>> = { delete: 'Delete', dequeue: 'Remove' };

/** An installation file where one is looked for first: here, and beside the mapping. */
function installationNear(mapping: string): string | undefined {
  const beside = join(dirname(mapping), INSTALLATION);
  return [INSTALLATION, beside].map(shortPath).find((path) => existsSync(path));
}

async function isReachable(installation: string, env: Terminal['env']): Promise<boolean> {
  const { loadInstallation } = await import('../installation/installation.js');
  const { canBeReached } = await import('../run/check.js');
  return canBeReached(await loadInstallation(installation), env);
}
