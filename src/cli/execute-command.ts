import {
  type ExecutableRun,
  type FilesRequest,
  type ImportResult,
  isWhole,
} from '../run/requests.js';
import { execute as executeRun } from '../run/execute.js';
import { defined, ledgerCommand, commandLine } from '../core/text.js';
import { type ExitCode, ConfigurationError, EXIT } from '../core/errors.js';
import { inputText } from './input-text.js';
import { flagOption, quietOption } from './options.js';
import { printImportResult } from './output/import-result.js';
import { note, printEither, stopWaiting, type Terminal, STANDARD_INPUT } from './output/output.js';
import { type ProgressReporter, startProgress } from './progress.js';
import { withSandbox } from './embedded-sandbox.js';
import { MODE_TRAITS } from '../core/outcome.js';
import { areAllThere, isRecoverable } from '../report/reasons.js';
import { NEXT_STEPS } from '../report/text/words.js';
import { filesCommandLine, shortPath, nextText } from './next.js';

/** How a run is shown. */
export const shownOptions = {
  ...quietOption,
  json: flagOption('Print the summary as JSON on stdout, not as a table. Default: no.'),
} as const;

/** What `shownOptions` gives. */
export interface Shown {
  readonly quiet?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** Executes a run with progress on the terminal, and prints how it ended. */
export async function executeCommand(
  run: ExecutableRun,
  { quiet = false, json = false }: Shown,
  terminal: Terminal,
): Promise<ExitCode> {
  if ('files' in run.request) stopWaiting(run.request.files, terminal);
  const progress = await startProgress(terminal, quiet);
  let isUnderWay = false;
  const noteStop = (): void => {
    if (isUnderWay) progress.note(STOPPING);
  };
  const update: ProgressReporter['update'] = (now) => {
    isUnderWay = true;
    progress.update(now);
  };
  terminal.signal.addEventListener('abort', noteStop, { once: true });
  try {
    const result = await execute(run, terminal, { ...progress, update });
    progress.stop();
    if (result.detached) {
      const { ledger, exitCode, summary } = result;
      const { run: id } = summary;
      // What workers do from now on is found by the id of the run, which stands alone for scripts.
      await printEither(terminal.stdout, json, { run: id, ledger, detached: true }, `${id}\n`);
      note(
        terminal.stderr,
        `Run ${id} is handed over. Workers send it: "${ledgerCommand(ledger, 'worker')}". When it has ended, "${ledgerCommand(ledger, 'report', id)}" shows it.`,
      );
      return exitCode;
    }
    const next = await nextAfterRun(run, result);
    return await printImportResult(result, terminal, { json, next });
  } finally {
    terminal.signal.removeEventListener('abort', noteStop);
    progress.stop();
  }
}

const STOPPING =
  'Stopping: requests in flight are waited for, and the reports are written. Ctrl-C again ends at once.';

/** Executes a run, in the embedded sandbox whose database lies beside the ledger where that is meant. */
async function execute(
  run: ExecutableRun,
  { env, signal, interactive, begun }: Terminal,
  { update: onProgress, note: onWarning }: ProgressReporter,
): Promise<ImportResult> {
  const shown = { env, signal, onProgress, onWarning, ...defined({ begun }) };
  const onInput: FilesRequest['onInput'] = (file, info) => onWarning(inputText(file, info));
  // A person reads the note on it; without one, an encoding that is not sure is refused.
  const files = { onInput, acceptUnsureEncoding: interactive };
  if (!run.sandbox) return executeRun(run, shown, files);
  const { loadInstallation } = await import('../installation/installation.js');
  const { ledgerPath } = await import('../options/places.js');
  const installation = await loadInstallation(run.request.installation).catch((error: unknown) =>
    throwWithOthers(run, error, signal),
  );
  const ledger = ledgerPath(run.request.ledger, installation);
  return withSandbox(installation, ledger, env, (sandbox) =>
    executeRun(run, { ...shown, baseUrl: sandbox.baseUrl, env: sandbox.env }, files),
  );
}

/** What is wrong with the mapping and the files of an import is said with it: a check finds all of it, and sends nothing. */
async function throwWithOthers(
  { kind, request }: ExecutableRun,
  error: unknown,
  signal: AbortSignal,
): Promise<never> {
  if (kind !== 'import' || !(error instanceof ConfigurationError)) throw error;
  const { checkFiles } = await import('../run/check.js');
  const { files, mapping, installation, mode, source } = request;
  await checkFiles({ files, mapping, installation, show: 0, signal, ...defined({ mode, source }) });
  throw error;
}

/** What to do after an import; empty text after other runs, whose reports say it. */
async function nextAfterRun(run: ExecutableRun, result: ImportResult): Promise<string> {
  if (run.kind === 'undo') return (await import('./next.js')).nextAfterUndo(run, result);
  if (run.kind !== 'import') return '';
  const { rejects, summary, exitCode, reasons } = result;
  const ledger = ['--ledger', shortPath(result.ledger)];
  const { recovery, files } = run.request;
  const isPiped = files.includes(STANDARD_INPUT);
  const { creates } = MODE_TRAITS[summary.mode];
  if (exitCode === EXIT.stopped && !isPiped)
    return nextText(`${NEXT_STEPS.resume}:`, commandLine(['resume', summary.run, ...ledger]));
  // Rows failed only since the contact center keeps their clients as deleted. What ended well is not sent twice.
  const canRecover = recovery !== true && creates && !isPiped;
  if (canRecover && reasons?.reasons.some(isRecoverable)) {
    const words = { ...run, request: { ...run.request, recovery: true } };
    return nextText(`${NEXT_STEPS.recover}:`, filesCommandLine('import', words));
  }
  const look = (): string =>
    nextText(`${NEXT_STEPS.look}:`, commandLine(['report', summary.run, '--open', ...ledger]));
  // All that is left are clients that are there already.
  if (creates && reasons?.more === 0 && areAllThere(reasons.reasons))
    return isPiped
      ? look()
      : nextText(`${NEXT_STEPS.compare}:`, filesCommandLine('reconcile', run));
  const [first] = rejects;
  if (first !== undefined) {
    const which = rejects.length === 1 ? shortPath(first) : 'the rejects';
    return nextText(`${NEXT_STEPS.mend(which)}:`, filesCommandLine('import', run, rejects));
  }
  const isOk = exitCode === EXIT.ok;
  if (!isOk || result.already) return '';
  if (result.trial && result.trial.rows > 0 && !isWhole(result.trial))
    return nextText('Import the other rows too:', filesCommandLine('import', run));
  return look();
}
