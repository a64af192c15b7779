import {
  type RunningCheck as Running,
  startCheck as start,
  type StartCheckRequest,
} from '../run/start-check.js';
import { importFiles } from '../run/import.js';
import type { ImportRequest } from '../run/requests.js';
import { type StartedRun as Started, startRun } from '../run/watch.js';
import {
  refusePlaces,
  type CheckResult,
  checkResult,
  type RunResult,
  modeOf,
  resultOf,
} from './result.js';

/** Options of `startCheck`. */
export type StartCheckOptions = StartCheckRequest;
/** Options of `startImport`. */
export type StartImportOptions = Omit<
  ImportRequest,
  'watcher' | 'onProgress' | 'onWarning' | 'run'
>;
/** A check under way, or at its end. */
export type RunningCheck = Running<CheckResult>;
/** A run under way, or at its end. */
export type StartedRun = Started<RunResult>;

/**
 * Starts to check files as `checkFiles` does, to be watched, and its rejected rows to be shown page by page meanwhile.
 * @throws UsageError where nothing can be written; `result` rejects as `checkFiles` does
 */
export async function startCheck(options: StartCheckOptions): Promise<RunningCheck> {
  refusePlaces(options, { out: 'folder', ledger: 'read ledger', folder: 'folder' });
  const check = await start(options);
  return { ...check, result: watched(check.result.then(checkResult)) };
}

/** Starts an import as `importFiles` does, to be watched, paused and stopped; `result` rejects as `importFiles` does. */
export function startImport(options: StartImportOptions): StartedRun {
  const run = startRun(async (watched) => {
    refusePlaces(options);
    return importFiles({ ...options, ...watched });
  }, options.signal);
  return { ...run, result: watched(resultOf(run.result, () => modeOf(options))) };
}

/** Whoever asks for the result gets the error; others know it by the last state. */
function watched<R>(result: Promise<R>): Promise<R> {
  result.catch(() => undefined);
  return result;
}
