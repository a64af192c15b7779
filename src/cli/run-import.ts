import type {
  ImportRequest,
  ImportResult,
  ReconcileRequest,
  ReconcileRunRequest,
  UndoRequest,
} from '../app/requests.js';
import { warmReaderThread } from '../prepare/spare-thread.js';
import { defined } from '../core/defined.js';
import type { ExitCode } from '../core/errors.js';
import { duration } from './output/durations.js';
import { failureLimit } from './failure-limit.js';
import { importIntoSandbox, inSandbox } from './import-into-sandbox.js';
import { printImportResult } from './output/import-result.js';
import { inputText } from './input-text.js';
import { flagOption, numberOption, numberOrAutoOption, outOption, textOption } from './options.js';
import type { ProgressReporter } from './progress/progress-reporter.js';
import { startProgress } from './progress/progress.js';
import { stopWaiting } from './output/stopped.js';
import type { Terminal } from './output/terminal.js';

/** Options of whatever runs an import, begun or continued. */
export const runOptions = {
  ledger: textOption(
    "File in which every fact of the run is kept. Default: the installation's ledger, else cardline.db.",
  ),
  'settle-all': flagOption(
    'Go on although the ledger has lost facts: what is not on record is looked up before it is sent. Default: no.',
  ),
  ...outOption,
  'batch-size': numberOrAutoOption(
    'batch-size',
    'Clients in one request: a number, or auto, which finds out what serves best. Default: auto.',
    1,
  ),
  concurrency: numberOrAutoOption(
    'concurrency',
    'Requests in flight at once: a number, or auto, which finds out what serves best. Default: auto.',
    1,
    256,
  ),
  'give-up-after': {
    coerce: duration('give-up-after'),
    describe:
      'Stop after so long without one success, such as 90s or 1h. Default: 15m; 10s when there never was one.',
  },
  'max-failures': {
    coerce: failureLimit,
    describe:
      'Stop when more rows than this end badly: a number, or a percentage of all rows such as 5%. The rows are counted first, up to a million, and nothing is sent when too many are rejected already. Default: any.',
  },
  canary: numberOption(
    'canary',
    'Send so many clients first, and the others only if, when these have ended, no more of them failed than --max-failures allows, a percentage being one of these (default: none may fail). Default: 0.',
    0,
  ),
  quiet: { ...flagOption('No progress and no notes on stderr. Default: no.'), alias: 'q' },
  json: flagOption('Print the summary as JSON on stdout, not as a table. Default: no.'),
} as const;

/** What `runOptions` gives. */
export interface RunArguments {
  readonly ledger?: string | undefined;
  readonly settleAll?: boolean | undefined;
  readonly out?: string | undefined;
  readonly batchSize?: number | 'auto' | undefined;
  readonly concurrency?: number | 'auto' | undefined;
  readonly giveUpAfter?: number | undefined;
  readonly maxFailures?: ReturnType<typeof failureLimit> | undefined;
  readonly canary?: number | undefined;
  readonly quiet?: boolean | undefined;
  readonly json?: boolean | undefined;
}

type Told = 'env' | 'signal' | 'onProgress' | 'onInput' | 'onWarning';
type Wanted = Omit<ImportRequest, Told>;

/** What is undone, and how. */
export type WantedUndo = Omit<UndoRequest, Told>;

/** Starts the reading thread, which takes as long to load as the rest, and the rest beside it. */
export function warmImport(): void {
  warmReaderThread();
  // Whoever needs it loads it again, and meets the error there.
  import('../app/import/import.js').catch(() => undefined);
}

/** Runs an import with progress on the terminal, and prints how it ended. */
export function runImportCommand(
  wanted: Wanted,
  sandbox: boolean,
  args: RunArguments,
  terminal: Terminal,
): Promise<ExitCode> {
  stopWaiting(wanted.files, terminal);
  return runWithProgress(args, terminal, (progress) => {
    const request: ImportRequest = {
      ...wanted,
      ...optionsOf(args, terminal, progress),
      onInput: (file, info) => {
        progress.note(inputText(file, info));
      },
    };
    return sandbox ? importIntoSandbox(request) : importDirectly(request);
  });
}

/** Runs a comparison with progress on the terminal, and prints what it found. */
export function runReconcileCommand(
  wanted: Omit<ReconcileRequest, Told>,
  sandbox: boolean,
  args: RunArguments,
  terminal: Terminal,
): Promise<ExitCode> {
  stopWaiting(wanted.files, terminal);
  return runWithProgress(args, terminal, async (progress) => {
    const { reconcileFiles } = await import('../app/reconcile/reconcile.js');
    const request: ReconcileRequest = {
      ...wanted,
      ...optionsOf(args, terminal, progress),
      onInput: (file, info) => {
        progress.note(inputText(file, info));
      },
    };
    return sandbox ? inSandbox(request, reconcileFiles) : reconcileFiles(request);
  });
}

/** Checks an earlier run with progress on the terminal, and prints what it found. */
export function runCheckOfRun(
  wanted: Omit<ReconcileRunRequest, Told>,
  sandbox: boolean,
  args: RunArguments,
  terminal: Terminal,
): Promise<ExitCode> {
  return runWithProgress(args, terminal, async (progress) => {
    const { reconcileRun } = await import('../app/reconcile/reconcile-run.js');
    const request: ReconcileRunRequest = { ...wanted, ...optionsOf(args, terminal, progress) };
    return sandbox ? inSandbox(request, reconcileRun) : reconcileRun(request);
  });
}

/** Runs an undo with progress on the terminal, and prints how it ended. */
export function runUndoCommand(
  wanted: WantedUndo,
  sandbox: boolean,
  args: RunArguments,
  terminal: Terminal,
): Promise<ExitCode> {
  return runWithProgress(args, terminal, async (progress) => {
    const { undoRun } = await import('../app/undo/undo.js');
    const request: UndoRequest = { ...wanted, ...optionsOf(args, terminal, progress) };
    return sandbox ? inSandbox(request, undoRun) : undoRun(request);
  });
}

async function runWithProgress(
  args: RunArguments,
  terminal: Terminal,
  run: (progress: ProgressReporter) => Promise<ImportResult>,
): Promise<ExitCode> {
  const progress = await startProgress(terminal, args.quiet ?? false);
  let isUnderWay = false;
  const tellStop = (): void => {
    if (isUnderWay) progress.note(STOPPING);
  };
  const watched: ProgressReporter = {
    ...progress,
    update: (now) => {
      isUnderWay = true;
      progress.update(now);
    },
  };
  terminal.signal.addEventListener('abort', tellStop, { once: true });
  try {
    const result = await run(watched);
    progress.stop();
    return await printImportResult(result, terminal, args.json ?? false);
  } finally {
    terminal.signal.removeEventListener('abort', tellStop);
    progress.stop();
  }
}

const STOPPING =
  'Stopping: requests in flight are waited for, and the reports are written. Ctrl-C again ends at once.';

function optionsOf(args: RunArguments, terminal: Terminal, progress: ProgressReporter) {
  return {
    env: terminal.env,
    signal: terminal.signal,
    onProgress: progress.update,
    onWarning: progress.note,
    ...defined({
      out: args.out,
      ledger: args.ledger,
      settleAll: args.settleAll,
      batchSize: args.batchSize,
      concurrency: args.concurrency,
      giveUpAfterMs: args.giveUpAfter,
      maxFailures: args.maxFailures,
      canary: args.canary,
    }),
  };
}

async function importDirectly(request: ImportRequest): Promise<ImportResult> {
  const { importFiles } = await import('../app/import/import.js');
  return importFiles(request);
}
