import { Worker } from 'node:worker_threads';
import { type CardlineError, LedgerError } from '../../core/errors.js';
import { type StoredFact, type Waiting, storedFacts } from './recorder.js';
import type { SlowStarter } from './recorder-relieved.js';

/** Facts to be written together; `number` is that of the last call that they belong to. */
export interface RecordMessage {
  readonly number: number;
  readonly facts: readonly StoredFact[];
}

/** First that the thread has started; then: the facts of every call up to this number are on the disk, or none can be written. */
export type RecordAnswer =
  'started' | { readonly written: number } | { readonly error: RecordError };

/** What is left of an error between threads. */
export type RecordError = Pick<CardlineError, 'message' | 'saysHowToContinue'>;

/**
 * Records in a thread of its own: a disk that takes its time to flush does not keep the thread that sends from
 * sending.
 */
export function createThreadRecorder(file: string): SlowStarter {
  const worker = new Worker(new URL('./recorder-worker.js', import.meta.url), { workerData: file });
  // From the start: a thread that has died does not tell so again.
  const exited = happened(worker, 'exit');
  // One that died while it started says nothing, and cannot record.
  const started = Promise.race([happened(worker, 'message'), exited]);
  const waiting = new Map<number, Pick<Waiting, 'done' | 'failed'>>();
  let unsent: StoredFact[] = [];
  let broken: CardlineError | undefined;
  let next = 0;

  // What is recorded in one turn goes in one message: each wakes the thread.
  const send = (): void => {
    if (unsent.length === 0) return;
    const message: RecordMessage = { number: next - 1, facts: unsent };
    unsent = [];
    worker.postMessage(message);
  };
  const fail = (error: CardlineError): void => {
    broken ??= error;
    for (const { failed } of waiting.values()) failed(broken);
    waiting.clear();
  };
  const acknowledge = (written: number): void => {
    // Numbers are given in ascending order, and a map keeps the order of insertion.
    for (const [number, { done }] of waiting) {
      if (number > written) return;
      waiting.delete(number);
      done();
    }
  };
  worker.on('message', (answer: RecordAnswer) => {
    if (answer === 'started') return;
    if ('written' in answer) acknowledge(answer.written);
    else fail(new LedgerError(answer.error.message, answer.error));
  });
  worker.on('error', (error) => {
    fail(new LedgerError(`The ledger ${file}: writing failed.`, { cause: error }));
  });

  return {
    started,
    record: (run, chunk, facts, openedAt) =>
      new Promise((done, failed) => {
        if (broken) {
          failed(broken);
          return;
        }
        if (unsent.length === 0) process.nextTick(send);
        unsent.push(...storedFacts(run, chunk, facts, openedAt));
        waiting.set(next++, { done, failed });
      }),
    close: async () => {
      send();
      worker.postMessage('close');
      await exited;
    },
  };
}

function happened(worker: Worker, event: 'exit' | 'message'): Promise<void> {
  return new Promise((resolve) => {
    worker.once(event, () => {
      resolve();
    });
  });
}
