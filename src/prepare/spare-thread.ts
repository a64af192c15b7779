import { Worker } from 'node:worker_threads';
import { READER_LIMITS } from './inputs/reader-limits.js';

let spare: Worker | undefined;
let isTaken = false;

/** Starts a thread that reads for an import ahead: it loads what it needs while the command is still being understood. */
export function warmReaderThread(): void {
  // Whoever was faster has a thread already, and this one would never be used.
  if (spare || isTaken) return;
  const worker = newThread();
  spare = worker;
  const forget = (): void => {
    if (spare === worker) spare = undefined;
  };
  // The thread that is started in its place shows what is wrong.
  worker.once('error', forget);
  worker.once('exit', forget);
  // Whoever does not need it does not wait for it.
  worker.unref();
}

/** A reading thread: the one that was started ahead, or a new one. */
export function takeReaderThread(): Worker {
  isTaken = true;
  if (!spare) return newThread();
  const worker = spare;
  spare = undefined;
  worker.ref();
  return worker;
}

function newThread(): Worker {
  return new Worker(new URL('./worker.js', import.meta.url), {
    resourceLimits: READER_LIMITS,
  });
}
