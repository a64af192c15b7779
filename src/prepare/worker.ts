import { once } from 'node:events';
import { type MessagePort, parentPort } from 'node:worker_threads';
import { type FromThread, type ToThread, toPlainError, type PreparePlan } from './plan.js';
import { openPreparation } from './preparation.js';

/** The reading thread: gets what to read first, then one chunk for each `more` that it is sent. */
if (!parentPort) throw new Error('This file is the start of a thread.');
void serve(parentPort);

/**
 * Chunks until the old heap is swept, where the program has got leave for that (`main.ts`). What little gets there may
 * lie about for a million rows: of the shared memory that it holds on to, the engine does not know.
 */
const SWEPT_AFTER = 256;

async function serve(port: MessagePort): Promise<void> {
  const post = (message: FromThread): void => {
    port.postMessage(message);
  };
  let credit = 0;
  let posted = 0;
  const planned = new Promise<PreparePlan>((resolve) => {
    port.on('message', (message: ToThread) => {
      if (message === 'more') credit++;
      else resolve(message);
    });
  });
  try {
    const { chunks, close: _, ...preparation } = await openPreparation(await planned);
    post({ kind: 'ready', preparation });
    for await (const chunk of chunks()) {
      while (credit === 0) await once(port, 'message');
      credit--;
      post({ kind: 'chunk', chunk });
      if (++posted % SWEPT_AFTER === 0) globalThis.gc?.();
    }
    post({ kind: 'end' });
  } catch (error) {
    post({ kind: 'error', error: toPlainError(error) });
  }
  port.removeAllListeners();
  port.close();
}
