import { Worker } from 'node:worker_threads';
import { InputError } from '../../core/errors.js';
import type { PreparedChunk } from '../../core/prepared.js';
import { type FromThread, type ToThread, fromPlainError } from './messages.js';
import type { Preparation, PreparePlan } from './plan.js';

/** Chunks that the thread may prepare ahead: enough to keep both sides busy, few enough to bound memory. */
const AHEAD = 3;
/** Heap of the thread in MiB: a workbook that would need more ends the thread, not the program. */
const HEAP_MB = 1024;
const YOUNG_MB = 32;

/**
 * Opens the preparation in a thread of its own, so that reading and mapping take nothing from the thread that sends.
 * @throws InputError, ConfigurationError as `openPreparation` does
 */
export async function prepareInThread(plan: PreparePlan): Promise<Preparation> {
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData: plan,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_MB },
  });
  const inbox = createInbox(worker, plan);
  const first = await inbox.next();
  if (first.kind !== 'ready') throw unexpected(first);
  const close = async (): Promise<void> => {
    await worker.terminate();
  };
  return { ...first.preparation, chunks: () => chunksOf(worker, inbox, close), close };
}

async function* chunksOf(
  worker: Worker,
  inbox: Inbox,
  close: () => Promise<void>,
): AsyncGenerator<PreparedChunk, void, undefined> {
  const more = (): void => {
    worker.postMessage('more' satisfies ToThread);
  };
  try {
    for (let ahead = 0; ahead < AHEAD; ahead++) more();
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
    put(deathOf(error, plan));
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

function deathOf(error: unknown, plan: PreparePlan): Error {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    const file = plan.inputs.map((input) => input.name).join(', ');
    const reason =
      'reading it needs more memory than a spreadsheet should; it may be damaged or made to harm';
    return new InputError('too_much_memory', reason, { file });
  }
  return error instanceof Error ? error : new Error('The reading thread failed.');
}

function unexpected(message: FromThread): Error {
  return new Error(`The reading thread said "${message.kind}" out of turn.`);
}
