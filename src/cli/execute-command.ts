import type { ExecutableRun, FilesRequest, ImportResult } from '../app/requests.js';
import { defined } from '../core/defined.js';
import type { ExitCode } from '../core/errors.js';
import { ledgerCommand } from '../core/text.js';
import { importIntoSandbox, inSandbox } from './import-into-sandbox.js';
import { inputText } from './input-text.js';
import { flagOption, quietOption } from './options/options.js';
import { nextAfterRun } from './next/after-run.js';
import { printImportResult } from './output/import-result.js';
import { note, print, printJson } from './output/output.js';
import { stopWaiting } from './output/stopped.js';
import type { Terminal } from './output/terminal.js';
import type { ProgressReporter } from './progress/progress-reporter.js';
import { startProgress } from './progress/progress.js';

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
    if (result.detached) return await printDetached(result, terminal, json);
    return await printImportResult(result, terminal, {
      json,
      next: await nextAfterRun(run, result),
    });
  } finally {
    terminal.signal.removeEventListener('abort', noteStop);
    progress.stop();
  }
}

/** What workers do from now on is found by the id of the run, which stands alone for scripts. */
async function printDetached(
  { summary: { run }, ledger, exitCode }: ImportResult,
  { stdout, stderr }: Terminal,
  json: boolean,
): Promise<ExitCode> {
  if (json)
    await printJson(stdout, `${JSON.stringify({ run, ledger, detached: true }, null, 2)}\n`);
  else await print(stdout, `${run}\n`);
  note(
    stderr,
    `Run ${run} is handed over. Workers send it: "${ledgerCommand(ledger, 'worker')}". When it has ended, "${ledgerCommand(ledger, 'report', run)}" shows it.`,
  );
  return exitCode;
}

const STOPPING =
  'Stopping: requests in flight are waited for, and the reports are written. Ctrl-C again ends at once.';

/** Loads what executes the run, and nothing else. */
async function execute(
  run: ExecutableRun,
  { env, signal, interactive, begun }: Terminal,
  { update: onProgress, note: onWarning }: ProgressReporter,
): Promise<ImportResult> {
  const shown = { env, signal, onProgress, onWarning, ...defined({ begun }) };
  const onInput: FilesRequest['onInput'] = (file, info) => {
    onWarning(inputText(file, info));
  };
  // A person reads the note on it; without one, an encoding that is not sure is refused.
  const files = { onInput, acceptUnsureEncoding: interactive };
  switch (run.kind) {
    case 'import': {
      const { importFiles } = await import('../app/import/import.js');
      const request = { ...run.request, ...shown, ...files };
      return run.sandbox ? importIntoSandbox(request, importFiles) : importFiles(request);
    }
    case 'reconcile': {
      const { reconcileFiles } = await import('../app/reconcile/reconcile.js');
      const request = { ...run.request, ...shown, ...files };
      return run.sandbox ? inSandbox(request, reconcileFiles) : reconcileFiles(request);
    }
    case 'undo': {
      const { undoRun } = await import('../app/undo/undo.js');
      const request = { ...run.request, ...shown };
      return run.sandbox ? inSandbox(request, undoRun) : undoRun(request);
    }
    case 'check': {
      const { reconcileRun } = await import('../app/reconcile/reconcile-run.js');
      const request = { ...run.request, ...shown };
      return run.sandbox ? inSandbox(request, reconcileRun) : reconcileRun(request);
    }
  }
}
