import type { ImportRequest } from '../requests.js';
import { type StartedRun, startRun } from '../run/watch/start-run.js';
import { importFiles } from './import.js';

/** What an import that is watched is to do. */
export type StartImportRequest = Omit<
  ImportRequest,
  'watcher' | 'onProgress' | 'onWarning' | 'run'
>;

/** Starts an import as `importFiles` does, to be watched, paused and stopped. */
export const startImport = (request: StartImportRequest): StartedRun =>
  startRun((options) => importFiles({ ...request, ...options }), request.signal);
