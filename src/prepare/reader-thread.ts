import { type ResourceLimits, Worker } from 'node:worker_threads';
import { codeOf, InputError } from '../core/errors.js';
import { fromPlainError, type PlainError } from './plan.js';

/** Memory of a thread that reads: a file that would need more ends the thread, not the program. */
const READER_LIMITS = {
  /** Heap in MiB. */
  maxOldGenerationSizeMb: 1024,
  /** Room for what is short-lived, in MiB: all that is made there but the bytes of the chunks. */
  maxYoungGenerationSizeMb: 24,
} as const satisfies ResourceLimits;

/** What the end of such a thread means for whoever waits for its rows. @param file as the person knows it */
function threadError(error: unknown, file: string): Error {
  if (codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY') {
    const reason =
      `reading it needs more than ${READER_LIMITS.maxOldGenerationSizeMb} MiB of memory, which no list should; it may be ` +
      'damaged or made to harm. Save it as CSV and try again.';
    return new InputError('too_much_memory', reason, { file });
  }
  return error instanceof Error ? error : new Error('The reading thread failed.');
}

export const newReader = (file: URL, workerData?: unknown): Worker =>
  new Worker(file, { workerData, resourceLimits: READER_LIMITS });

type Failed = { readonly kind: 'error'; readonly error: PlainError };

/** What a thread that reads says, in order, with its death as the last of it. */
export class ReaderThread<M extends { readonly kind: string }> {
  readonly #messages: (M | Failed | Error)[] = [];
  #wake: (() => void) | undefined;

  constructor(
    private readonly worker: Worker,
    file: string,
  ) {
    const put = (message: M | Failed | Error): void => {
      this.#messages.push(message);
      this.#wake?.();
    };
    worker.on('message', put);
    worker.on('error', (error) => {
      put(threadError(error, file));
    });
    worker.on('exit', () => {
      put(new Error('The reading thread ended early.'));
    });
  }

  post(message: unknown): void {
    this.worker.postMessage(message);
  }

  /** The next message. The thread keeps the program alive only while one is awaited. @throws what it failed with */
  async next(): Promise<Exclude<M, Failed>> {
    this.worker.ref();
    try {
      while (this.#messages.length === 0)
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    } finally {
      this.worker.unref();
    }
    const message = this.#messages.shift();
    if (message === undefined) throw new Error('The reading thread said nothing.');
    if (message instanceof Error) throw message;
    if (isFailed(message)) throw fromPlainError(message.error);
    return message as Exclude<M, Failed>;
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }
}

const isFailed = (message: { readonly kind: string }): message is Failed =>
  message.kind === 'error';

export const outOfTurn = ({ kind }: { readonly kind: string }): Error =>
  new Error(`The reading thread said "${kind}" out of turn.`);
