import { Worker } from 'node:worker_threads';
import type { Row, Source, SourceInfo, ReopenOptions } from '../../core/table.js';
import { fromPlainError, type PlainError, READER_LIMITS, threadError } from '../plan.js';

/** What a thread that reads one file is started with. */
export interface SourceRequest {
  readonly file: string;
  readonly options: ReopenOptions;
}

/** Messages from that thread; it is sent `next` for each of them but the first. */
export type FromSource =
  | { readonly kind: 'opened'; readonly info: SourceInfo }
  | { readonly kind: 'batch'; readonly rows: readonly Row[]; readonly bytesRead: number }
  | { readonly kind: 'end' }
  | { readonly kind: 'error'; readonly error: PlainError };

/**
 * Opens a file in a thread of its own, which ends where the file takes too much memory, and not the program.
 * @throws InputError, UsageError as `openSource` does; InputError `too_much_memory`
 */
export async function openInThread(file: string, options: ReopenOptions): Promise<Source> {
  const request = { file, options };
  const first = await SourceThread.start(request);
  return new ThreadSource(request, first);
}

/** Threads of files that were opened and never read, as where an option does not fit. */
const unread = new FinalizationRegistry<SourceThread>((thread) => void thread.close());

/** Each reading has its own thread, which is gone when the reading ends. */
class ThreadSource implements Source {
  readonly info: SourceInfo;
  private read = 0;

  constructor(
    private readonly request: SourceRequest,
    private opened: SourceThread | null,
  ) {
    this.info = opened?.info ?? failUnopened();
    if (opened) unread.register(this, opened, this);
  }

  bytesRead(): number {
    return this.read;
  }

  async verify(): Promise<void> {
    for await (const _ of this.batches());
  }

  async *batches(): AsyncGenerator<readonly Row[]> {
    const { opened } = this;
    this.opened = null;
    unread.unregister(this);
    this.read = 0;
    const thread = opened ?? (await SourceThread.start(this.request));
    try {
      for (let next = await thread.next(); next.kind === 'batch'; next = await thread.next()) {
        this.read = next.bytesRead;
        yield next.rows;
      }
    } finally {
      await thread.close();
    }
  }
}

class SourceThread {
  private waiting: {
    resolve: (message: FromSource) => void;
    reject: (error: Error) => void;
  } | null = null;
  private failure: Error | null = null;
  info: SourceInfo | null = null;

  private constructor(
    private readonly worker: Worker,
    file: string,
  ) {
    const fail = (error: Error): void => {
      this.failure ??= error;
      this.waiting?.reject(this.failure);
    };
    worker.on('message', (message: FromSource) => this.waiting?.resolve(message));
    worker.on('error', (error) => {
      fail(threadError(error, file));
    });
    worker.on('exit', () => {
      fail(new Error('The reading thread ended early.'));
    });
  }

  static async start(request: SourceRequest): Promise<SourceThread> {
    const worker = new Worker(new URL('./source-worker.js', import.meta.url), {
      workerData: request,
      resourceLimits: READER_LIMITS,
    });
    const thread = new SourceThread(worker, request.file);
    const first = await thread.receive();
    if (first.kind !== 'opened') throw new Error('The reading thread sent rows out of turn.');
    thread.info = first.info;
    return thread;
  }

  async next(): Promise<FromSource> {
    this.worker.postMessage('next');
    return this.receive();
  }

  async close(): Promise<void> {
    await this.worker.terminate();
  }

  /** The thread keeps the program alive only while something is awaited of it. */
  private async receive(): Promise<FromSource> {
    if (this.failure) throw this.failure;
    this.worker.ref();
    try {
      const message = await new Promise<FromSource>((resolve, reject) => {
        this.waiting = { resolve, reject };
      });
      if (message.kind === 'error') throw fromPlainError(message.error);
      return message;
    } finally {
      this.waiting = null;
      this.worker.unref();
    }
  }
}

function failUnopened(): never {
  throw new Error('The file has not been opened.');
}
