import type { Worker } from 'node:worker_threads';
import type { PreparedChunk } from '../core/prepared.js';
import { type FromThread, type ToThread, fromPlainError } from './messages.js';
import { interruption } from '../core/errors.js';
import type { Preparation, PreparePlan } from './plan.js';
import { threadError } from './inputs/reader-limits.js';
import { takeReaderThread } from './spare-thread.js';

/** Chunks that the thread may prepare ahead: enough to keep both sides busy, few enough to bound memory. */
const AHEAD = 2;

/**
 * Opens the preparation in a thread of its own, so that reading and mapping take nothing from the thread that sends.
 * @throws InputError, ConfigurationError as `openPreparation` does, StopRun when the signal is aborted before
 */
export async function prepareInThread(
  plan: PreparePlan,
  signal?: AbortSignal,
): Promise<Preparation> {
  if (signal?.aborted) throw interruption(signal);
  const worker = takeReaderThread();
  worker.postMessage(plan satisfies ToThread);
  const more = (): void => {
    worker.postMessage('more' satisfies ToThread);
  };
  // Before anybody asks for them: the first rows are ready when the ledger is.
  for (let ahead = 0; ahead < AHEAD; ahead++) more();
  const inbox = createInbox(worker, plan);
  const close = async (): Promise<void> => {
    await worker.terminate();
  };
  const first = await untilAborted(inbox, signal, close);
  if (first.kind !== 'ready') throw unexpected(first);
  return { ...first.preparation, chunks: () => chunksOf(inbox, more, close), close };
}

/** The first message; a workbook may take its time to be verified, and a person may not want to wait. */
async function untilAborted(
  inbox: Inbox,
  signal: AbortSignal | undefined,
  close: () => Promise<void>,
): Promise<FromThread> {
  const abort = (): void => {
    void close();
  };
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await inbox.next();
  } catch (error) {
    throw signal?.aborted ? interruption(signal) : error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

async function* chunksOf(
  inbox: Inbox,
  more: () => void,
  close: () => Promise<void>,
): AsyncGenerator<PreparedChunk, void, undefined> {
  try {
    for (;;) {
      const message = await inbox.next();
      if (message.kind === 'end') return;
      if (message.kind !== 'chunk') throw unexpected(message);
      more();
      yield message.chunk;
    }
  } finally {
    await close();
  }
}

interface Inbox {
  /** Rejects when the thread failed. */
  next(): Promise<FromThread>;
}

/** Messages in order, with the thread's death as the last one. */
function createInbox(worker: Worker, plan: PreparePlan): Inbox {
  const messages: (FromThread | Error)[] = [];
  let wake: (() => void) | undefined;
  const put = (message: FromThread | Error): void => {
    messages.push(message);
    wake?.();
  };
  worker.on('message', put);
  worker.on('error', (error) => {
    put(threadError(error, plan.inputs.map(({ name }) => name).join(', ')));
  });
  worker.on('exit', () => {
    put(new Error('The reading thread ended early.'));
  });
  return {
    next: async () => {
      while (messages.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      const message = messages.shift();
      if (message instanceof Error || message === undefined) throw message ?? new Error();
      if (message.kind === 'error') throw fromPlainError(message.error);
      return message;
    },
  };
}

function unexpected(message: FromThread): Error {
  return new Error(`The reading thread said "${message.kind}" out of turn.`);
}
