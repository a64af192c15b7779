import type { Row, Source, SourceInfo, ReopenOptions } from '../../core/table.js';
import { newReader, outOfTurn, ReaderThread } from '../reader-thread.js';
import type { PlainError } from '../plan.js';

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
  private constructor(
    private readonly thread: ReaderThread<FromSource>,
    readonly info: SourceInfo,
  ) {}

  static async start({ file, options }: SourceRequest): Promise<SourceThread> {
    const url = new URL('./source-worker.js', import.meta.url);
    const thread = new ReaderThread<FromSource>(newReader(url, { file, options }), file);
    const first = await thread.next();
    if (first.kind !== 'opened') throw outOfTurn(first);
    return new SourceThread(thread, first.info);
  }

  next(): Promise<FromSource> {
    this.thread.post('next');
    return this.thread.next();
  }

  close(): Promise<void> {
    return this.thread.close();
  }
}

function failUnopened(): never {
  throw new Error('The file has not been opened.');
}
