import { Worker } from 'node:worker_threads';

/** Heap of the thread in MiB: a workbook that would need more ends the thread, not the program. */
const HEAP_MB = 1024;
/** Room for what is short-lived, in MiB: all that is made there but the bytes of the chunks. */
const YOUNG_MB = 24;

let spare: Worker | undefined;

/** Starts a thread that reads for an import ahead: it loads what it needs while the command is still being understood. */
export function warmReaderThread(): void {
  if (spare) return;
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
  if (!spare) return newThread();
  const worker = spare;
  spare = undefined;
  worker.ref();
  return worker;
}

function newThread(): Worker {
  return new Worker(new URL('./worker.js', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
  });
}
