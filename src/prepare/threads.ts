import type { PreparedChunk } from '../core/prepared.js';
import { interruption } from '../core/errors.js';
import { systemClock } from '../core/time.js';
import { asFromThread } from './messages.js';
import type { Preparation, PreparePlan } from './plan.js';
import { withSharedPhones } from './shared-phones.js';
import { prepareInThread } from './thread.js';

/**
 * Opens the preparation in several threads. Each reads the whole input, which is cheap, and maps its share of the
 * chunks, which is not; no row is passed between them. The chunks come in order, and are the same however many threads
 * there are.
 * @param threads 0: everything is done on the thread that calls
 * @throws as `prepareInThread` does
 */
export async function prepareInThreads(
  plan: Omit<PreparePlan, 'share'>,
  threads: number,
  signal?: AbortSignal,
): Promise<Preparation> {
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
    const chunks = () => (threads === 1 ? first.chunks() : withSharedPhones(inTurn(shares)));
    return { ...first, chunks, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const WHOLE: PreparePlan['share'] = { index: 0, of: 1 };

/** Whoever gives up does not wait for what is still being opened, such as a large list of numbers. */
async function prepareHere(plan: PreparePlan, signal?: AbortSignal): Promise<Preparation> {
  // Loaded here alone: where there are threads, they load it.
  const { openPreparation } = await import('./preparation.js');
  if (signal?.aborted) throw interruption(signal);
  const opening = openPreparation(plan).then(withErrorsOfThread, failAsThread);
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => {
      reject(interruption(signal));
      // Nobody is left to tell an error to.
      void opening.then((preparation) => preparation.close()).catch(() => undefined);
    };
  });
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([opening, aborted]);
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

const failAsThread = (error: unknown): never => {
  throw asFromThread(error);
};

/** An error says the same as one that came from a thread. */
function withErrorsOfThread(preparation: Preparation): Preparation {
  return {
    ...preparation,
    chunks: async function* () {
      try {
        yield* preparation.chunks();
      } catch (error) {
        failAsThread(error);
      }
    },
  };
}

/** One chunk of each share in turn, until the first one that has none. */
async function* inTurn(
  shares: readonly Promise<PromiseSettledResult<Preparation>>[],
): AsyncGenerator<PreparedChunk, void, undefined> {
  const chunks: AsyncIterator<PreparedChunk>[] = [];
  try {
    for (;;)
      for (const [index, share] of shares.entries()) {
        const chunk = (chunks[index] ??= beginPreparing(await share));
        const next = await chunk.next();
        if (next.done) return;
        yield next.value;
      }
  } finally {
    for (const chunk of chunks) await chunk.return?.();
  }
}

function beginPreparing(share: PromiseSettledResult<Preparation>): AsyncIterator<PreparedChunk> {
  if (share.status === 'rejected') throw share.reason;
  return share.value.chunks()[Symbol.asyncIterator]();
}
