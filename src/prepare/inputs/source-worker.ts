import { once } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { openSource } from '../../source/source.js';
import { toPlainError } from '../plan.js';
import type { FromSource, SourceRequest } from './source-thread.js';

/** A thread that reads one file: says what it is, then gives a batch of rows for each `next` that it is sent. */
if (!parentPort) throw new Error('This file is the start of a thread.');
void serve(parentPort, workerData as SourceRequest);

async function serve(port: MessagePort, request: SourceRequest): Promise<void> {
  const post = (message: FromSource): void => {
    port.postMessage(message);
  };
  try {
    const source = await openSource(...request);
    const asked = once(port, 'message');
    post({ kind: 'opened', info: source.info });
    await asked;
    for await (const rows of source.batches()) {
      const next = once(port, 'message');
      post({ kind: 'batch', rows, bytesRead: source.bytesRead() });
      await next;
    }
    post({ kind: 'end' });
  } catch (error) {
    post({ kind: 'error', error: toPlainError(error) });
  }
  port.close();
}
