import { executeWorker, type WorkerRequest } from '../run/shared.js';
import type { ExitCode } from '../core/errors.js';
import {
  type RunResult,
  refusePlaces,
  checkResult,
  type CheckResult,
  modeOf,
  resultOf,
} from './result.js';
import { checkFiles as check } from '../run/check.js';
import { importFiles as importInputs } from '../run/import.js';
import { reconcileFiles as reconcile } from '../run/reconcile.js';
import {
  type RunningCheck as Running,
  startCheck as start,
  type StartCheckRequest,
} from '../run/start-check.js';
import { type StartedRun as Started, startRun } from '../run/watch.js';
import type { CheckRequest, ImportRequest, ReconcileRequest } from '../run/requests.js';

/** Options of `importShared`. `ledger`: the address of a ledger in PostgreSQL. */
export type ImportSharedOptions = Omit<ImportFilesOptions, 'shared'> & { readonly ledger: string };

/**
 * Imports spreadsheets together with all workers on the same ledger, and resolves when all rows have ended, whoever sent
 * them; with `detach`, as soon as they are handed over.
 * @throws as `importFiles` does; UsageError when the import cannot be shared
 */
export function importShared(options: ImportSharedOptions): Promise<RunResult> {
  return importFiles({ ...options, shared: true });
}

/** Options of `startWorker`. */
export interface StartWorkerOptions extends Omit<WorkerRequest, 'signal' | 'onNote'> {
  /** Aborted to stop gently: what is in flight ends, and pieces are given back. @default never */
  readonly signal?: AbortSignal | undefined;
  /** Called with what a person may want to know. @default nobody is told */
  readonly onNote?: ((message: string) => void) | undefined;
}

/** A worker that is at work. */
export interface StartedWorker {
  /** Stops gently, and resolves when that has been done. */
  stop(): Promise<void>;
  /**
   * Resolves when it was stopped.
   * @throws UsageError, LedgerError: why it could not begin, or its database was away for too long
   */
  readonly ended: Promise<ExitCode>;
}

/** Starts to take pieces of shared runs. */
export function startWorker(options: StartWorkerOptions): StartedWorker {
  const stopping = new AbortController();
  const { signal = stopping.signal, onNote = () => undefined } = options;
  const ended = executeWorker({
    ...options,
    onNote,
    signal: AbortSignal.any([signal, stopping.signal]),
  });
  return {
    ended,
    stop: async () => {
      stopping.abort();
      await ended;
    },
  };
}

/** What only cardline itself gives. */
type Internal = 'watcher' | 'observer' | 'pickup';

/** Options of `checkFiles`. */
export type CheckFilesOptions = CheckRequest;
/** Options of `importFiles`. */
export type ImportFilesOptions = Omit<ImportRequest, 'run' | Internal>;
/** Options of `reconcileFiles`. */
export type ReconcileFilesOptions = Omit<ReconcileRequest, 'run' | Internal>;

/**
 * Does all that an import does but send: reads, maps, finds duplicates, and writes the rejects.
 * @throws ConfigurationError with all mistakes of mapping and installation; InputError when a file cannot be read;
 * UsageError; StopRun when `signal` is aborted
 */
export async function checkFiles(options: CheckFilesOptions): Promise<CheckResult> {
  refusePlaces(options, { out: 'folder', ledger: 'read ledger' });
  return checkResult(await check(options));
}

/**
 * Imports spreadsheets: every row becomes a client by the mapping, is created, added to the campaign when there is one,
 * and reported. A run of the same content, mapping, installation and campaign that is not at its end is continued; one
 * that is finished is not repeated. When `signal` is aborted, the result says that the run is stopped.
 * @throws ConfigurationError, InputError, UsageError before anything is sent; LedgerError when the ledger cannot be
 * opened; StopRun when the contact center does not list its campaigns. What comes later stands in the result.
 */
export async function importFiles(options: ImportFilesOptions): Promise<RunResult> {
  refusePlaces(options);
  return resultOf(importInputs(options), () => modeOf(options));
}

/**
 * Compares spreadsheets with the contact center, row by row, and changes nothing. The exit code is 0 when every row
 * matches.
 * @throws as `importFiles` does; UsageError when the mapping does not say what a card should look like
 */
export async function reconcileFiles(options: ReconcileFilesOptions): Promise<RunResult> {
  refusePlaces(options);
  return resultOf(reconcile(options), () => ({ mode: 'reconcile' }));
}

/** Options of `startCheck`. */
export type StartCheckOptions = StartCheckRequest;
/** Options of `startImport`. */
export type StartImportOptions = Omit<
  ImportRequest,
  'watcher' | 'onProgress' | 'onWarning' | 'run'
>;
/** A check under way, or at its end. */
export type RunningCheck = Omit<Running<CheckResult>, 'remedies'>;
/** A run under way, or at its end. */
export type StartedRun = Started<RunResult>;

/**
 * Starts to check files as `checkFiles` does, to be watched, and its rejected rows to be shown page by page meanwhile.
 * @throws UsageError where nothing can be written; `result` rejects as `checkFiles` does
 */
export async function startCheck(options: StartCheckOptions): Promise<RunningCheck> {
  refusePlaces(options, { out: 'folder', ledger: 'read ledger', folder: 'folder' });
  const { remedies: _, ...check } = await start(options);
  return { ...check, result: watched(check.result.then(checkResult)) };
}

/** Starts an import as `importFiles` does, to be watched, paused and stopped; `result` rejects as `importFiles` does. */
export function startImport(options: StartImportOptions): StartedRun {
  const run = startRun(async (watched) => {
    refusePlaces(options);
    return importInputs({ ...options, ...watched });
  }, options.signal);
  return { ...run, result: watched(resultOf(run.result, () => modeOf(options))) };
}

/** Whoever asks for the result gets the error; others know it by the last state. */
function watched<R>(result: Promise<R>): Promise<R> {
  result.catch(() => undefined);
  return result;
}
