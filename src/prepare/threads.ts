import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { newReader, outOfTurn, ReaderThread } from './reader-thread.js';
import {
  type FromThread,
  type ToThread,
  asFromThread,
  type InputFile,
  type Preparation,
  type PreparePlan,
} from './plan.js';
import type { PreparedChunk } from '../core/prepared.js';
import { interruption } from '../core/errors.js';
import { systemClock } from '../core/time.js';
import { openRegularFile } from '../files/regular-file.js';
import { SIGNATURE_BYTES, signatureOf, traitsOf, unpackedBytes } from '../source/source.js';
import { withSharedPhones } from './shared-phones.js';

/**
 * Opens the preparation in several threads. Each reads the whole input, which is cheap, and maps its share of the
 * chunks, which is not; no row is passed between them. The chunks come in order, and are the same however many threads
 * there are.
 * @param wanted how many; 0: everything is done on the thread that calls. @default as many as the inputs are worth
 * @throws as `prepareInThread` does
 */
export async function prepareInThreads(
  plan: Omit<PreparePlan, 'share'>,
  signal?: AbortSignal,
  wanted?: number,
): Promise<Preparation> {
  const threads = wanted ?? (await readerThreads(plan.inputs, plan.purpose));
  // One moment for all of them: a row is the same in each.
  const asOf = plan.asOf === undefined ? systemClock.now() : plan.asOf;
  if (threads === 0) return await prepareHere({ ...plan, asOf, share: WHOLE }, signal);
  const opening = Array.from({ length: threads }, (_, index) =>
    prepareInThread({ ...plan, asOf, share: { index, of: threads } }, signal),
  );
  // The first of them says all there is to say, and has the first chunk; the others are waited for in their turn.
  const shares = opening.map(async (share) => (await Promise.allSettled([share]))[0]);
  const close = async (): Promise<void> => {
    for (const share of await Promise.all(shares))
      if (share.status === 'fulfilled') await share.value.close();
  };
  try {
    const [first] = await Promise.all(opening.slice(0, 1));
    if (!first) throw new Error('No thread was to read.');
    return { ...first, chunks: () => withSharedPhones(inTurn(shares)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Up to this, text is prepared on the thread that asks for it, in bytes: a thread loads all modules, the mapping and the
 * tables of phones for itself, which takes longer than mapping the rows.
 */
const WITHOUT_THREADS = 1024 * 1024;

/** Below this, a second thread takes as long to start as it saves, in bytes. */
const WORTH_A_THREAD = 8 * 1024 * 1024;

/**
 * How many threads are to read and map these texts, of so many bytes in all; 0: none beside the one that asks. Where
 * nothing is sent, the processors are free for mapping, and more than two would wait for the thread that counts. Sending
 * takes a processor, and so do the ledger and the engine.
 */
export function threadsForTexts({
  purpose,
  processors,
  bytes,
}: Pick<PreparePlan, 'purpose'> & Record<'processors' | 'bytes', number>): 0 | 1 | 2 {
  if (bytes <= WITHOUT_THREADS) return 0;
  if (purpose === 'check') return processors > 1 ? 2 : 1;
  return processors >= 4 && bytes >= WORTH_A_THREAD ? 2 : 1;
}

/**
 * How many threads are to prepare these inputs. Every one of them reads all of it: that costs little for text, and more
 * than the mapping for a workbook, whose cells each would keep in memory. What is packed has a thread, which has limits: a
 * small file may hold a lot. A container whose parts unpack to little cannot, and is as good as text.
 */
export async function readerThreads(
  files: readonly InputFile[],
  purpose: PreparePlan['purpose'],
): Promise<number> {
  const processors = availableParallelism();
  let bytes = 0;
  let isGzipped = false;
  for (const found of await Promise.all(files.map(({ path }) => firstLook(path)))) {
    if (found.isPacked) return 1;
    isGzipped ||= found.isGzipped;
    bytes += found.bytes;
  }
  const threads = threadsForTexts({ purpose, processors, bytes });
  return threads === 0 && isGzipped ? 1 : threads;
}

const NOTHING_SEEN = { isPacked: false, isGzipped: false, bytes: 0 };

/** How a file is packed, and its bytes. One that cannot be read is reported by whoever opens it next. */
async function firstLook(path: string) {
  const file = await openRegularFile(path).catch(() => null);
  if (!file) return NOTHING_SEEN;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SIGNATURE_BYTES));
    const found = signatureOf(buffer.subarray(0, bytesRead));
    const formats = found.kind === 'input' ? found.formats : [];
    const { size } = await file.stat();
    const mayBePacked = formats.some((format) => traitsOf(format).isPacked);
    const bytes = mayBePacked && size <= WITHOUT_THREADS ? await unpackedBytes(path) : size;
    const isPacked = mayBePacked && Math.max(bytes, size) > WITHOUT_THREADS;
    return { isPacked, isGzipped: found.kind === 'gzip', bytes };
  } catch {
    return NOTHING_SEEN;
  } finally {
    await file.close();
  }
}

const WHOLE: PreparePlan['share'] = { index: 0, of: 1 };

/** Whoever gives up does not wait for what is still being opened, such as a large list of numbers. */
async function prepareHere(plan: PreparePlan, signal?: AbortSignal): Promise<Preparation> {
  // Loaded here alone: where there are threads, they load it.
  const { openPreparation } = await import('./preparation.js');
  if (signal?.aborted) throw interruption(signal);
  const opening = openPreparation(plan).catch((error: unknown) => {
    throw asFromThread(error);
  });
  // Nobody is left to tell an error to.
  const close = (): void => void opening.then((one) => one.close()).catch(() => undefined);
  const preparation = await unlessAborted(opening, signal, close);
  return {
    ...preparation,
    chunks: async function* () {
      try {
        yield* withSharedPhones(preparation.chunks());
      } catch (error) {
        throw asFromThread(error);
      }
    },
  };
}

/** What is being opened; where the signal is aborted before, `letGo` is called and waited for. @throws StopRun then */
async function unlessAborted<T>(
  opening: Promise<T>,
  signal: AbortSignal | undefined,
  letGo: () => unknown,
): Promise<T> {
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => {
      void Promise.resolve(letGo()).finally(() => reject(interruption(signal)));
    };
  });
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([opening, aborted]);
  } catch (error) {
    // A thread that is ended fails, before its end has been waited for.
    throw signal?.aborted ? await aborted : error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

/** One chunk of each share in turn, until the first one that has none. */
async function* inTurn(
  shares: readonly Promise<PromiseSettledResult<Preparation>>[],
): AsyncGenerator<PreparedChunk, void, undefined> {
  const chunks: AsyncIterator<PreparedChunk>[] = [];
  try {
    for (;;)
      for (const [index, share] of shares.entries()) {
        if (!chunks[index]) {
          const opened = await share;
          if (opened.status === 'rejected') throw opened.reason;
          chunks[index] = opened.value.chunks()[Symbol.asyncIterator]();
        }
        const next = await chunks[index].next();
        if (next.done) return;
        yield next.value;
      }
  } finally {
    for (const chunk of chunks) await chunk.return?.();
  }
}

let spare: Worker | undefined;
let isTaken = false;

/** Starts a thread that reads for an import ahead: it loads what it needs while the command is still being understood. */
export function warmReaderThread(): void {
  // Whoever was faster has a thread already, and this one would never be used.
  if (spare || isTaken) return;
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

function takeReaderThread(): Worker {
  isTaken = true;
  if (!spare) return newThread();
  const worker = spare;
  spare = undefined;
  worker.ref();
  return worker;
}

const newThread = (): Worker => newReader(new URL('./worker.js', import.meta.url));

/** Chunks that the thread may prepare ahead: enough to keep both sides busy, few enough to bound memory. */
const AHEAD = 2;

/**
 * Opens the preparation in a thread of its own, so that reading and mapping take nothing from the thread that sends.
 * @throws InputError, ConfigurationError as `openPreparation` does, StopRun when the signal is aborted before
 */
async function prepareInThread(plan: PreparePlan, signal?: AbortSignal): Promise<Preparation> {
  if (signal?.aborted) throw interruption(signal);
  const names = plan.inputs.map(({ name }) => name).join(', ');
  const thread = new ReaderThread<FromThread>(takeReaderThread(), names);
  thread.post(plan satisfies ToThread);
  const more = (): void => thread.post('more' satisfies ToThread);
  // Before anybody asks for them: the first rows are ready when the ledger is.
  for (let ahead = 0; ahead < AHEAD; ahead++) more();
  const close = (): Promise<void> => thread.close();
  // A workbook may take its time to be verified, and a person may not want to wait.
  const first = await unlessAborted(thread.next(), signal, close);
  if (first.kind !== 'ready') throw outOfTurn(first);
  return {
    ...first.preparation,
    chunks: async function* () {
      try {
        for (;;) {
          const message = await thread.next();
          if (message.kind === 'end') return;
          if (message.kind !== 'chunk') throw outOfTurn(message);
          more();
          yield message.chunk;
        }
      } finally {
        await thread.close();
      }
    },
    close,
  };
}
