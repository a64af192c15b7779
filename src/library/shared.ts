import { executeWorker, type WorkerRequest } from '../run/shared.js';
import type { ExitCode } from '../core/errors.js';
import { importFiles, type ImportFilesOptions } from './files.js';
import type { RunResult } from './result.js';

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
