import type { ReopenOptions, Row, Source, SourceInfo } from '../../core/table.js';
import { newReader, outOfTurn, ReaderThread } from '../reader-thread.js';
import type { PlainError } from '../plan.js';

/** What a thread that reads one file is started with. */
export type SourceRequest = Parameters<typeof openInThread>;

/** Messages from that thread; it is sent `next` for each of them but the first. */
export type FromSource =
  | { readonly kind: 'opened'; readonly info: SourceInfo }
  | { readonly kind: 'batch'; readonly rows: readonly Row[]; readonly bytesRead: number }
  | { readonly kind: 'end' }
  | { readonly kind: 'error'; readonly error: PlainError };

/** Threads of files that were opened and never read, as where an option does not fit. */
const unread = new FinalizationRegistry<ReaderThread<FromSource>>((thread) => void thread.close());

/**
 * Opens a file in a thread of its own, which ends where the file takes too much memory, and not the program. Each further
 * reading has another one, which is gone when the reading ends.
 * @throws InputError, UsageError as `openSource` does; InputError `too_much_memory`
 */
export async function openInThread(file: string, options: ReopenOptions): Promise<Source> {
  const { thread: first, info } = await startThread([file, options]);
  let opened: typeof first | null = first;
  let read = 0;
  const source: Source = {
    info,
    bytesRead: () => read,
    verify: async () => {
      for await (const _ of source.batches());
    },
    batches: async function* () {
      const thread = opened ?? (await startThread([file, options])).thread;
      opened = null;
      unread.unregister(source);
      read = 0;
      try {
        for (;;) {
          thread.post('next');
          const next = await thread.next();
          if (next.kind !== 'batch') return;
          read = next.bytesRead;
          yield next.rows;
        }
      } finally {
        await thread.close();
      }
    },
  };
  unread.register(source, first, source);
  return source;
}

async function startThread(request: SourceRequest) {
  const url = new URL('./source-worker.js', import.meta.url);
  const thread = new ReaderThread<FromSource>(newReader(url, request), request[0]);
  const first = await thread.next();
  if (first.kind !== 'opened') throw outOfTurn(first);
  return { thread, info: first.info };
}
